// libcurl for Swift, which cannot call variadic functions: one function for each type of argument.
#if !__has_include(<curl/curl.h>)
#error "Install libcurl4-openssl-dev (apt) or libcurl-devel (dnf)."
#endif

#include <curl/curl.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#ifdef __linux__
// Swift's module of the C library does not have them.
#include <sys/epoll.h>
#include <sys/eventfd.h>

// Constants of an enumeration in some C libraries, macros in others: two types in Swift.
static const uint32_t weir_epoll_in = EPOLLIN;
static const uint32_t weir_epoll_out = EPOLLOUT;
static const uint32_t weir_epoll_broken = EPOLLERR | EPOLLHUP;
#endif

#if LIBCURL_VERSION_NUM < 0x075100
#error "WeirCurl needs libcurl 7.81 or later."
#endif

// The type checks of curl's header are macros around these calls, and add nothing here.
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt
#undef curl_share_setopt

static inline CURLcode weir_curl_set_long(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode weir_curl_set_offset(CURL *handle, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(handle, option, value);
}

// libcurl copies the text.
static inline CURLcode weir_curl_set_text(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode weir_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode weir_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *list) {
  return curl_easy_setopt(handle, option, list);
}

// Header, body, and request body share one type of function.
typedef size_t (*weir_curl_transfer)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode weir_curl_set_transfer(CURL *handle, CURLoption option,
                                              weir_curl_transfer function) {
  return curl_easy_setopt(handle, option, function);
}

typedef int (*weir_curl_seek)(void *context, curl_off_t offset, int origin);

static inline CURLcode weir_curl_set_seek(CURL *handle, weir_curl_seek function) {
  return curl_easy_setopt(handle, CURLOPT_SEEKFUNCTION, function);
}

// The options by name exist from 7.85 on, and the older ones are deprecated from then on.
static inline void weir_curl_allow_http_only(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075500
  curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(handle, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
#else
  curl_easy_setopt(handle, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
  curl_easy_setopt(handle, CURLOPT_REDIR_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

// From 7.87 on, ending a request does not wait for the system's resolver.
static inline void weir_curl_end_quickly(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075700
  curl_easy_setopt(handle, CURLOPT_QUICK_EXIT, 1L);
#else
  (void)handle;
#endif
}

// The system ends a connection whose peer acknowledges nothing for this long; by default, Linux waits for
// a quarter of an hour. Over HTTP/2, new requests would share the dead connection until then.
static inline void weir_curl_limit_silence(curl_socket_t socket, unsigned int seconds) {
#ifdef TCP_USER_TIMEOUT
  unsigned int milliseconds = seconds * 1000;
  setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &milliseconds, sizeof(milliseconds));
#elif defined(TCP_RXT_CONNDROPTIME)
  setsockopt(socket, IPPROTO_TCP, TCP_RXT_CONNDROPTIME, &seconds, sizeof(seconds));
#else
  (void)socket;
  (void)seconds;
#endif
}

// Programs that the process starts must not inherit connections: they would keep them open.
static inline curl_socket_t weir_curl_open_socket(void *context, curlsocktype purpose,
                                                  struct curl_sockaddr *address) {
  (void)context;
  (void)purpose;
#ifdef SOCK_CLOEXEC
  curl_socket_t made =
      socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
#else
  curl_socket_t made = socket(address->family, address->socktype, address->protocol);
  if (made >= 0) fcntl(made, F_SETFD, FD_CLOEXEC);
#endif
  if (made >= 0) weir_curl_limit_silence(made, 90);
  return made;
}

static inline void weir_curl_keep_from_children(CURL *handle) {
  curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, weir_curl_open_socket);
}

// The version that runs, such as 0x075801 for 7.88.1.
static inline unsigned int weir_curl_version(void) {
  return curl_version_info(CURLVERSION_NOW)->version_num;
}

// Whether libcurl was built without knowing where a system has its certificates, as for another system.
// Unknown before 7.84, and then taken for no.
static inline int weir_curl_lacks_authorities(void) {
  int lacks = 0;
#if LIBCURL_VERSION_NUM >= 0x075400
  CURL *handle = curl_easy_init();
  char *file = NULL, *folder = NULL;
  if (!handle) return 0;
  lacks = curl_easy_getinfo(handle, CURLINFO_CAINFO, &file) == CURLE_OK && !file &&
          curl_easy_getinfo(handle, CURLINFO_CAPATH, &folder) == CURLE_OK && !folder;
  curl_easy_cleanup(handle);
#endif
  return lacks;
}

static inline CURLcode weir_curl_info_long(CURL *handle, CURLINFO info, long *value) {
  return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode weir_curl_info_offset(CURL *handle, CURLINFO info, curl_off_t *value) {
  return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode weir_curl_info_pointer(CURL *handle, CURLINFO info, void **value) {
  return curl_easy_getinfo(handle, info, value);
}

// The socket of a connection that the caller uses by itself.
static inline curl_socket_t weir_curl_active_socket(CURL *handle) {
  curl_socket_t socket = CURL_SOCKET_BAD;
  curl_easy_getinfo(handle, CURLINFO_ACTIVESOCKET, &socket);
  return socket;
}

// Called before each time that libcurl sends the request. The other arguments are addresses and ports.
typedef int (*weir_curl_before_sending)(void *context, char *, char *, int, int);

static inline CURLcode weir_curl_set_before_sending(CURL *handle,
                                                    weir_curl_before_sending function) {
  return curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, function);
}

static inline CURLSHcode weir_curl_share(CURLSH *share, curl_lock_data data) {
  return curl_share_setopt(share, CURLSHOPT_SHARE, data);
}

static inline CURLMcode weir_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

// Called when libcurl wants other events of a socket.
typedef int (*weir_curl_watch)(CURL *handle, curl_socket_t socket, int events, void *context,
                               void *socket_context);

// Called when libcurl wants to be called at another time, in milliseconds from now; -1 for never.
typedef int (*weir_curl_timer)(CURLM *multi, long milliseconds, void *context);

static inline void weir_curl_multi_set_events(CURLM *multi, weir_curl_watch watch,
                                              weir_curl_timer timer, void *context) {
  curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, watch);
  curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
  curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, timer);
  curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
}

// The end of a transfer, without the union that Swift would have to know.
static inline CURL *weir_curl_next_end(CURLM *multi, CURLcode *code) {
  int left;
  CURLMsg *message;
  while ((message = curl_multi_info_read(multi, &left))) {
    if (message->msg == CURLMSG_DONE) {
      *code = message->data.result;
      return message->easy_handle;
    }
  }
  return NULL;
}
