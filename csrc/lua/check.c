// collide, MIT licence (see LICENSE)
//
// Arguments, and the messages about them. A mistake is reported in one of two forms, after the
// position of the call that was not made by the library itself:
//   <function>: <argument> expected (<type and range>), got <value>
//   <function> takes <what>, got <n> arguments
// A cll_function describes its arguments: so their order, ranges and texts are in one place, and
// its C function gets numbers that are known to be right. Layer: lua.

#include "lua/binding.h"

#include <stdarg.h>

// Registry key of the folder of the library's own Lua files.
#define HOME "collide.home"

// Registry key of the table that require "collide" returns.
#define MODULE "collide.module"

// Longer strings are cut, so that a message stays on one line.
enum { LONGEST = 40 };

static void push_number(lua_State *L, int index) {
  lua_Number v = lua_tonumber(L, index);
  char text[32];
  // Not by printf, because C libraries write these in different ways.
  if (v != v) strcpy(text, "nan");
  else if (v > DBL_MAX) strcpy(text, "inf");
  else if (v < -DBL_MAX) strcpy(text, "-inf");
  else snprintf(text, sizeof text, "%.14g", v + 0.0); // -0 as 0: not every Lua prints -0
  lua_pushstring(L, text);
}

// Pushes a text as one line without control characters: these become \ddd, also those of two bytes
// in UTF-8.
static void push_line(lua_State *L, const char *text, size_t length) {
  luaL_Buffer line;
  luaL_buffinit(L, &line);
  for (size_t i = 0, codes = 0; i < length; i++) {
    unsigned char byte = (unsigned char)text[i];
    bool is_long = byte == 0xC2 && i + 1 < length && (unsigned char)text[i + 1] < 0xA0;
    if (is_long) codes = 2;
    else if (byte < 0x20 || byte == 0x7F) codes = 1;
    char code[8] = {text[i]};
    if (codes > 0) snprintf(code, sizeof code, "\\%03u", byte), codes--;
    luaL_addstring(&line, code);
  }
  luaL_pushresult(&line);
}

// Messages name the library's objects by their class: one of "collide.Grid" is "grid".
bool cll_push_own_name(lua_State *L, int index) {
  enum { PREFIX = sizeof "collide." - 1 };
  if (!luaL_getmetafield(L, index, "__name")) return false;
  const char *class = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
  if (!strcmp(class, CLL_COLLECTED)) {
    lua_pushliteral(L, "object that has been collected");
  } else if (!strncmp(class, "collide.", PREFIX) && class[PREFIX] >= 'A' && class[PREFIX] <= 'Z') {
    lua_pushfstring(L, "%c%s", class[PREFIX] - 'A' + 'a', class + PREFIX + 1);
  } else {
    lua_pop(L, 1);
    return false;
  }
  lua_remove(L, -2);
  return true;
}

void cll_push_described(lua_State *L, int index, bool number_wanted) {
  switch (lua_type(L, index)) {
  case LUA_TNONE:
  case LUA_TNIL: lua_pushliteral(L, "nil"); break;
  case LUA_TBOOLEAN:
    lua_pushfstring(L, "boolean %s", lua_toboolean(L, index) ? "true" : "false");
    break;
  case LUA_TNUMBER:
    push_number(L, index);
    if (number_wanted) break;
    lua_pushfstring(L, "number %s", lua_tostring(L, -1));
    lua_remove(L, -2);
    break;
  case LUA_TSTRING: {
    size_t length;
    const char *text = lua_tolstring(L, index, &length);
    bool whole = length <= LONGEST;
    if (!whole) length = LONGEST; // no character of UTF-8 is cut
    while (!whole && length > LONGEST - 3 && ((unsigned char)text[length] & 0xC0) == 0x80) length--;
    push_line(L, text, length);
    lua_pushfstring(L, whole ? "string \"%s\"" : "string \"%s…\"", lua_tostring(L, -1));
    lua_remove(L, -2);
    break;
  }
  default:
    if (!cll_push_own_name(L, index)) lua_pushstring(L, luaL_typename(L, index));
  }
}

// Whether a path is in a folder. On Windows Lua joins a path's parts by either slash.
static bool is_within(const char *path, const char *folder) {
  for (; *folder; path++, folder++) {
    bool both = (*path == '/' || *path == '\\') && (*folder == '/' || *folder == '\\');
    if (*path != *folder && !both) return false;
  }
  return true;
}

