// collide, MIT licence (see LICENSE)
//
// Declarations that the files of the binding share. There is a file for each type that Lua sees,
// and some for the methods of a world's core: world.c, step.c, move.c, queries.c, snapshot.c. Below
// them is object.c, the classes of userdata; below that check.c, arguments and messages about them.
// Above them is core.c, the module.
//
// A game calls methods of shapes, grids, bitmaps and pools, and constructors of shapes, directly:
// these check all their arguments, and their messages have the form that check.c describes. The
// other functions are called by the files of lua/collide/, which check a game's arguments first,
// because LuaJIT compiles those checks: here only arguments that could do harm are checked. Numbers
// of queries are the exception: they are checked only here, under the names that games call.
//
// Two rules hold everywhere. An error jumps past all C code: memory that must not leak belongs to
// an object on Lua's stack before anything can raise. Making an object may start the collector,
// whose finalisers may use this library: read or fetch the core's data only after that.
// Layer: lua.

#ifndef CL_LUA_BINDING_H
#define CL_LUA_BINDING_H

#include "base/config.h"

#if defined(__GNUC__)
#pragma GCC visibility push(default) // these functions are Lua's, not ours
#endif
#include <lauxlib.h>
#include <lua.h>
// It does not return: Lua's headers, which are C89, cannot say so.
LUA_API _Noreturn int(lua_error)(lua_State *L);
LUALIB_API _Noreturn int(luaL_argerror)(lua_State *L, int index, const char *message);
#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#include "base/alloc.h"
#include "base/tol.h"
#include "cells/grid.h"
#include "geom/shape.h"

// One source for Lua 5.1 to 5.5 and LuaJIT ----------------------------------------------------

/// Whole numbers up to this are exact as doubles: 2^53.
#define CLL_MOST_EXACT 9007199254740992.0

/// Adds functions from a list that ends in {NULL, NULL} to the table on top.
static inline void cll_setfuncs(lua_State *L, const luaL_Reg *reg) {
  for (; reg->name; reg++) {
    lua_pushcfunction(L, reg->func);
    lua_setfield(L, -2, reg->name);
  }
}

/// The number of elements of a table, without metamethods.
static inline size_t cll_rawlen(lua_State *L, int index) {
#if LUA_VERSION_NUM >= 502
  return (size_t)lua_rawlen(L, index);
#else
  return lua_objlen(L, index);
#endif
}

/// Pushes a whole number within ±2^53: as an integer if Lua has them.
static inline void cll_pushwhole(lua_State *L, double v) {
#if LUA_VERSION_NUM >= 503
  lua_pushinteger(L, (lua_Integer)v);
#else
  lua_pushnumber(L, v);
#endif
}

/// Push some numbers; a hit's normal and depth; and a slot as Lua counts it, from 1. The first two
/// return how many values they have pushed.
static inline int cll_push_numbers(lua_State *L, int count, const double *v) {
  for (int i = 0; i < count; i++) lua_pushnumber(L, v[i]);
  return count;
}
static inline int cll_push_hit(lua_State *L, const cl_hit *hit) {
  return cll_push_numbers(L, 3, (const double[]){hit->nx, hit->ny, hit->depth});
}
static inline void cll_push_slot(lua_State *L, uint32_t slot) {
  lua_pushinteger(L, (lua_Integer)slot + 1);
}

/// The number at `index`, NaN for any other value.
static inline double cll_to_number(lua_State *L, int index) {
  return lua_type(L, index) == LUA_TNUMBER ? lua_tonumber(L, index) : NAN;
}

/// Cuts the list at `index` off after `count` values: from the end, so that it never has a hole.
static inline void cll_cut(lua_State *L, int index, size_t count) {
  for (size_t i = cll_rawlen(L, index); i > count; i--) {
    lua_pushnil(L);
    lua_rawseti(L, index, (int)i);
  }
}

/// Replaces the key on top by its value in the table at index `t`, without metamethods;
/// returns its type.
static inline int cll_rawget(lua_State *L, int t) {
#if LUA_VERSION_NUM >= 503
  return lua_rawget(L, t);
#else
  lua_rawget(L, t);
  return lua_type(L, -1);
#endif
}

