// collide, MIT licence (see LICENSE)
//
// Shapes: immutable userdata, each with a reference to a cl_shape. Their methods;
// collide.rectangle, circle, capsule, segment, polygon, chain and compound; tiles; and functions
// of two placed shapes, each given as shape, x, y, angle, which the Lua side reads from tables and
// checks. Layer: lua.

#include "lua/binding.h"

#include "base/alloc.h"
#include "geom/tiles.h"

static int enter_method(lua_State *L) {
  const cll_function *f = cll_running(L);
  cl_shape **box = cll_self(L);
  if (!box || !*box) cll_fail(L, f->name, "self", "shape; call it with a colon", 1);
  return cll_enter(L, f, 2, *box, false);
}

int cll_shape_made(lua_State *L, const char *function, cl_status status) {
  if (status == CL_NOMEM) return cll_no_memory(L);
  if (status != CL_OK) {
    return cll_error(
        L,
        "%s: shape expected (within ±1e12, sizes from 1e-60 on, and large enough for its "
        "sides to differ), got none",
        function);
  }
  return 1;
}

static int shape_gc(lua_State *L) {
  cl_shape **box = cll_collect(L, CLL_SHAPE);
  if (*box) cl_shape_release(*box);
  return 0;
}

static const char *const kind_names[] = {
    [CL_RECTANGLE] = "rectangle", [CL_CIRCLE] = "circle",   [CL_CAPSULE] = "capsule",
    [CL_SEGMENT] = "segment",     [CL_POLYGON] = "polygon", [CL_CHAIN] = "chain",
    [CL_COMPOUND] = "compound",   [CL_TILES] = "tiles",
};

// shape:kind() -> "rectangle", …
static int shape_kind(lua_State *L, const cll_call *c) {
  const cl_shape *shape = c->self;
  lua_pushstring(L, kind_names[shape->kind]);
  return 1;
}

// shape:bounds([x, y, angle]) -> left, top, width, height
static int shape_bounds(lua_State *L, const cll_call *c) {
  const cl_shape *shape = c->self;
  cl_placed placed = cl_place(shape, c->v[0], c->v[1], c->v[2]);
  cl_bounds bounds = cl_placed_bounds(&placed);
  bool turned = !cl_rot_is_none(placed.rot);
  // As given: the difference of two rounded sums would be slightly off.
  double w = turned ? bounds.r - bounds.l : shape->w, h = turned ? bounds.b - bounds.t : shape->h;
  return cll_push_numbers(L, 4, (const double[]){bounds.l, bounds.t, w, h});
}

// shape:contains(px, py) -> boolean; its boundary belongs to it
static int shape_contains(lua_State *L, const cll_call *c) {
  const cl_shape *shape = c->self;
  cl_placed placed = cl_place(shape, 0, 0, 0);
  lua_pushboolean(L, cl_placed_contains(&placed, c->v[0], c->v[1]));
  return 1;
}

// shape:area() -> number
static int shape_area(lua_State *L, const cll_call *c) {
  lua_pushnumber(L, cl_shape_area(c->self));
  return 1;
}

// Appends the points of a shape, member by member, to the list on top, which has `n` numbers;
// returns the new number.
static int add_all_points(lua_State *L, const cl_shape *shape, int n) {
  for (uint32_t i = 0; i < shape->member_count; i++) {
    n = add_all_points(L, shape->members[i], n);
  }
  for (uint32_t i = 0; i < shape->outline_count; i++) {
    lua_pushnumber(L, shape->outline[i].x);
    lua_rawseti(L, -2, ++n);
    lua_pushnumber(L, shape->outline[i].y);
    lua_rawseti(L, -2, ++n);
  }
  return n;
}

// shape:points() -> {x1, y1, x2, y2, …}
static int shape_points(lua_State *L, const cll_call *c) {
  const cl_shape *shape = c->self;
  uint64_t count = cl_shape_point_count(shape);
  if (count > INT32_MAX / 2) return cll_no_memory(L); // more than a list can have
  lua_createtable(L, (int)(2 * count), 0);
  add_all_points(L, shape, 0);
  return 1;
}

// shape:radius() -> number, 0 for sharp corners
static int shape_radius(lua_State *L, const cll_call *c) {
  const cl_shape *shape = c->self;
  lua_pushnumber(L, shape->radius);
  return 1;
}

