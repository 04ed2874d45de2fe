// collide, MIT licence (see LICENSE)
//
// Checking arguments: every mistake is reported in the same words,
//   <function>: <argument> expected (<type and range>), got <value>
//   <function> takes <what>, got <n> arguments
// with the position of the call in front. Layer: lua.

#ifndef CL_LUA_CHECK_H
#define CL_LUA_CHECK_H

#include <stdbool.h>

#include "lua/compat.h"

/// Pushes how a message calls the value at `index`: numbers bare where a
/// number is wanted, since the type then says nothing.
void cll_push_described(lua_State *L, int index, bool number_wanted);

/// Pushes what the value at `index` is called if it is one of the library's own objects;
/// else pushes nothing and returns false.
bool cll_push_own_name(lua_State *L, int index);

/// Raises a message with the position of the user's call in front. It takes of formats what
/// lua_pushfstring does.
int cll_error(lua_State *L, const char *format, ...);

/// Raises an error: argument `name` of `function`, at `index`, is not as expected.
int cll_fail(lua_State *L, const char *function, const char *name, const char *expected, int index);

/// Raises when more than `most` arguments were given; `takes` says in words
/// what the function does take. For one too few, its own check names it.
void cll_takes(lua_State *L, const char *function, const char *takes, int most, int given);

/// A finite number within ±CL_MAX_COORD; one above 0 as well; an angle within
/// ±CL_MAX_ANGLE; true or false.
double cll_coordinate(lua_State *L, const char *function, const char *name, int index);
double cll_size(lua_State *L, const char *function, const char *name, int index);
double cll_angle(lua_State *L, const char *function, const char *name, int index);
bool cll_boolean(lua_State *L, const char *function, const char *name, int index);

/// A whole number from `least` to `most`, or an error that says what was expected.
double cll_check_whole(lua_State *L, const char *function, const char *name, int index,
                       double least, double most, const char *expected);

/// Raises where a function of the module has been called with a colon: its first argument
/// is the module.
void cll_check_dot(lua_State *L, const char *function);

/// Raises that there is no memory.
int cll_no_memory(lua_State *L);

/// core.describe(value, numberWanted) -> text
/// core.ownName(value) -> its name if it is one of the library's objects
/// core.raise(message): as cll_error
/// core.checkDot(first, function): as cll_check_dot
/// core.setModule(collide): what it compares with
/// core.setHome(prefix): chunks whose names begin so are the library's own
int cll_describe(lua_State *L);
int cll_own_name_of(lua_State *L);
int cll_raise(lua_State *L);
int cll_dot_of(lua_State *L);
int cll_set_module(lua_State *L);
int cll_set_home(lua_State *L);

#endif