/// Pushes t[k] for the table at index `t` and the key at index `k`, with metamethods; returns its
/// type. Most fields are present, and are read raw, which avoids Lua's preparations for a
/// metamethod call.
static inline int cll_gettable(lua_State *L, int t, int k) {
  lua_pushvalue(L, k);
  int type = cll_rawget(L, t);
  if (type != LUA_TNIL || !lua_getmetatable(L, t)) return type;
  lua_pop(L, 2);
  lua_pushvalue(L, k);
  lua_gettable(L, t);
  return lua_type(L, -1);
}

/// t[name] = v for the table t on top.
static inline void cll_set_number(lua_State *L, const char *name, double v) {
  lua_pushnumber(L, v);
  lua_setfield(L, -2, name);
}
static inline void cll_set_whole(lua_State *L, const char *name, double v) {
  cll_pushwhole(L, v);
  lua_setfield(L, -2, name);
}

// Messages and arguments: check.c ---------------------------------------------------------------

/// Pushes the text for the value at `index` in a message. If a number is wanted, a number is shown
/// without its type.
void cll_push_described(lua_State *L, int index, bool number_wanted);

/// Pushes the name of the value at `index` in messages if it is one of the library's own objects;
/// else pushes nothing and returns false.
bool cll_push_own_name(lua_State *L, int index);

/// Raises a message, prefixed with the position of the user's call. It accepts the formats of
/// lua_pushfstring. Functions that always raise have a result only so that a C function for Lua can
/// say `return cll_error(…)`.
_Noreturn int cll_error(lua_State *L, const char *format, ...);

/// Raises an error: argument `name` of `function`, at `index`, is not as expected.
_Noreturn int cll_fail(lua_State *L, const char *function, const char *name, const char *expected,
                       int index);

/// Raises the error for lack of memory.
_Noreturn int cll_no_memory(lua_State *L);

/// Raises if there are more than `most` arguments; `takes` says in words what the function takes.
/// A missing argument is reported by the check of that argument.
void cll_takes(lua_State *L, const char *function, const char *takes, int most, int given);

/// Whether the value at `index`, of this type, is a number within ±most, not NaN. Writes it.
static inline bool cll_within(lua_State *L, int index, int type, double most, double *to) {
  if (type != LUA_TNUMBER) return false;
  *to = lua_tonumber(L, index);
  return *to >= -most && *to <= most;
}

/// The kinds of arguments. Most are numbers in a range: check.c has their limits and texts.
typedef enum cll_kind {
  CLL_COORDINATE,
  CLL_POSITIVE,
  CLL_SIZE,
  CLL_EXTENT,
  CLL_ANGLE,
  CLL_TURN,
  CLL_THRESHOLD,
  CLL_WHOLE,
  CLL_BULLET,
  CLL_AMOUNT,
  CLL_NUMBER,
  CLL_FINITE,
  CLL_GROUP,  ///< the number of a group
  CLL_GROUPS, ///< the number of a group, or of all groups
  CLL_ANY,    ///< any value: the function reads it itself
  CLL_FLAG,   ///< true or false, as 1 or 0; nil is false
  CLL_LIVE,   ///< for a core's methods: the slot of a live actor, given from 1, read from 0
  CLL_TABLE,  ///< a table: the function reads it itself
} cll_kind;

/// The number at `index`, argument `name` of `function`; raises if it is not in its range.
double cll_number(lua_State *L, const char *function, const char *name, cll_kind kind, int index);

/// A call of a cll_function: the function's name for messages, the object whose method it is, and
/// the arguments as numbers. A core's methods have the core and its world.
typedef struct cll_call {
  const char *fn;
  void *self;
  struct cll_world *core;
  cl_world *world;
  double v[14];
} cll_call;