// Pushes a list of the convex shapes that a shape, which is on the stack, consists of.
static void push_parts(lua_State *L, const char *fn, cl_shape *shape) {
  if (shape->kind == CL_TILES) {
    cl_shape **cut = cll_push_shape(L);
    cl_status status = cl_tiles_cut(shape, cl_tiles_all(shape), cut);
    cll_shape_made(L, fn, status);
    shape = *cut;
  }
  int count = shape ? (int)shape->part_count : 0; // no cell: no shape
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    cl_status status = cl_shape_part(shape, (uint32_t)i, cll_push_shape(L));
    cll_shape_made(L, fn, status);
    lua_rawseti(L, -2, i + 1);
  }
}

// shape:parts() -> list of convex shapes
static int shape_parts(lua_State *L, const cll_call *c) {
  push_parts(L, c->fn, c->self);
  return 1;
}

// core.layers(shape) -> the parts of a map's solid cells, and of its sensor cells; nil if there are
// no sensors
static int layers(lua_State *L) {
  cl_shape *shape = cll_check_shape(L, 1);
  if (!shape->views) return 0;
  push_parts(L, "draw", &shape->views[CL_VIEW_BODY]);
  push_parts(L, "draw", &shape->views[CL_VIEW_SENSORS]);
  lua_remove(L, -2); // the shape whose parts these are
  return 2;
}

// shape:translated(dx, dy) -> shape
static int shape_translated(lua_State *L, const cll_call *c) {
  cl_shape *shape = c->self;
  return cll_shape_made(L, c->fn, cl_shape_translated(shape, c->v[0], c->v[1], cll_push_shape(L)));
}

// shape:rotated(angle) -> shape
static int shape_rotated(lua_State *L, const cll_call *c) {
  cl_shape *shape = c->self;
  double angle = c->v[0];
  if (shape->kind == CL_TILES && angle != 0) {
    cll_fail(L, c->fn, "angle", "0, since tiles do not turn", 2);
  }
  return cll_shape_made(L, c->fn, cl_shape_rotated(shape, angle, cll_push_shape(L)));
}

static double scale(lua_State *L, const char *fn, const char *name, int index) {
  double s = cll_to_number(L, index);
  if (!(s != 0 && fabs(s) <= CL_MAX_COORD)) {
    cll_fail(L, fn, name, "finite number within ±1e12, not 0", index);
  }
  return s;
}

// shape:scaled(sx[, sy]) -> shape
static int shape_scaled(lua_State *L, const cll_call *c) {
  cl_shape *shape = c->self;
  double sx = scale(L, c->fn, "sx", 2);
  double sy = lua_isnoneornil(L, 3) ? sx : scale(L, c->fn, "sy", 3);
  if (shape->flags & CL_SHAPE_ROUND && fabs(sx) != fabs(sy)) {
    cll_fail(L, c->fn, "sy", "number of the size of sx, since this shape is round", 3);
  }
  if (shape->kind == CL_TILES && !(sx > 0 && sx == sy)) {
    cll_fail(L, c->fn, sx > 0 ? "sy" : "sx",
             sx > 0 ? "number equal to sx, since cells are square"
                    : "positive number, since tiles have no mirror image",
             sx > 0 ? 3 : 2);
  }
  return cll_shape_made(L, c->fn, cl_shape_scaled(shape, sx, sy, cll_push_shape(L)));
}

// shape:centered() -> shape
static int shape_centered(lua_State *L, const cll_call *c) {
  cl_shape *shape = c->self;
  return cll_shape_made(L, c->fn, cl_shape_centered(shape, cll_push_shape(L)));
}

// shape:upright() -> shape
static int shape_upright(lua_State *L, const cll_call *c) {
  cl_shape *shape = c->self;
  return cll_shape_made(L, c->fn, cl_shape_upright(shape, cll_push_shape(L)));
}

static void add_decimal(luaL_Buffer *buffer, const char *before, double v) {
  char text[40];
  snprintf(text, sizeof text, "%s%.14g", before, v);
  luaL_addstring(buffer, text);
}

static void add_grid(luaL_Buffer *buffer, const cl_shape *shape) {
  char text[64];
  snprintf(text, sizeof text, "grid %d x %d, ", (int)shape->grid->size[0],
           (int)shape->grid->size[1]);
  luaL_addstring(buffer, text);
  add_decimal(buffer, "cell ", shape->cell.x);
  if (shape->cell.x != shape->cell.y) add_decimal(buffer, " x ", shape->cell.y);
  add_decimal(buffer, " at ", shape->bounds.l);
  add_decimal(buffer, ", ", shape->bounds.t);
  if (!shape->set) return;
  int own = 0;
  for (int value = 1; value <= 255; value++)
    own += shape->set->kind[value] != CL_TILE_FULL || shape->set->layer[value];
  snprintf(text, sizeof text, ", %d value%s with a look of %s own", own, own == 1 ? "" : "s",
           own == 1 ? "its" : "their");
  luaL_addstring(buffer, text);
}

