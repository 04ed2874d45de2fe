// collide, MIT licence (see LICENSE)
//
// Checks of arguments. Every mistake is reported in the same form, after the position of the call:
//   <function>: <argument> expected (<type and range>), got <value>
//   <function> takes <what>, got <n> arguments
// Layer: lua.

#ifndef CL_LUA_CHECK_H
#define CL_LUA_CHECK_H

#include "lua/compat.h"

/// Pushes the text for the value at `index` in a message: a number without its type if a number is
/// wanted, because the type adds nothing then.
void cll_push_described(lua_State *L, int index, bool number_wanted);

/// Pushes the name of the value at `index` in messages if it is one of the library's own objects;
/// else pushes nothing and returns false.
bool cll_push_own_name(lua_State *L, int index);

/// Raises a message after the position of the user's call. It accepts the formats of
/// lua_pushfstring. Like all here that always raise, it has a result only so that a function of
/// Lua's can say `return cll_error(…)`.
_Noreturn int cll_error(lua_State *L, const char *format, ...);

/// Raises an error: argument `name` of `function`, at `index`, is not as expected.
_Noreturn int cll_fail(lua_State *L, const char *function, const char *name, const char *expected,
                       int index);

/// Raises if there are more than `most` arguments; `takes` is the text for what the function takes.
/// If there is one too few, the check of that argument reports it.
void cll_takes(lua_State *L, const char *function, const char *takes, int most, int given);

/// A finite number within ±CL_MAX_COORD; the same above 0; an angle within ±CL_MAX_ANGLE; true or
/// false.
double cll_coordinate(lua_State *L, const char *function, const char *name, int index);
double cll_size(lua_State *L, const char *function, const char *name, int index);
double cll_angle(lua_State *L, const char *function, const char *name, int index);
bool cll_boolean(lua_State *L, const char *function, const char *name, int index);

/// A whole number from `least` to `most`; raises an error that names the range.
double cll_check_whole(lua_State *L, const char *function, const char *name, int index,
                       double least, double most, const char *expected);

/// Raises if a function of the module was called with a colon: then its first argument is the
/// module.
void cll_check_dot(lua_State *L, const char *function);

/// Raises the error for lack of memory.
_Noreturn int cll_no_memory(lua_State *L);

/// core.describe(value, numberWanted) -> text
/// core.ownName(value) -> its name if it is one of the library's objects
/// core.raise(message): like cll_error
/// core.checkDot(first, function): like cll_check_dot
/// core.setModule(collide): the module for that check
/// core.setHome(prefix): chunks with names that begin with it are the library's own
int cll_describe(lua_State *L);
int cll_own_name_of(lua_State *L);
int cll_raise(lua_State *L);
int cll_dot_of(lua_State *L);
int cll_set_module(lua_State *L);
int cll_set_home(lua_State *L);

/// Numbers that the Lua side has checked, read in their order: x, y; and l, t, r, b.
static inline cl_vec cll_check_vec(lua_State *L, int index) {
  double x = luaL_checknumber(L, index), y = luaL_checknumber(L, index + 1);
  return (cl_vec){x, y};
}
static inline cl_bounds cll_check_bounds(lua_State *L, int index) {
  cl_vec lt = cll_check_vec(L, index), rb = cll_check_vec(L, index + 2);
  return (cl_bounds){lt.x, lt.y, rb.x, rb.y};
}

#endif