/// A function. Its arguments are read and checked by their description before `call` is called.
/// `name` and `takes`, what it takes in words, are for messages. Internal functions have no
/// `takes`, and surplus arguments are not reported. `arguments` describes each argument by its
/// name, then ":" and its kind if that is not "coordinate", then "?" if it is optional. Arguments
/// in brackets are left out, and 0, unless more arguments are given than those after the brackets:
/// "[x y] w:size h:size".
typedef struct cll_function {
  int (*call)(lua_State *L, const cll_call *c);
  const char *name, *takes, *arguments;
} cll_function;

/// Adds functions, up to one without a name, to the table on top. They are closures of the C
/// function `enter`. Upvalue 1 is the metatable at index `metatable`, as for methods, unless that
/// is 0; upvalue 2 is the function.
void cll_set_functions(lua_State *L, const cll_function *f, lua_CFunction enter, int metatable);

/// For the running C function `enter`: the first returns its function, the second reads the
/// arguments from `index` on and calls it. Too many arguments are reported first; by a pool last.
static inline const cll_function *cll_running(lua_State *L) {
  return lua_touserdata(L, lua_upvalueindex(2));
}
int cll_enter(lua_State *L, const cll_function *f, int index, void *self, bool is_pool);

/// `enter` for the methods of a world's core: raises if it is none or closed.
int cll_enter_core(lua_State *L);

/// `enter` for functions of the module: raises if one is called with a colon.
int cll_enter_dot(lua_State *L);

/// A whole number from `least` to `most`; true or false.
int64_t cll_whole(lua_State *L, const char *function, const char *name, int index, int64_t least,
                  int64_t most);
bool cll_boolean(lua_State *L, const char *function, const char *name, int index);

/// Raises if a function of the module was called with a colon: then its first argument is the
/// module.
void cll_check_dot(lua_State *L, const char *function);

// Objects: object.c -----------------------------------------------------------------------------

/// The classes. Each has its own metatable, which scripts cannot reach.
#define CLL_SHAPE "collide.Shape"
#define CLL_GRID "collide.Grid"
#define CLL_BITMAP "collide.Bitmap"
#define CLL_PLAN "collide.Plan"
#define CLL_WORLD "collide.core.world"
#define CLL_SNAPSHOT "collide.core.snapshot"

/// The __name of every object that has been collected.
#define CLL_COLLECTED "collide.collected"

/// The default allocator; it counts bytes for the Lua state, see cll_push_object.
cl_alloc cll_alloc(lua_State *L);

/// Begins a class: pushes its metatable and a table for its methods. cll_end_class pops both. `gc`
/// gets the object from cll_collect and frees its contents, which may still be empty; `tostring`
/// may be NULL.
void cll_begin_class(lua_State *L, const char *name);
void cll_end_class(lua_State *L, const char *name, lua_CFunction gc, lua_CFunction tostring);

/// Pushes an object of the class, `size` zeroed bytes. The class's `gc` will be called with it in
/// any case. First the collector advances by the bytes that cll_alloc has allocated since the last
/// object, less those freed without the collector: it does not see them, and must work as if Lua
/// had allocated them. A collector that the game has stopped stays stopped.
void *cll_push_object(lua_State *L, const char *name, size_t size);

/// The object that a class's `gc` is called with. Finalisers may still reach it later: from now on
/// it belongs to no class, so cll_to_object never returns it.
void *cll_collect(lua_State *L, const char *name);

/// The object of the class at `index`, or NULL. It lives as long as the value.
static inline void *cll_to_object(lua_State *L, int index, const char *name) {
  void *object = lua_touserdata(L, index);
  if (!object || lua_islightuserdata(L, index) || !lua_getmetatable(L, index)) return NULL;
  luaL_getmetatable(L, name);
  bool same = lua_rawequal(L, -1, -2);
  lua_pop(L, 2);
  return same ? object : NULL;
}

/// Adds methods, up to one without a name, to the table on top, each with the metatable at index
/// `metatable` as upvalue 1.
void cll_set_methods(lua_State *L, const luaL_Reg *reg, int metatable);