// A list of points; a long one is cut short.
static void add_points(luaL_Buffer *buffer, const cl_shape *shape) {
  enum { MOST = 8 };
  const char *before = "";
  uint32_t count = shape->kind == CL_RECTANGLE ? 1 : shape->outline_count;
  for (uint32_t i = 0; i < count && i < MOST; i++) {
    cl_vec v = shape->outline[i];
    add_decimal(buffer, before, v.x);
    add_decimal(buffer, ", ", v.y);
    before = ", ";
  }
  if (count > MOST) luaL_addstring(buffer, ", …");
}

// Pushes a name as it is written as a key in brackets.
static void push_key(lua_State *L, int index) {
  enum { PREFIX = sizeof "string " - 1 };
  cll_push_described(L, index, false);
  lua_pushfstring(L, "[%s]", lua_tostring(L, -1) + PREFIX);
  lua_remove(L, -2);
}

// Whether a name needs no brackets.
static bool is_identifier(cl_name name) {
  static const char *const words[] = {"and",   "break", "do",       "else", "elseif", "end",
                                      "false", "for",   "function", "goto", "if",     "in",
                                      "local", "nil",   "not",      "or",   "repeat", "return",
                                      "then",  "true",  "until",    "while"};
  for (size_t i = 0; i < name.length; i++) {
    char c = name.bytes[i];
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (!letter && !(i > 0 && c >= '0' && c <= '9')) return false;
  }
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (name.length == strlen(words[i]) && !memcmp(name.bytes, words[i], name.length)) return false;
  return name.length > 0;
}

static void add_name(lua_State *L, luaL_Buffer *buffer, cl_name name) {
  lua_pushlstring(L, name.bytes, name.length);
  if (!is_identifier(name)) {
    push_key(L, lua_gettop(L));
    lua_remove(L, -2);
  }
  luaL_addvalue(buffer);
  luaL_addstring(buffer, " = ");
}

// At most this many members of compounds, nested ones included, are written; a compound with more
// is cut short.
enum { MOST_MEMBERS = 8 };

// `count` counts the members so far.
static void add_shape(lua_State *L, luaL_Buffer *buffer, const cl_shape *shape, int *count) {
  bool listed = shape->kind == CL_CHAIN || shape->names;
  luaL_addstring(buffer, kind_names[shape->kind]);
  luaL_addstring(buffer, listed ? "({" : "(");
  for (uint32_t i = 0; i < shape->member_count; i++) {
    if (i > 0) luaL_addstring(buffer, ", ");
    if ((*count)++ >= MOST_MEMBERS) {
      luaL_addstring(buffer, "…");
      break;
    }
    if (shape->names) add_name(L, buffer, shape->names[i]);
    add_shape(L, buffer, shape->members[i], count);
  }
  if (shape->kind == CL_TILES) {
    add_grid(buffer, shape);
    luaL_addstring(buffer, ")"); // upright is the default
    return;
  }
  if (shape->member_count == 0) add_points(buffer, shape);
  if (shape->kind == CL_RECTANGLE) {
    add_decimal(buffer, ", ", shape->w);
    add_decimal(buffer, ", ", shape->h);
  }
  if (shape->radius > 0) add_decimal(buffer, ", ", shape->radius);
  if (listed) luaL_addstring(buffer, shape->closed ? "}, true" : "}");
  luaL_addstring(buffer, shape->flags & CL_SHAPE_UPRIGHT ? "):upright()" : ")");
}

// tostring(shape): the call that makes an equal one.
static int shape_tostring(lua_State *L) {
  cl_shape *shape = cll_to_shape(L, 1);
  if (!shape) cll_fail(L, "tostring", "self", "shape; call it with a colon", 1);
  luaL_Buffer buffer;
  int count = 0;
  luaL_buffinit(L, &buffer);
  add_shape(L, &buffer, shape, &count);
  luaL_pushresult(&buffer);
  return 1;
}

// core.isShape(value) -> boolean
static int is_shape(lua_State *L) {
  lua_pushboolean(L, cll_to_shape(L, 1) != NULL);
  return 1;
}

