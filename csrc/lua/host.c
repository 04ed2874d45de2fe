// collide, MIT licence (see LICENSE)
//
// System functions that plain Lua lacks: a clock that never runs backwards, whether a stream is a
// terminal, new folders, and a module that stays loaded. Layer: lua.

#if !defined(_WIN32) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE // for dladdr, which POSIX has only since 2024
#endif

#include "lua/binding.h" // before Windows' headers, which define near and far

#if defined(__GNUC__)
#pragma GCC visibility push(default) // these headers' functions are not ours
#endif
#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <direct.h>
#include <io.h>
#include <windows.h>
#else
#include <dlfcn.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#endif
#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#ifdef _WIN32

static double seconds(void) {
  LARGE_INTEGER now, per;
  QueryPerformanceCounter(&now);
  QueryPerformanceFrequency(&per);
  return (double)now.QuadPart / (double)per.QuadPart;
}

static int is_terminal(FILE *file) { return _isatty(_fileno(file)); }

static int make_folder(const char *path) { return _mkdir(path); }

static void stay_loaded(const void *inside) {
  HMODULE module;
  GetModuleHandleExA(GET_MODULE_HANDLE_EX_FLAG_PIN | GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS, inside,
                     &module);
}

#else

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int is_terminal(FILE *file) { return isatty(fileno(file)); }

static int make_folder(const char *path) { return mkdir(path, 0777); }

static void stay_loaded(const void *inside) {
#if defined(__EMSCRIPTEN__) || defined(CL_STAYS_LOADED)
  (void)inside; // in a browser everything is one module; the Makefile links with -z nodelete
#else
  // The handle is never closed. In glibc 2.34 dlopen moved to another library, so a core linked
  // with a later glibc does not run with an earlier one. Builds by LuaRocks need not do so.
  Dl_info info;
  if (dladdr(inside, &info)) (void)dlopen(info.dli_fname, RTLD_LAZY);
#endif
}

#endif

// core.clock() -> seconds since some fixed moment
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

// core.makeFolder(path): makes one folder; its parent must exist. It reports no failure: writing a
// file there does.
static int host_make_folder(lua_State *L) {
  (void)make_folder(luaL_checkstring(L, 1));
  return 0;
}

static const luaL_Reg functions[] = {
    {"clock", host_clock},
    {"isatty", host_isatty},
    {"makeFolder", host_make_folder},
    {NULL, NULL},
};

void cll_open_host(lua_State *L) {
  // Lua 5.1 and LuaJIT unload a module at exit, before older finalisers and before those of objects
  // that finalisers make: these would call unloaded code.
  stay_loaded(functions);
  cll_setfuncs(L, functions);
}