/// The object that the running method was called on, NULL if it is not of the method's class.
static inline void *cll_self(lua_State *L) {
  if (lua_type(L, 1) != LUA_TUSERDATA || !lua_getmetatable(L, 1)) return NULL;
  bool same = lua_rawequal(L, -1, lua_upvalueindex(1));
  lua_pop(L, 1);
  return same ? lua_touserdata(L, 1) : NULL;
}

/// The grid at `index`, or NULL. It lives as long as the value, or longer if retained.
static inline cl_grid *cll_to_grid(lua_State *L, int index) {
  cl_grid **box = cll_to_object(L, index, CLL_GRID);
  return box ? *box : NULL;
}

/// The shape at `index`, or NULL. It lives as long as the value.
static inline cl_shape *cll_to_shape(lua_State *L, int index) {
  cl_shape **box = cll_to_object(L, index, CLL_SHAPE);
  return box ? *box : NULL;
}

/// Pushes an empty shape object, and returns the place for its shape. The object releases it.
cl_shape **cll_push_shape(lua_State *L);

/// The shape at `index`; and the placed shape of the four arguments from there on: shape, x, y,
/// angle. Both raise if there is no shape.
cl_shape *cll_check_shape(lua_State *L, int index);
cl_placed cll_check_placed(lua_State *L, int index);

/// How many actors a ray of the accelerator (lua/collide/ffi) may ignore. The method casts others.
#define CLL_RAY_IGNORED 64

/// How many numbers cll_stride takes.
#define CLL_STRIDE 29

/// The userdata that a Lua World owns. Through its address, the accelerator reads and writes `io`
/// and `dispatched`, casts rays and moves actors. It writes the slots that a ray ignores to
/// `rays_ignore`, which is `few`. `dispatched` is the progress of the dispatch, as for
/// cl_world_step. `world` is NULL until it is made and after it has been closed. Only queries.c
/// uses `ignored`.
typedef struct cll_world cll_world;
struct cll_world {
  cl_io io;
  double dispatched;
  int32_t (*ray_cast)(cll_world *, double low, double high, int32_t count, double x1, double y1,
                      double x2, double y2); ///< cll_ray_cast
  uint32_t *rays_ignore;
  cl_cast cast;         ///< the result of ray_cast,
  uint32_t cast_member; ///< and the member that it hit, 0 for none
  int32_t (*move_now)(cll_world *, double slot, double x, double y, double angle, double dx,
                      double dy, double group, double response, double asks); ///< cll_move_now
  int32_t (*move_on)(cll_world *, double said);                               ///< cll_move_on
  int32_t (*move_commit)(cll_world *);                                        ///< cll_move_commit
  int32_t (*stride)(cll_world *);                                             ///< cll_stride
  double *stride_in;                                                          ///< `striding`
  cl_vec moved;      ///< the result of move_now and of stride
  cl_move_ask asked; ///< the question of a waiting move
  const cl_move_hit *move_hit;
  bool along; ///< whether the way of `stride` was along the floor
  cl_world *world;
  cl_pools *pools; ///< of bullets in that world
  uint32_t *ignored;
  size_t ignored_room;
  uint32_t few[CLL_RAY_IGNORED];
  double striding[CLL_STRIDE];
  uint32_t moves;   ///< counts the moves that were computed
  size_t move_hits; ///< how many `move_hit` points to
};

/// The core that the running method was called on; raises if it is not a core, or closed.
cll_world *cll_check_world(lua_State *L);

/// A front is a method of a World that handles the usual arguments in C, in one call. All other
/// calls, and wrong ones, go on to the Lua method of that name. Its upvalues: the metatable of
/// cores, that method, the key of a World's list of CLL_DIRECT_…, and the front's own. There are
/// none before Lua 5.3, where a filter cannot yield through C; and LuaJIT compiles the Lua methods.
#define CLL_HAS_FRONTS (LUA_VERSION_NUM >= 503)
enum { CLL_FRONT_SLOW = 2, CLL_FRONT_KEY, CLL_FRONT_OWN };
enum {
  CLL_DIRECT_CORE = 1, ///< the userdata
  CLL_DIRECT_ACTORS,   ///< by slot
  CLL_DIRECT_SLOTS,    ///< by actor
  CLL_DIRECT_GROUPS,   ///< numbers by name
  CLL_DIRECT_X,        ///< the names of fields, the next two likewise
  CLL_DIRECT_Y,
  CLL_DIRECT_ANGLE, ///< or false
  CLL_DIRECT_SPARE, ///< records of hits that are in no list
};