static int rectangle(lua_State *L, const cll_call *c) {
  cl_alloc alloc = cll_alloc(L);
  const double *v = c->v;
  cl_shape **box = cll_push_shape(L);
  return cll_shape_made(L, c->fn, cl_shape_rectangle(&alloc, v[0], v[1], v[2], v[3], box));
}

static int circle(lua_State *L, const cll_call *c) {
  cl_alloc alloc = cll_alloc(L);
  cl_shape **box = cll_push_shape(L);
  return cll_shape_made(L, c->fn, cl_shape_circle(&alloc, c->v[0], c->v[1], c->v[2], box));
}

static int capsule(lua_State *L, const cll_call *c) {
  cl_alloc alloc = cll_alloc(L);
  const double *v = c->v;
  cl_shape **box = cll_push_shape(L);
  return cll_shape_made(L, c->fn, cl_shape_capsule(&alloc, v[0], v[1], v[2], v[3], v[4], box));
}

static int segment(lua_State *L, const cll_call *c) {
  cl_alloc alloc = cll_alloc(L);
  const double *v = c->v;
  if (v[0] == v[2] && v[1] == v[3]) {
    return cll_error(L, "%s: x2, y2 expected (point other than x1, y1), got the same", c->fn);
  }
  cl_shape **box = cll_push_shape(L);
  return cll_shape_made(L, c->fn, cl_shape_segment(&alloc, v[0], v[1], v[2], v[3], box));
}

// Coordinates x, y, x, y, … in memory that Lua frees.
typedef struct points {
  double *xy;
  uint32_t count;
} points;

// The points in the list in argument 1 or, if it is not a list, in the first n arguments; pushes
// their memory.
static points check_points(lua_State *L, const char *fn, size_t n) {
  bool list = lua_istable(L, 1);
  if (list) {
    lua_rawgeti(L, 1, 1);
    if (lua_istable(L, -1)) {
      cll_error(L,
                "%s: x1 expected (finite number within ±1e12), got table; a list of points has "
                "numbers alone, {x1, y1, x2, y2, …}",
                fn);
    }
    n = cll_rawlen(L, 1);
    if (n % 2 || n > INT32_MAX) {
      cll_error(L, "%s: points expected (list {x1, y1, x2, y2, …}), got %d numbers", fn, (int)n);
    }
  }
  points p = {lua_newuserdata(L, (n + 1) * sizeof(double)), (uint32_t)(n / 2)};
  for (int i = 1; i <= (int)n; i++) {
    char name[16];
    snprintf(name, sizeof name, "%c%d", i % 2 ? 'x' : 'y', (i + 1) / 2);
    if (list) lua_rawgeti(L, 1, i);
    else lua_pushvalue(L, i);
    p.xy[i - 1] = cll_number(L, fn, name, CLL_COORDINATE, lua_gettop(L));
    lua_pop(L, 1);
  }
  if (n % 2) {
    cll_error(L, "%s: y%d expected (finite number within ±1e12), got nil", fn, (int)n / 2 + 1);
  }
  return p;
}

static const char *push_point(lua_State *L, points p, uint32_t i) {
  char text[80];
  assert(p.count > 0);
  i %= p.count;
  snprintf(text, sizeof text, "%u (%.14g, %.14g)", i + 1, p.xy[2 * i], p.xy[2 * i + 1]);
  return lua_pushstring(L, text), lua_tostring(L, -1);
}

// How many points differ, if there are too few: at most two.
static int count_different(points p) {
  for (uint32_t i = 1; i < p.count; i++) {
    if (p.xy[2 * i] != p.xy[0] || p.xy[2 * i + 1] != p.xy[1]) return 2;
  }
  return p.count > 0;
}

static int fail_points(lua_State *L, const char *fn, points p, uint32_t least, cl_fault fault) {
  switch (fault.kind) {
  case CL_FAULT_FEW:
    return cll_error(L, "%s: points expected (%d different ones or more), got %d", fn, (int)least,
                     count_different(p));
  case CL_FAULT_FLAT:
    return cll_error(L,
                     "%s: points expected (not all on one line), got points %s to %s, which lie "
                     "on one line",
                     fn, push_point(L, p, 0), push_point(L, p, p.count - 1));
  case CL_FAULT_CROSS:
    return cll_error(L,
                     "%s: points expected (edges that neither cross nor touch), got the edge from "
                     "point %s to %s across the one from %s to %s",
                     fn, push_point(L, p, fault.i), push_point(L, p, fault.i + 1),
                     push_point(L, p, fault.j), push_point(L, p, fault.j + 1));
  default: return cll_shape_made(L, fn, CL_INVALID);
  }
}

