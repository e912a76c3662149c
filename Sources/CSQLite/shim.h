#if !__has_include(<sqlite3.h>)
#error "Install libsqlite3-dev (apt) or sqlite-devel (dnf)."
#endif

#include <sqlite3.h>

/* Forbids SQL to damage the file's structure, also by a hostile schema. Swift cannot call
   sqlite3_db_config, whose arguments vary. */
static inline int weir_set_defensive(sqlite3 *connection, int is_on) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, is_on, (int *)0);
}