// Pushes the position of the innermost call that was not made by the library itself.
static void push_position(lua_State *L) {
  lua_Debug at;
  lua_getfield(L, LUA_REGISTRYINDEX, HOME); /* stack: … home */
  const char *home = lua_tostring(L, -1);
  for (int level = 0; lua_getstack(L, level, &at); level++) {
    lua_getinfo(L, "Sl", &at);
    // Lua 5.1 has a level without a position for each tail call.
    if (!strcmp(at.what, "C") || !strcmp(at.what, "tail")) continue;
    if (home && is_within(at.source, home)) continue;
    if (at.currentline <= 0) break;
    lua_pushfstring(L, "%s:%d: ", at.short_src, at.currentline);
    lua_remove(L, -2);
    return;
  }
  lua_pop(L, 1);
  lua_pushliteral(L, "");
}

int cll_error(lua_State *L, const char *format, ...) {
  va_list arguments;
  push_position(L);
  va_start(arguments, format);
  lua_pushvfstring(L, format, arguments);
  va_end(arguments);
  lua_concat(L, 2);
  lua_error(L);
}

// core.ownName(value) -> its name if it is one of the library's objects
static int own_name_of(lua_State *L) { return cll_push_own_name(L, 1); }

// core.raise(message): like cll_error
static int raise(lua_State *L) { return cll_error(L, "%s", luaL_checkstring(L, 1)); }

// core.setModule(collide): the module, for cll_check_dot
static int set_module(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  lua_setfield(L, LUA_REGISTRYINDEX, MODULE);
  return 0;
}

void cll_check_dot(lua_State *L, const char *function) {
  if (!lua_istable(L, 1)) return;
  lua_getfield(L, LUA_REGISTRYINDEX, MODULE);
  if (lua_rawequal(L, 1, -1)) {
    cll_error(L, "%s: called with a colon; call it with a dot", function);
  }
  lua_pop(L, 1);
}

// core.checkDot(first, function): like cll_check_dot
static int check_dot(lua_State *L) {
  const char *function = luaL_checkstring(L, 2);
  cll_check_dot(L, function);
  return 0;
}

// core.setHome(prefix): chunks with names that begin with it are the library's own
static int set_home(lua_State *L) {
  luaL_checkstring(L, 1);
  lua_settop(L, 1);
  lua_setfield(L, LUA_REGISTRYINDEX, HOME);
  return 0;
}

int cll_fail(lua_State *L, const char *function, const char *name, const char *expected,
             int index) {
  // First, because a value pushed before it would be taken for a missing argument.
  cll_push_described(L, index, strstr(expected, "number") != NULL);
  cll_error(L, "%s: %s expected (%s), got %s", function, name, expected, lua_tostring(L, -1));
}

void cll_takes(lua_State *L, const char *function, const char *takes, int most, int given) {
  if (given <= most) return;
  cll_error(L, "%s takes %s, got %d argument%s", function, takes, given, given == 1 ? "" : "s");
}

// The ranges of numbers: the least and the most, whether only whole numbers are allowed, the
// default for an argument that is left out, and the text for messages. A number that is not even in
// the range `wider` gets that range's text.
typedef struct range {
  double least, most;
  bool whole;
  double otherwise;
  const char *expected;
  cll_kind wider;
} range;

static const range ranges[] = {
    [CLL_COORDINATE] = {-CL_MAX_COORD, CL_MAX_COORD, false, 0, "finite number within ±1e12",
                        CLL_ANY},
    [CLL_POSITIVE] = {DBL_TRUE_MIN, CL_MAX_COORD, false, 0, "positive number up to 1e12", CLL_ANY},
    // Products of smaller sizes would be too small for doubles.
    [CLL_SIZE] = {CL_MIN_SIZE, CL_MAX_COORD, false, 0, "number from 1e-60 to 1e12", CLL_POSITIVE},
    [CLL_EXTENT] = {0, CL_MAX_COORD, false, 0, "number from 0 to 1e12", CLL_ANY},
    [CLL_ANGLE] = {-CL_MAX_ANGLE, CL_MAX_ANGLE, false, 0, "number of radians within ±2^30",
                   CLL_ANY},
    // An angle that is added to others.
    [CLL_TURN] = {-CL_MAX_ANGLE / 4, CL_MAX_ANGLE / 4, false, 0, "number of radians within ±2^28",
                  CLL_ANGLE},
    [CLL_THRESHOLD] = {0, 2, false, 1, "number from 0 to 2", CLL_ANY},
    [CLL_WHOLE] = {-CLL_MOST_EXACT, CLL_MOST_EXACT, true, 0, "whole number within ±2^53", CLL_ANY},
    [CLL_BULLET] = {1, CLL_MOST_EXACT, true, 0, "number of a bullet, as spawn returns it", CLL_ANY},
    [CLL_AMOUNT] = {1, CL_MAX_BULLETS, true, 0, "whole number from 1 to 16777216", CLL_ANY},
    [CLL_NUMBER] = {-INFINITY, INFINITY, false, 0, "number", CLL_ANY},
    [CLL_FINITE] = {-DBL_MAX, DBL_MAX, false, 0, "finite number", CLL_ANY},
    [CLL_GROUP] = {0, CL_MAX_GROUPS - 1, true, 0, "number of a group", CLL_ANY},
    [CLL_GROUPS] = {0, CL_MAX_GROUPS, true, 0, "number of a group", CLL_ANY},
    [CLL_ANY] = {0, 0, false, 0, NULL, CLL_ANY},
};