// collide.polygon(x1, y1, x2, y2, …) or ({x1, y1, x2, y2, …}) -> shape
static int polygon(lua_State *L) {
  const char *fn = "collide.polygon";
  cll_check_dot(L, fn);
  cl_alloc alloc = cll_alloc(L);
  if (lua_istable(L, 1))
    cll_takes(L, fn, "one list of points, or x1, y1, x2, y2, …", 1, lua_gettop(L));
  points p = check_points(L, fn, (size_t)lua_gettop(L));
  cl_fault fault = {CL_FAULT_NONE, 0, 0};
  cl_status status = cl_shape_polygon(&alloc, p.xy, p.count, &fault, cll_push_shape(L));
  if (status == CL_INVALID) return fail_points(L, fn, p, 3, fault);
  return cll_shape_made(L, fn, status);
}

// The number of arguments that are points of a chain: a boolean may follow.
static int end_of_points(lua_State *L) {
  int n = lua_gettop(L);
  return n % 2 == 1 && n > 1 && (lua_isboolean(L, n) || lua_isnil(L, n)) ? n - 1 : n;
}

// collide.chain(x1, y1, x2, y2, …[, closed]) or ({x1, y1, x2, y2, …}[, closed]) -> shape
static int chain(lua_State *L) {
  const char *fn = "collide.chain";
  cll_check_dot(L, fn);
  cl_alloc alloc = cll_alloc(L);
  bool list = lua_istable(L, 1);
  if (list) cll_takes(L, fn, "a list of points and a boolean", 2, lua_gettop(L));
  int end = list ? 1 : end_of_points(L);
  bool closed = lua_isnoneornil(L, end + 1) ? false : cll_boolean(L, fn, "closed", end + 1);
  points p = check_points(L, fn, (size_t)end);
  cl_fault fault = {CL_FAULT_NONE, 0, 0};
  cl_status status = cl_shape_chain(&alloc, p.xy, p.count, closed, &fault, cll_push_shape(L));
  if (status == CL_INVALID) return fail_points(L, fn, p, closed ? 3 : 2, fault);
  return cll_shape_made(L, fn, status);
}

// What a member of a compound should be but is not, given the first member; NULL if it is right.
static const char *wrong_member(const cl_shape *shape, const cl_shape *first) {
  if (!shape) return "shape";
  if (shape->kind == CL_TILES) return "shape other than tiles; add these to an actor of their own";
  if ((shape->flags ^ first->flags) & CL_SHAPE_UPRIGHT)
    return "upright if and only if the first shape is; upright() may be called on the whole";
  return shape->levels < CL_SHAPE_LEVELS ? NULL : "at most 64 levels of compounds in compounds";
}

// How many shapes the table at 1 has by name; 0 for a list.
static size_t count_names(lua_State *L, const char *fn) {
  size_t names = 0, others = 0;
  lua_pushnil(L);
  while (lua_next(L, 1)) { /* stack: … key shape */
    int type = lua_type(L, -2);
    if (type != LUA_TSTRING && type != LUA_TNUMBER)
      cll_fail(L, fn, "key of shapes", "name, or number in a list", lua_gettop(L) - 1);
    names += type == LUA_TSTRING;
    others += type == LUA_TNUMBER;
    lua_pop(L, 1);
  }
  if (names > 0 && others > 0)
    cll_error(L, "%s: shapes expected (a name for each, or a list), got names and numbers", fn);
  return names;
}

// A shape and its name.
typedef struct named {
  cl_name name;
  cl_shape *shape;
} named;

static int by_name(const void *p, const void *q) {
  const named *a = p, *b = q;
  return cl_name_compare(a->name, b->name);
}

// Reads the table at 1, of n shapes by name.
static void read_names(lua_State *L, const char *fn, named *by, size_t n) {
  size_t count = 0;
  int top = lua_gettop(L);
  lua_pushnil(L);
  while (lua_next(L, 1)) { /* stack: … name shape */
    if (count == n || lua_type(L, -2) != LUA_TSTRING) break;
    by[count].name.bytes = lua_tolstring(L, -2, &by[count].name.length);
    by[count++].shape = cll_to_shape(L, lua_gettop(L));
    lua_pop(L, 1);
  }
  if (count < n || lua_gettop(L) > top)
    cll_error(L, "%s: shapes expected (table that a finalizer leaves as it is), got changes", fn);
  cl_sort_by(by, n, sizeof *by, by_name);
}