/// Pushes the list of the World at index 1, and returns its core. If it is no open World, returns
/// NULL, and the top of the stack is undefined.
cll_world *cll_front_world(lua_State *L);

/// Reads a whole number from one of these lists, CLL_DIRECT_SLOTS or CLL_DIRECT_GROUPS, by the key
/// at index `key`; `direct` is the index of the list of lists. False if it is not there. It leaves
/// two values on the stack.
bool cll_front_number(lua_State *L, int direct, int list, int key, double *v);

/// Goes on in Lua with the first `top` values of the stack, the arguments of the front.
int cll_front_slow(lua_State *L, int top);

/// Pushes the front `f` for the method in Lua at index 1; its `own` upvalues are above that.
int cll_push_front(lua_State *L, lua_CFunction f, int own);

/// Gives the list at `index` its own records, `count` of them. At `index` + 1 is a list of unused
/// records; the table at `index` + 2 maps each record to its list. lua/collide/world/queries.lua
/// explains why. True if it made any: then finalisers may have run.
bool cll_fit_records(lua_State *L, int index, size_t count);

/// The slot, from 0, of the argument at `index`, which counts from 1; raises if it is not live.
uint32_t cll_check_live(lua_State *L, const cll_world *c, int index);

/// The userdata of a pool. It keeps the world's core alive, so `world` stays valid.
typedef struct cll_bullets {
  cl_bullets *pool;       ///< NULL if it has been removed
  cl_world *const *world; ///< points to NULL if the world has been closed
  double (*spawn)(struct cll_bullets *, double x, double y, double vx, double vy, double tag);
} cll_bullets;

/// The class of a pool's userdata.
#define CLL_POOL "collide.core.pool"

/// The userdata in the pool's table at `index`. NULL if the value is no table, or the game has put
/// something else in its place.
static inline cll_bullets *cll_pool_in(lua_State *L, int index) {
  if (!lua_istable(L, index)) return NULL;
  lua_rawgeti(L, index, 1);
  cll_bullets *b = cll_to_object(L, -1, CLL_POOL);
  lua_pop(L, 1);
  return b;
}

/// The x, y and angle in an actor's table.
enum {
  CLL_ODD_PLACE = 1, ///< x and y other than the world's place: they are in `number`
  CLL_INTEGER_X = 2,
  CLL_INTEGER_Y = 4,
  CLL_HAS_ANGLE = 8, ///< it was not nil
  CLL_ODD_ANGLE = 16,
  CLL_INTEGER_ANGLE = 32,
};

/// Fields of an actor that are set to their default value: flags that are false, and the group
/// "default". A restore leaves nil where a field was nil.
enum {
  CLL_STATES_STATIC = 1,
  CLL_STATES_SENSOR = 2,
  CLL_STATES_ONE_WAY = 4,
  CLL_STATES_SWEPT = 8,
  CLL_STATES_GROUP = 16,
};

/// The userdata of a snapshot. `place` and `angle` (NULL if there are none) belong to the core, by
/// slot. `flag` has an entry for each slot; `number` has the values in the actors' tables that
/// differ from the core's, in the order of slots. The accelerator reads them.
typedef struct cll_snapshot {
  const cl_vec *place;
  const double *angle;
  uint8_t *flag;
  double *number;
  uint32_t slots, numbers, number_room;
  size_t flag_cap, number_cap;
  cl_snapshot *world;
  cl_bullets_snapshot *pools;
} cll_snapshot;

/// The snapshot at `index`; raises if there is none.
cll_snapshot *cll_check_snapshot(lua_State *L, int index);

/// Room for some more numbers; raises when out of memory.
void cll_snapshot_grow(lua_State *L, cll_snapshot *s);