static const char *const kinds[] = {
    "coordinate", "positive", "size",   "extent", "angle",  "turn", "threshold", "whole", "bullet",
    "amount",     "number",   "finite", "group",  "groups", "any",  "flag",      "live",  "table",
};

static bool is_in(const range *r, double v) { // false for NaN
  return v >= r->least && v <= r->most && (!r->whole || v == floor(v));
}

double cll_number(lua_State *L, const char *function, const char *name, cll_kind kind, int index) {
  double v = cll_to_number(L, index);
  if (is_in(&ranges[kind], v)) return v;
  const range *wider = &ranges[ranges[kind].wider];
  bool far = wider->expected && !is_in(wider, v);
  cll_fail(L, function, name, far ? wider->expected : ranges[kind].expected, index);
}

// A function with its description read.
typedef struct argument {
  char name[12];
  cll_kind kind;
  bool optional;
  const range *range; // of its kind
} argument;

typedef struct known {
  cll_function is;
  int count, fronted; // how many arguments there are, and how many are in brackets
  argument argument[];
} known;

// Reads the description of an argument, from `text` to `end`.
static argument learn_argument(const char *text, const char *end) {
  argument a = {.optional = end[-1] == '?'};
  if (a.optional) end--;
  size_t name = strcspn(text, ":?] "), size = (size_t)(end - text) - name;
  memcpy(a.name, text, name);
  while (size > 0 && strncmp(kinds[a.kind], text + name + 1, size - 1) != 0) a.kind++;
  a.range = &ranges[a.kind <= CLL_ANY ? a.kind : CLL_ANY];
  return a;
}

// Pushes a function with its description read.
static void push_known(lua_State *L, const cll_function *is) {
  const char *text = is->arguments;
  size_t most = 1;
  for (const char *at = text; *at; at++) most += *at == ' ';
  known *f = lua_newuserdata(L, sizeof *f + most * sizeof *f->argument);
  f->is = *is;
  f->count = f->fronted = 0;
  if (*text == '[') text++;
  while (*text) {
    const char *end = text + strcspn(text, " ]");
    f->argument[f->count++] = learn_argument(text, end);
    if (*end == ']') f->fronted = f->count, end++;
    text = *end ? end + 1 : end;
  }
}

void cll_set_functions(lua_State *L, const cll_function *f, lua_CFunction enter, int metatable) {
  for (; f->name; f++) {
    if (metatable) lua_pushvalue(L, metatable);
    else lua_pushnil(L);
    push_known(L, f);
    lua_pushcclosure(L, enter, 2);
    const char *key = f->name;
    for (const char *at = key; *at; at++)
      if (*at == ':' || *at == '.') key = at + 1;
    lua_setfield(L, -2, key);
  }
}

cll_world *cll_check_world(lua_State *L) {
  cll_world *c = cll_self(L);
  if (!c || !c->world) cll_error(L, "attempt to use a world that has been closed");
  return c;
}

cll_world *cll_front_world(lua_State *L) {
  if (!lua_istable(L, 1)) return NULL;
  lua_pushvalue(L, lua_upvalueindex(CLL_FRONT_KEY));
  if (cll_rawget(L, 1) != LUA_TTABLE) return NULL;
  lua_rawgeti(L, -1, CLL_DIRECT_CORE);
  cll_world *c = lua_touserdata(L, -1);
  if (!c || !lua_getmetatable(L, -1)) return NULL;
  bool same = lua_rawequal(L, -1, lua_upvalueindex(1));
  lua_pop(L, 2);
  return same && c->world ? c : NULL;
}