// Raises an error about the shape with a name in the table at 1.
static void fail_named(lua_State *L, const char *fn, cl_name name, const char *expected) {
  lua_pushnil(L);
  while (lua_next(L, 1)) { /* stack: … name shape */
    if (lua_type(L, -2) == LUA_TSTRING && lua_tostring(L, -2) == name.bytes) break;
    lua_pop(L, 1);
  }
  int at = lua_gettop(L);
  push_key(L, at - 1);
  cll_fail(L, fn, lua_tostring(L, -1), expected, at);
}

// collide.compound{name = shape, …}, of n shapes, -> shape
static int compound_named(lua_State *L, const char *fn, size_t n) {
  cl_alloc alloc = cll_alloc(L);
  // Allocation comes first: it may run finalisers, and these may change the table.
  named *by = lua_newuserdata(L, n * sizeof *by);
  cl_shape **members = lua_newuserdata(L, n * sizeof *members);
  cl_name *names = lua_newuserdata(L, n * sizeof *names);
  cl_shape **box = cll_push_shape(L);
  read_names(L, fn, by, n);
  for (size_t i = 0; i < n; i++) {
    members[i] = by[i].shape, names[i] = by[i].name;
    const char *wrong = wrong_member(members[i], members[0]);
    if (wrong) fail_named(L, fn, names[i], wrong);
  }
  return cll_shape_made(L, fn, cl_shape_compound_named(&alloc, members, names, (uint32_t)n, box));
}

// collide.compound(shape, shape, …), ({shape, shape, …}) or {name = shape, …} -> shape
static int compound(lua_State *L) {
  const char *fn = "collide.compound";
  cll_check_dot(L, fn);
  cl_alloc alloc = cll_alloc(L);
  bool list = lua_istable(L, 1);
  if (list) cll_takes(L, fn, "one table of shapes, or shapes", 1, lua_gettop(L));
  size_t names = list ? count_names(L, fn) : 0;
  if (names > INT32_MAX) return cll_no_memory(L);
  if (names > 0) return compound_named(L, fn, names);
  size_t n = list ? cll_rawlen(L, 1) : (size_t)lua_gettop(L);
  if (n == 0) cll_fail(L, fn, "shape 1", "shape", list ? 2 : 1);
  if (n > INT32_MAX) return cll_no_memory(L);
  // Allocation comes first: it may run finalisers, and these may change the list.
  cl_shape **members = lua_newuserdata(L, n * sizeof *members);
  cl_shape **box = cll_push_shape(L);
  int made = lua_gettop(L);
  for (int i = 1; i <= (int)n; i++) {
    if (list) lua_rawgeti(L, 1, i);
    else lua_pushvalue(L, i);
    members[i - 1] = cll_to_shape(L, made + 1);
    const char *wrong = wrong_member(members[i - 1], members[0]);
    if (wrong) {
      char name[24];
      snprintf(name, sizeof name, "shape %d", i);
      cll_fail(L, fn, name, wrong, made + 1);
    }
    lua_settop(L, made);
  }
  return cll_shape_made(L, fn, cl_shape_compound(&alloc, members, (uint32_t)n, box));
}

// core.wrongForm(shape, grid) -> what a shape of cells in a grid should be, if this one is not; nil
// if it is right
static int wrong_form(lua_State *L) {
  cl_tile_part part;
  const char *wrong = NULL;
  const cl_shape *shape = cll_check_shape(L, 1);
  const cl_grid *grid = cll_to_grid(L, 2);
  luaL_argcheck(L, grid, 2, "grid expected");
  if (shape->part_count != 1 || shape->kind == CL_CHAIN) wrong = "convex shape";
  else if (!(shape->area > 0)) wrong = "shape with an area";
  else if (shape->parts->count > CL_TILE_CORNERS) wrong = "shape of at most 16 corners";
  else if (!cl_tile_part_of(shape, &part))
    wrong = "shape within a cell of side 1: all of it from 0, 0 to 1, 1";
  else if (part.radius > 0 && grid->cell[0] != grid->cell[1])
    wrong = "shape without rounding, as the cells are not square";
  lua_pushstring(L, wrong);
  return 1;
}

