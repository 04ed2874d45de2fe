// collide, MIT licence (see LICENSE)
//
// The little that scripts need of the system and plain Lua does not give: a
// clock that never runs backwards, and whether somebody watches. Layer: lua.

#if !defined(_WIN32) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <io.h>
#include <windows.h>
#else
#include <time.h>
#include <unistd.h>
#endif

#include "lua/host.h"

#ifdef _WIN32

static double seconds(void) {
  LARGE_INTEGER now, per;
  QueryPerformanceCounter(&now);
  QueryPerformanceFrequency(&per);
  return (double)now.QuadPart / (double)per.QuadPart;
}

static int is_terminal(FILE *file) { return _isatty(_fileno(file)); }

#else

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int is_terminal(FILE *file) { return isatty(fileno(file)); }

#endif

// core.clock() -> seconds since some moment
static int host_clock(lua_State *L) {
  lua_pushnumber(L, seconds());
  return 1;
}

// core.isatty("stdout" or "stderr") -> boolean
static int host_isatty(lua_State *L) {
  FILE *file = strcmp(luaL_checkstring(L, 1), "stdout") ? stderr : stdout;
  lua_pushboolean(L, is_terminal(file));
  return 1;
}

static const luaL_Reg functions[] = {
    {"clock", host_clock},
    {"isatty", host_isatty},
    {NULL, NULL},
};

void cll_open_host(lua_State *L) { cll_setfuncs(L, functions); }