bool cll_front_number(lua_State *L, int direct, int list, int key, double *v) {
  lua_rawgeti(L, direct, list);
  lua_pushvalue(L, key);
  if (cll_rawget(L, -2) != LUA_TNUMBER) return false;
  *v = (double)lua_tointeger(L, -1);
  return true;
}

#if CLL_HAS_FRONTS
static int return_all(lua_State *L, int status, lua_KContext context) {
  (void)status, (void)context;
  return lua_gettop(L);
}
#endif

int cll_front_slow(lua_State *L, int top) {
  lua_settop(L, top);
  lua_pushvalue(L, lua_upvalueindex(CLL_FRONT_SLOW));
  lua_insert(L, 1);
#if CLL_HAS_FRONTS
  lua_callk(L, top, LUA_MULTRET, 0, return_all);
#endif
  return lua_gettop(L);
}

int cll_push_front(lua_State *L, lua_CFunction f, int own) {
  luaL_getmetatable(L, CLL_WORLD);
  lua_insert(L, 1);
  lua_pushliteral(L, "_direct");
  lua_insert(L, CLL_FRONT_KEY);
  lua_pushcclosure(L, f, CLL_FRONT_OWN - 1 + own);
  return 1;
}

uint32_t cll_check_live(lua_State *L, const cll_world *c, int index) {
  lua_Integer slot = luaL_checkinteger(L, index) - 1;
  luaL_argcheck(L, slot >= 0 && slot < (lua_Integer)c->io.slots, index, "no such slot");
  luaL_argcheck(L, c->io.state[slot] & CL_LIVE, index, "dead slot");
  return (uint32_t)slot;
}

// Reads an argument, of this type, whose kind is not a range of numbers.
static double read_other(lua_State *L, const cll_call *c, cll_kind kind, int index, int type) {
  if (kind == CLL_FLAG) return type != LUA_TNIL && lua_toboolean(L, index);
  if (kind == CLL_LIVE) return cll_check_live(L, c->core, index);
  if (kind == CLL_TABLE && type != LUA_TTABLE) luaL_checktype(L, index, LUA_TTABLE);
  return 0;
}

// Reads an argument that is not a number in its range: raises unless its kind allows other values.
static double read_odd(lua_State *L, const cll_call *c, const argument *a, int index) {
  int type = index <= lua_gettop(L) ? lua_type(L, index) : LUA_TNIL;
  if (a->kind >= CLL_ANY) return read_other(L, c, a->kind, index, type);
  if (a->optional && type == LUA_TNIL) return ranges[a->kind].otherwise;
  return cll_number(L, c->fn, a->name, a->kind, index);
}

// Reads the arguments of a call whose object is set, and calls. Most are numbers in their ranges.
static int enter(lua_State *L, const known *f, int index, cll_call *c, bool is_pool) {
  int top = lua_gettop(L), given = top - index + 1, i = 0;
  c->fn = f->is.name;
  bool over = given > f->count && f->is.takes;
  if (over && !is_pool) cll_takes(L, c->fn, f->is.takes, f->count, given);
  for (; i < f->fronted && given <= f->count - f->fronted; i++) c->v[i] = 0;
  const argument *a = &f->argument[i];
  for (double *v = &c->v[i]; i < f->count; a++, v++, i++, index++) {
    if (a->kind == CLL_ANY) continue;
    if (index > top && a->optional) {
      *v = a->range->otherwise;
      continue;
    }
    if (lua_type(L, index) == LUA_TNUMBER && a->kind < CLL_ANY) {
      *v = lua_tonumber(L, index);
      if (is_in(a->range, *v)) continue;
    }
    *v = read_odd(L, c, a, index);
  }
  if (over) cll_takes(L, c->fn, f->is.takes, f->count, given);
  return f->is.call(L, c);
}

int cll_enter(lua_State *L, const cll_function *f, int index, void *self, bool is_pool) {
  cll_call c;
  c.self = self;
  return enter(L, (const known *)f, index, &c, is_pool);
}

int cll_enter_dot(lua_State *L) {
  const cll_function *f = cll_running(L);
  cll_check_dot(L, f->name);
  return cll_enter(L, f, 1, NULL, false);
}

int cll_enter_core(lua_State *L) {
  cll_call c;
  c.core = cll_check_world(L);
  c.world = c.core->world;
  return enter(L, (const known *)cll_running(L), 2, &c, false);
}