// core.newTiles(grid, looks) -> shape. For each look the list has the value, its shape or false,
// the CL_TILE_ flags, and its one-way direction, x and y: all checked by lua/collide/grids.lua.
static int new_tiles(lua_State *L) {
  enum { EACH = 5, MOST = 255 };
  cl_alloc alloc = cll_alloc(L);
  cl_grid *grid = cll_to_grid(L, 1);
  cl_tile_look looks[MOST];
  luaL_checktype(L, 2, LUA_TTABLE);
  uint32_t count = (uint32_t)cll_rawlen(L, 2) / EACH;
  luaL_argcheck(L, grid && grid->dims == 2, 1, "grid expected");
  luaL_argcheck(L, count <= MOST, 2, "too many looks");
  cl_shape **box = cll_push_shape(L);
  for (uint32_t i = 0; i < count; i++) {
    for (int k = 1; k <= EACH; k++) lua_rawgeti(L, 2, EACH * (int)i + k);
    looks[i] = (cl_tile_look){.value = (uint8_t)lua_tointeger(L, -5),
                              .shape = cll_to_shape(L, lua_gettop(L) - 3),
                              .flags = (uint8_t)lua_tointeger(L, -3),
                              .one_way = {lua_tonumber(L, -2), lua_tonumber(L, -1)}};
    lua_pop(L, EACH);
  }
  return cll_shape_made(L, "collide.tiles", cl_shape_tiles(&alloc, grid, looks, count, box));
}

// core.overlap(shapeA, xA, yA, angleA, shapeB, xB, yB, angleB, touching)
//   -> nil, or nx, ny, depth
static int overlap(lua_State *L) {
  cl_placed a = cll_check_placed(L, 1), b = cll_check_placed(L, 5);
  cl_hit hit;
  if (!cl_overlap(&a, &b, lua_toboolean(L, 9), &hit)) {
    lua_pushnil(L);
    return 1;
  }
  return cll_push_hit(L, &hit);
}

// core.overlaps(…, touching), the same without a way out -> boolean
static int overlaps(lua_State *L) {
  cl_placed a = cll_check_placed(L, 1), b = cll_check_placed(L, 5);
  lua_pushboolean(L, cl_overlaps(&a, &b, lua_toboolean(L, 9)));
  return 1;
}

// t[key] = the name or number of a member, for the table t on top; the shape is on the stack.
static void set_member(lua_State *L, const char *key, const cl_shape *shape, uint32_t member) {
  if (member == 0) return;
  if (shape->names)
    lua_pushlstring(L, shape->names[member - 1].bytes, shape->names[member - 1].length);
  else lua_pushinteger(L, (lua_Integer)member);
  lua_setfield(L, -2, key);
}

// core.partNames(shape) -> list of the names of its members; false if they have none
static int part_names(lua_State *L) {
  const cl_shape *shape = cll_to_shape(L, 1);
  luaL_argcheck(L, shape, 1, "shape expected");
  if (!shape->names) {
    lua_pushboolean(L, false);
    return 1;
  }
  lua_createtable(L, (int)shape->member_count, 0);
  for (uint32_t i = 0; i < shape->member_count; i++) {
    lua_pushlstring(L, shape->names[i].bytes, shape->names[i].length);
    lua_rawseti(L, -2, (int)i + 1);
  }
  return 1;
}

// Pushes memory with the pairs of members that overlap, and writes how many there are.
static const cl_member_overlap *push_overlaps(lua_State *L, const cl_placed *a, const cl_placed *b,
                                              size_t *count) {
  enum { FEW = 16 };
  cl_alloc alloc = cll_alloc(L);
  size_t room = FEW;
  for (;;) {
    cl_member_overlap *at = lua_newuserdata(L, room * sizeof *at);
    cl_member_list list;
    if (cl_member_overlaps(&alloc, a, b, lua_toboolean(L, 9), &list) != CL_OK) cll_no_memory(L);
    *count = list.count;
    if (list.count <= room) {
      if (list.count > 0) memcpy(at, list.at, list.count * sizeof *at);
      cl_member_list_free(&alloc, &list);
      return at;
    }
    room = list.count;
    cl_member_list_free(&alloc, &list);
    lua_pop(L, 1);
  }
}