// Functions shared between the files ---------------------------------------------------------

/// Groups from two numbers, a bit for each of 0 to 31 and of 32 to 63.
uint64_t cll_groups(double low, double high);

/// The filter of a method that begins with core, actors, slots, low, high, ignored, asking. The
/// list of ignored actors is in memory of the core's, until the next filter is read.
cl_filter cll_read_filter(lua_State *L, cll_world *c, uint64_t groups);

/// Reads the value of `oneWay` at `index`: the direction in which a one-way actor or cell faces;
/// 0, 0 for nil and false. Returns whether it is one of CLL_ONE_WAY_EXPECTED or nil.
#define CLL_ONE_WAY_EXPECTED "boolean, \"up\", \"down\", \"left\", \"right\" or {nx, ny}"
bool cll_to_one_way(lua_State *L, int index, cl_vec *out);
/// Pushes the shortest value for that direction.
void cll_push_one_way(lua_State *L, cl_vec look);

/// The return value of a function that made the shape on top of the stack; raises if `status` is a
/// failure.
int cll_shape_made(lua_State *L, const char *function, cl_status status);

/// The first actor on a ray: returns its slot, counted from 1, with the rest in `c->cast`; 0 if
/// there is none; -1 for an error, which the method rayCast then reports. The ray ignores the
/// `count` slots in `few`, counted from 0; the other arguments are the method's.
int32_t cll_ray_cast(cll_world *c, double low, double high, int32_t count, double x1, double y1,
                     double x2, double y2);

/// For move_now's `group`: the actors that stop the mover by the rules of groups.
#define CLL_BY_RULES (-1)

/// Computes a move, and commits it if it met nothing. If `asks` is not 0, a function chooses the
/// response; if above 1, also to sensors. Returns the number of hits; CLL_ASKS if the move waits
/// for the answer to `asked`; another number below 0 for a bad argument, before any question, or
/// when out of memory. cll_move_on continues with an answer.
#define CLL_ASKS (-3)
int32_t cll_move_now(cll_world *c, double slot, double x, double y, double angle, double dx,
                     double dy, double group, double response, double asks);
int32_t cll_move_on(cll_world *c, double said);

/// Commits the last move. Returns how many actors were moved, or -1 when out of memory.
int32_t cll_move_commit(cll_world *c);

/// Makes a common frame of the character described by `striding`: its floor stays the same or it
/// has none. Returns the number of the hit with the floor, 0 if there is none; below 0 for any
/// other frame: then nothing has changed.
int32_t cll_stride(cll_world *c);

/// How far a character looks for touching surfaces, as a fraction of the coordinates: more than the
/// skin of any shape, which is a fraction of the shape's own coordinates.
#define CLL_PROBE 0x1p-20

/// Directions that differ by no more than this count as equal for a character.
#define CLL_ALIKE 1e-9

/// The part of a walk along cells that grids.lua uses.
extern const cl_field cll_walk_layout[];

/// The parts of a search of collide.bump, and of its results, that ffi/bump.lua uses.
extern const cl_field cll_bump_layout[], cll_found_layout[], cll_bump_hit_layout[];

/// Each adds a file's functions to the table on top of the stack: functions of the module, or
/// methods of a world's core.
void cll_open_check(lua_State *L);
void cll_open_host(lua_State *L);
void cll_open_shape(lua_State *L);
void cll_open_grid(lua_State *L);
void cll_open_bitmap(lua_State *L);
void cll_open_bullets(lua_State *L);
void cll_open_bump(lua_State *L);
void cll_open_bump_front(lua_State *L);
void cll_open_snapshot(lua_State *L);
void cll_open_pack(lua_State *L);
void cll_open_world(lua_State *L);
void cll_open_step_methods(lua_State *L);
void cll_open_move_methods(lua_State *L);
void cll_open_query_methods(lua_State *L);
void cll_open_query_front(lua_State *L);
void cll_open_move_front(lua_State *L);
void cll_open_snapshot_methods(lua_State *L);
void cll_open_pool_methods(lua_State *L);

#endif
