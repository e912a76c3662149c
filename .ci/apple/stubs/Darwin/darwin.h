#pragma once
#pragma clang assume_nonnull begin
typedef unsigned long size_t; typedef long ssize_t; typedef int pid_t; typedef unsigned short mode_t; typedef long long off_t; typedef int dev_t; typedef unsigned long long ino_t; typedef unsigned int uid_t, gid_t;
typedef struct _opaque_pthread_mutex_t { long __sig; char __opaque[56]; } pthread_mutex_t;
typedef struct _opaque_pthread_mutexattr_t { long __sig; char __opaque[8]; } pthread_mutexattr_t;
int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t * _Nullable); int pthread_mutex_destroy(pthread_mutex_t *);
int pthread_mutex_lock(pthread_mutex_t *); int pthread_mutex_unlock(pthread_mutex_t *);
void *_Nullable malloc(size_t); void *_Nullable realloc(void *_Nullable, size_t); void free(void *_Nullable);
int memcmp(const void *, const void *, size_t); void *memcpy(void *, const void *, size_t); void *_Nullable memchr(const void *, int, size_t);
void *memset(void *, int, size_t); void *memmove(void *, const void *, size_t); size_t strlen(const char *);
extern int errno __attribute__((swift_attr("nonisolated(unsafe)")));
int close(int); int unlink(const char *); int rename(const char *, const char *); int usleep(unsigned int); pid_t getpid(void); int kill(pid_t, int);
_Noreturn void exit(int); char *_Nullable getenv(const char *); int isatty(int); int dup(int);
struct timespec { long tv_sec; long tv_nsec; };
struct stat { dev_t st_dev; mode_t st_mode; unsigned short st_nlink; ino_t st_ino; uid_t st_uid; gid_t st_gid; dev_t st_rdev; struct timespec st_atimespec, st_mtimespec, st_ctimespec, st_birthtimespec; off_t st_size; long long st_blocks; int st_blksize; unsigned st_flags, st_gen; int st_lspare; long long st_qspare[2]; };
int stat(const char *, struct stat *); int fstat(int, struct stat *);
struct flock { off_t l_start; off_t l_len; pid_t l_pid; short l_type; short l_whence; };
int flock(int, int); int chmod(const char *, mode_t);
#define O_RDONLY 0
#define O_WRONLY 1
#define O_RDWR 2
#define O_NOFOLLOW 0x100
#define O_CREAT 0x200
#define O_EXCL 0x800
#define O_CLOEXEC 0x01000000
#define LOCK_EX 2
#define LOCK_NB 4
#define LOCK_UN 8
#define EPERM 1
#define ENOENT 2
#define ESRCH 3
#define EMSGSIZE 40
#define EACCES 13
#define EAGAIN 35
#define EWOULDBLOCK EAGAIN
#define ENOSPC 28
#define EROFS 30
#define EFBIG 27
#define EDQUOT 69
double pow(double,double); double log(double); double exp(double); double floor(double); double ceil(double); double log10(double); int sched_yield(void);
unsigned int arc4random(void);
#pragma clang assume_nonnull end
#pragma clang assume_nonnull begin
typedef unsigned char sa_family_t; typedef unsigned int socklen_t; typedef unsigned short in_port_t; typedef unsigned int in_addr_t;
struct sockaddr { unsigned char sa_len; sa_family_t sa_family; char sa_data[14]; };
struct in_addr { in_addr_t s_addr; };
struct sockaddr_in { unsigned char sin_len; sa_family_t sin_family; in_port_t sin_port; struct in_addr sin_addr; char sin_zero[8]; };
#define AF_INET 2
#define SOCK_STREAM 1
#define SHUT_RDWR 2
#define IPPROTO_TCP 6
#define TCP_NODELAY 0x01
#define SOL_SOCKET 0xffff
#define SO_NOSIGPIPE 0x1022
int socket(int,int,int); int connect(int, const struct sockaddr * _Nullable, socklen_t); int bind(int, const struct sockaddr *_Nullable, socklen_t); int listen(int,int); int accept(int, struct sockaddr *_Nullable, socklen_t *_Nullable);
int getsockname(int, struct sockaddr *_Nullable, socklen_t *_Nullable); int setsockopt(int,int,int,const void *_Nullable, socklen_t); int shutdown(int,int);
ssize_t recv(int, void *_Nullable, size_t, int); ssize_t send(int, const void *_Nullable, size_t, int);
typedef unsigned long long rlim_t; struct rlimit { rlim_t rlim_cur, rlim_max; }; int setrlimit(int, const struct rlimit *);
#define RLIMIT_FSIZE 1
#define RLIMIT_NOFILE 8
typedef unsigned int clockid_t;
static const clockid_t CLOCK_PROCESS_CPUTIME_ID = 12;
int clock_gettime(clockid_t, struct timespec *);
int getrlimit(int, struct rlimit *);
#define SIGXFSZ 25
int setuid(uid_t); uid_t getuid(void); long sysconf(int);
#define _SC_PAGESIZE 29
typedef unsigned int sigset_t; int sigfillset(sigset_t *); int sigdelset(sigset_t *, int); int pthread_sigmask(int, const sigset_t *_Nullable, sigset_t *_Nullable);
#define SIG_BLOCK 1
#define SIGILL 4
#define SIGTRAP 5
#define SIGFPE 8
#define SIGBUS 10
#define SIGSEGV 11
#define SIGSYS 12
int pipe(int *);
struct pollfd { int fd; short events; short revents; }; typedef unsigned int nfds_t;
int poll(struct pollfd *_Nullable, nfds_t, int);
#define POLLIN 0x0001
#define POLLOUT 0x0004
#define POLLERR 0x0008
#define POLLHUP 0x0010
#define F_SETFD 2
#define F_SETFL 4
#define FD_CLOEXEC 1
#define O_NONBLOCK 0x00000004
ssize_t read(int, void *, size_t); ssize_t write(int, const void *, size_t);
unsigned sleep(unsigned); int atexit(void (*)(void));
#define ENETDOWN 50
#define ENETUNREACH 51
#pragma clang assume_nonnull end