// core.partOverlaps(…, touching) -> list of {part =, otherPart =, depth =}
static int part_overlaps(lua_State *L) {
  cl_placed a = cll_check_placed(L, 1), b = cll_check_placed(L, 5);
  size_t count;
  if (a.shape->kind == CL_TILES && b.shape->kind == CL_TILES)
    cll_fail(L, "world:partOverlaps", "b", "shape other than tiles, if a has tiles", 5);
  const cl_member_overlap *at = push_overlaps(L, &a, &b, &count);
  if (count > INT32_MAX) return cll_no_memory(L);
  lua_createtable(L, (int)count, 0);
  for (size_t i = 0; i < count; i++) {
    lua_createtable(L, 0, 3);
    set_member(L, "part", a.shape, at[i].member);
    set_member(L, "otherPart", b.shape, at[i].other);
    cll_set_number(L, "depth", at[i].depth);
    lua_rawseti(L, -2, (int)i + 1);
  }
  return 1;
}

// core.contacts(…, touching)
//   -> list of {x =, y =, depth =, nx =, ny =, part =, otherPart =}, against tiles also column =,
//   row =, value =
static int contacts_of(lua_State *L) {
  cl_placed a = cll_check_placed(L, 1), b = cll_check_placed(L, 5);
  cl_contact touch[CL_CONTACTS_MOST];
  int n = cl_contacts(&a, &b, lua_toboolean(L, 9), touch);
  lua_createtable(L, n, 0);
  for (int i = 0; i < n; i++) {
    const cl_contact *c = &touch[i];
    lua_createtable(L, 0, c->is_tile ? 9 : 5);
    cll_set_number(L, "x", c->x);
    cll_set_number(L, "y", c->y);
    cll_set_number(L, "depth", c->depth);
    cll_set_number(L, "nx", c->nx);
    cll_set_number(L, "ny", c->ny);
    set_member(L, "part", a.shape, c->member);
    set_member(L, "otherPart", b.shape, c->other);
    if (c->is_tile) {
      cll_set_whole(L, "column", c->column);
      cll_set_whole(L, "row", c->row);
      cll_set_whole(L, "value", c->value);
    }
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

// core.distance(…) -> distance, xA, yA, xB, yB
static int distance(lua_State *L) {
  cl_placed a = cll_check_placed(L, 1), b = cll_check_placed(L, 5);
  cl_gap gap = cl_distance(&a, &b);
  return cll_push_numbers(L, 5, (const double[]){gap.distance, gap.a.x, gap.a.y, gap.b.x, gap.b.y});
}

static const cll_function methods[] = {
    {shape_kind, "shape:kind", "no arguments", ""},
    {shape_bounds, "shape:bounds", "x, y, angle or nothing", "[x y angle:angle?]"},
    {shape_contains, "shape:contains", "px, py", "px py"},
    {shape_area, "shape:area", "no arguments", ""},
    {shape_points, "shape:points", "no arguments", ""},
    {shape_radius, "shape:radius", "no arguments", ""},
    {shape_parts, "shape:parts", "no arguments", ""},
    {shape_translated, "shape:translated", "dx, dy", "dx dy"},
    {shape_rotated, "shape:rotated", "an angle", "angle:angle"},
    {shape_scaled, "shape:scaled", "sx or sx, sy", "sx:any sy:any"},
    {shape_centered, "shape:centered", "no arguments", ""},
    {shape_upright, "shape:upright", "no arguments", ""},
    {NULL, NULL, NULL, NULL},
};

static const cll_function constructors[] = {
    {rectangle, "collide.rectangle", "w, h or x, y, w, h", "[x y] w:size h:size"},
    {circle, "collide.circle", "r or x, y, r", "[x y] r:size"},
    {capsule, "collide.capsule", "x1, y1, x2, y2, r", "x1 y1 x2 y2 r:size"},
    {segment, "collide.segment", "x1, y1, x2, y2", "x1 y1 x2 y2"},
    {NULL, NULL, NULL, NULL},
};

static const luaL_Reg functions[] = {
    {"polygon", polygon},
    {"chain", chain},
    {"compound", compound},
    {"isShape", is_shape},
    {"layers", layers},
    {"wrongForm", wrong_form},
    {"newTiles", new_tiles},
    {"overlap", overlap},
    {"overlaps", overlaps},
    {"contacts", contacts_of},
    {"distance", distance},
    {"partNames", part_names},
    {"partOverlaps", part_overlaps},
    {NULL, NULL},
};

void cll_open_shape(lua_State *L) {
  cll_begin_class(L, CLL_SHAPE); /* stack: … core metatable methods */
  cll_set_functions(L, methods, enter_method, lua_gettop(L) - 1);
  cll_end_class(L, CLL_SHAPE, shape_gc, shape_tostring);
  cll_set_functions(L, constructors, cll_enter_dot, 0);
  cll_setfuncs(L, functions);
}