int64_t cll_whole(lua_State *L, const char *function, const char *name, int index, int64_t least,
                  int64_t most) {
  double v = cll_to_number(L, index);
  if (!(v >= (double)least && v <= (double)most && v == floor(v))) {
    char expected[80];
    snprintf(expected, sizeof expected, "whole number from %lld to %lld", (long long)least,
             (long long)most);
    cll_fail(L, function, name, expected, index);
  }
  return (int64_t)v;
}

bool cll_boolean(lua_State *L, const char *function, const char *name, int index) {
  if (!lua_isboolean(L, index)) cll_fail(L, function, name, "boolean", index);
  return lua_toboolean(L, index);
}

int cll_no_memory(lua_State *L) { cll_error(L, "not enough memory"); }

// The direction of one-way actors -----------------------------------------------

typedef struct direction {
  const char *name;
  cl_vec look;
} direction;
static const direction directions[] = {
    {"up", {0, -1}}, {"down", {0, 1}}, {"left", {-1, 0}}, {"right", {1, 0}}};
enum { DIRECTIONS = sizeof directions / sizeof *directions };

// {nx, ny}, both finite, and not 0, 0.
static bool to_direction(lua_State *L, int index, cl_vec *out) {
  lua_rawgeti(L, index, 1);
  lua_rawgeti(L, index, 2);
  out->x = cll_to_number(L, -2);
  out->y = cll_to_number(L, -1);
  lua_pop(L, 2);
  return fabs(out->x) < INFINITY && fabs(out->y) < INFINITY && (out->x != 0 || out->y != 0);
}

bool cll_to_one_way(lua_State *L, int index, cl_vec *out) {
  int type = lua_type(L, index);
  *out = (cl_vec){0, type == LUA_TBOOLEAN && lua_toboolean(L, index) ? -1 : 0};
  if (type == LUA_TTABLE) return to_direction(L, index, out);
  for (int i = 0; type == LUA_TSTRING && i < DIRECTIONS; i++) {
    if (strcmp(lua_tostring(L, index), directions[i].name) != 0) continue;
    *out = directions[i].look;
    return true;
  }
  return type == LUA_TBOOLEAN || type == LUA_TNIL || type == LUA_TNONE;
}

void cll_push_one_way(lua_State *L, cl_vec look) {
  if (look.x == 0 && (look.y == 0 || look.y == -1)) {
    lua_pushboolean(L, look.y != 0);
    return;
  }
  for (int i = 0; i < DIRECTIONS; i++) {
    if (look.x != directions[i].look.x || look.y != directions[i].look.y) continue;
    lua_pushstring(L, directions[i].name);
    return;
  }
  lua_createtable(L, 2, 0);
  lua_pushnumber(L, look.x);
  lua_rawseti(L, -2, 1);
  lua_pushnumber(L, look.y);
  lua_rawseti(L, -2, 2);
}

// core.readOneWay(value) -> x, y of its direction, 0, 0 for nil and false; nil if it is not valid
static int read_one_way(lua_State *L) {
  cl_vec look;
  lua_settop(L, 1);
  if (!cll_to_one_way(L, 1, &look)) {
    lua_pushnil(L);
    return 1;
  }
  return cll_push_numbers(L, 2, (const double[]){look.x, look.y});
}

// core.oneWayOf(x, y) -> the shortest value for that direction
static int one_way_of(lua_State *L) {
  double x = luaL_checknumber(L, 1), y = luaL_checknumber(L, 2);
  cll_push_one_way(L, (cl_vec){x, y});
  return 1;
}

// core.describe(value, numberWanted) -> text
static int describe(lua_State *L) {
  cll_push_described(L, 1, lua_toboolean(L, 2));
  return 1;
}

static const luaL_Reg functions[] = {
    {"describe", describe},       {"ownName", own_name_of},  {"raise", raise},
    {"checkDot", check_dot},      {"setModule", set_module}, {"setHome", set_home},
    {"readOneWay", read_one_way}, {"oneWayOf", one_way_of},  {NULL, NULL},
};

void cll_open_check(lua_State *L) {
  cll_setfuncs(L, functions);
  lua_newtable(L); // core.EXPECTED: the texts for messages, by kind
  for (int kind = 0; kind < CLL_ANY; kind++) {
    lua_pushstring(L, ranges[kind].expected);
    lua_setfield(L, -2, kinds[kind]);
  }
  lua_pushliteral(L, CLL_ONE_WAY_EXPECTED);
  lua_setfield(L, -2, "oneWay");
  lua_setfield(L, -2, "EXPECTED");
}
