// collide, MIT licence (see LICENSE)
//
// Methods of the core for the queries of world/queries.lua. They check the numbers
// that games give, and their messages name the functions that games call. All begin with
//   core, actors, slots, low, high, ignored, asking
// low and high have a bit for each selected group, of groups 0 to 31 and 32 to 63; ignored is nil,
// an actor or a list of actors; asking is the slot of the actor that the query is for, which is
// ignored too, or 0.
//
// The core's answers last until its next query, and making a table for them may run finalisers that
// query. So the list is made first, and the query repeated if anything has changed; the first
// answer of a cast goes onto the stack, without a new object. Records, the tables in a list of
// casts, are reused: see cll_fit_records. Layer: lua.

#include "lua/binding.h"

#include "base/alloc.h"

// The common arguments; OWN is a method's first own argument.
enum { ACTORS = 2, SLOTS, IGNORED = SLOTS + 3, ASKING, OWN };

uint64_t cll_groups(double low, double high) { return (uint64_t)high << 32 | (uint64_t)low; }

// Adds the slot of the actor on top of the stack, if it has one, and pops it.
static bool add_ignored(lua_State *L, cll_world *c, size_t *count) {
  lua_rawget(L, SLOTS);
  bool here = lua_type(L, -1) == LUA_TNUMBER;
  if (here) c->ignored[(*count)++] = (uint32_t)lua_tointeger(L, -1) - 1;
  lua_pop(L, 1);
  return here;
}

static int by_number(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static cl_filter filter_of(uint64_t groups, uint32_t *ignored, size_t count) {
  cl_sort_by(ignored, count, sizeof *ignored, by_number);
  return (cl_filter){groups, ignored, count};
}

// The ignored actors are in the core's memory: read them just before a query, because every other
// query uses that memory too.
cl_filter cll_read_filter(lua_State *L, cll_world *c, uint64_t groups) {
  cl_alloc alloc = cll_alloc(L);
  bool given = lua_istable(L, IGNORED);
  size_t length = given ? cll_rawlen(L, IGNORED) : 0, count = 0;
  if (CL_RESERVE(&alloc, c->ignored, c->ignored_room, length + 2) != CL_OK) cll_no_memory(L);
  lua_Integer asking = lua_tointeger(L, ASKING);
  if (asking > 0) c->ignored[count++] = (uint32_t)asking - 1;
  lua_pushvalue(L, IGNORED);
  if (!add_ignored(L, c, &count)) {
    for (size_t i = 1; i <= length; i++) {
      lua_rawgeti(L, IGNORED, (int)i);
      add_ignored(L, c, &count);
    }
  }
  return filter_of(groups, c->ignored, count);
}

// A query. A mover is placed again from its shape, which the Lua stack keeps. A front has already
// read the ignored actors: at most one.
typedef enum kind { POINT, SHAPE, NEAREST, CAST } kind;

typedef struct question {
  kind kind;
  cll_world *core;
  uint64_t groups;
  double x, y;
  size_t most;
  cl_placed with;
  cl_path path;
  bool all, is_front;
  uint32_t ignored;
  size_t ignored_count;
} question;

// Begins a query from the common arguments.
static question begin(const cll_call *c, kind of) {
  return (question){.kind = of, .core = c->core, .groups = cll_groups(c->v[2], c->v[3])};
}

static cl_answers ask(lua_State *L, const question *q) {
  cl_answers answers = {NULL, 0};
  cl_status status = CL_OK;
  cl_world *world = q->core->world;
  cl_filter filter = {q->groups, &q->ignored, q->ignored_count};
  if (!q->is_front) filter = cll_read_filter(L, q->core, q->groups);
  switch (q->kind) {
  case POINT: status = cl_world_query_point(world, q->x, q->y, filter, &answers); break;
  case SHAPE: status = cl_world_query_shape(world, &q->with, filter, &answers); break;
  case NEAREST: status = cl_world_nearest(world, q->x, q->y, q->most, filter, &answers); break;
  case CAST: status = cl_world_cast(world, &q->path, q->all, filter, &answers); break;
  }
  if (status != CL_OK) cll_no_memory(L);
  return answers;
}

// Fills the list at `index` with the actors, and removes all else. That runs no Lua code.
static void fill_list(lua_State *L, int index, cl_answers answers) {
  for (size_t i = 0; i < answers.count; i++) {
    lua_rawgeti(L, ACTORS, (int)answers.at[i].slot + 1);
    lua_rawseti(L, index, (int)i + 1);
  }
  cll_cut(L, index, answers.count);
}

static void fill_distances(lua_State *L, int index, cl_answers answers) {
  for (size_t i = 0; i < answers.count; i++) {
    lua_pushnumber(L, answers.at[i].distance);
    lua_rawseti(L, index, (int)i + 1);
  }
  cll_cut(L, index, answers.count);
}

// Makes a query, with `lists` new lists for the answers on the stack. Making these may run the
// collector, and with it finalisers that query or change this world: then it repeats the query, so
// that the lists get the latest answers.
static cl_answers ask_with_lists(lua_State *L, const question *q, int lists) {
  for (;;) {
    cl_answers answers = ask(L, q);
    uint64_t changes = cl_world_changes(q->core->world);
    for (int i = 0; i < lists; i++) lua_createtable(L, (int)answers.count, 0);
    if (q->core->world && cl_world_changes(q->core->world) == changes) return answers;
    lua_pop(L, lists);
  }
}

// Pushes the answer as a list, in the table at index OWN if there is one, and its length.
static int push_list(lua_State *L, const question *q) {
  bool given = lua_istable(L, OWN);
  cl_answers answers = ask_with_lists(L, q, given ? 0 : 1);
  if (given) lua_pushvalue(L, OWN);
  fill_list(L, lua_gettop(L), answers);
  lua_pushinteger(L, (lua_Integer)answers.count);
  return 2;
}

// A method's own numbers, from the n-th on: those after `into`.
static const double *own(const cll_call *c) { return &c->v[OWN - 1]; }

// The actors of some groups, wherever they are -> list, n. `into` false: only their number.
static int query_all(lua_State *L, const cll_call *c) {
  const cl_io *io = &c->core->io;
  uint64_t groups = cll_groups(c->v[2], c->v[3]);
  bool listed = lua_isnil(L, OWN) || lua_toboolean(L, OWN);
  lua_settop(L, OWN);
  if (listed && !lua_istable(L, OWN)) lua_newtable(L);
  int n = 0, list = lua_gettop(L);
  for (uint32_t slot = 0; slot < io->slots; slot++) {
    if (!(io->state[slot] & CL_LIVE)) continue;
    if (!(groups >> cl_world_group(c->world, slot) & 1)) continue;
    n++;
    if (!listed) continue;
    lua_rawgeti(L, ACTORS, (int)slot + 1);
    lua_rawseti(L, list, n);
  }
  if (listed) cll_cut(L, list, (size_t)n);
  lua_pushinteger(L, n);
  return 2;
}

// -> list, n
static int query_point(lua_State *L, const cll_call *c) {
  question q = begin(c, POINT);
  q.x = own(c)[0], q.y = own(c)[1];
  return push_list(L, &q);
}

// -> list, n
static int query_shape(lua_State *L, const cll_call *c) {
  question q = begin(c, SHAPE);
  q.with = cll_check_placed(L, OWN + 1);
  return push_list(L, &q);
}

// Sets the shape of a query: x, y, w, h of a rectangle; false if it cannot be.
static bool set_rect(question *q, cl_stack_shape *shape, const double v[4]) {
  double x = cl_coord_kept(v[0]), y = cl_coord_kept(v[1]), w = v[2], h = v[3];
  cl_bounds box = {x, y, cl_coord_kept(x + w), cl_coord_kept(y + h)};
  bool ends = x + w <= CL_MAX_COORD && y + h <= CL_MAX_COORD;
  if (!(ends && w >= CL_MIN_SIZE && h >= CL_MIN_SIZE && box.r > x && box.b > y)) return false;
  cl_stack_box(shape, box);
  shape->part.flags = CL_PART_BOX;
  q->with = cl_place(&shape->shape, 0, 0, 0);
  return true;
}

// -> list, n
static int query_rect(lua_State *L, const cll_call *c) {
  question q = begin(c, SHAPE);
  cl_stack_shape rectangle;
  if (set_rect(&q, &rectangle, own(c))) return push_list(L, &q);
  double x = cl_coord_kept(own(c)[0]), y = cl_coord_kept(own(c)[1]);
  double w = own(c)[2], h = own(c)[3];
  if (!(x + w > x && x + w <= CL_MAX_COORD)) {
    cll_fail(L, c->fn, "w", "number with x < x + w <= 1e12", OWN + 3);
  } else if (!(y + h > y && y + h <= CL_MAX_COORD)) {
    cll_fail(L, c->fn, "h", "number with y < y + h <= 1e12", OWN + 4);
  }
  return cll_shape_made(L, c->fn, CL_INVALID);
}

// The same for x, y, r of a circle.
static bool set_circle(question *q, cl_stack_shape *shape, const double v[3]) {
  if (!(v[2] >= CL_MIN_SIZE)) return false;
  cl_stack_circle(shape, v[2]);
  q->with = cl_place(&shape->shape, v[0], v[1], 0);
  return true;
}

// -> list, n
static int query_circle(lua_State *L, const cll_call *c) {
  question q = begin(c, SHAPE);
  cl_stack_shape circle;
  if (!set_circle(&q, &circle, own(c))) return cll_shape_made(L, c->fn, CL_INVALID);
  return push_list(L, &q);
}

// -> list, n, distances; in the tables `into` and `distances` if they are given
static int nearest(lua_State *L, const cll_call *c) {
  enum { DISTANCES = OWN + 4 };
  question q = begin(c, NEAREST);
  double most = own(c)[2];
  q.x = own(c)[0], q.y = own(c)[1];
  q.most = most < UINT32_MAX ? (size_t)most : UINT32_MAX;
  lua_settop(L, DISTANCES);
  bool given = lua_istable(L, OWN) && lua_istable(L, DISTANCES);
  cl_answers answers = ask_with_lists(L, &q, given ? 0 : 2);
  if (given) {
    lua_pushvalue(L, OWN);
    lua_pushvalue(L, DISTANCES);
  }
  int top = lua_gettop(L);
  fill_list(L, top - 1, answers);
  fill_distances(L, top, answers);
  lua_pushinteger(L, (lua_Integer)answers.count);
  lua_insert(L, -2);
  return 3;
}

static int push_cast(lua_State *L, const cl_cast *cast) {
  const double v[] = {cast->x, cast->y, cast->nx, cast->ny, cast->t};
  return cll_push_numbers(L, 5, v);
}

// The member that the first answer has hit, if any.
static uint32_t first_member(const question *q, cl_answers answers) {
  if (answers.count == 0) return 0;
  return cl_world_cast_member(q->core->world, &q->path, answers.at);
}

// Pushes the only answer, without making an object; its part is nil if it has none.
static int push_first(lua_State *L, cl_answers answers, uint32_t member) {
  if (answers.count == 0) {
    lua_pushnil(L);
    return 1;
  }
  lua_rawgeti(L, ACTORS, (int)answers.at[0].slot + 1);
  push_cast(L, &answers.at[0].cast);
  if (member > 0) lua_pushinteger(L, (lua_Integer)member);
  else lua_pushnil(L);
  return 7;
}

// Whether the list at `index` owns the record on top; `index` + 2 is listOf.
static bool is_own(lua_State *L, int index) {
  if (!lua_istable(L, -1)) return false;
  lua_pushvalue(L, -1);
  lua_rawget(L, index + 2);
  bool own = lua_rawequal(L, -1, index);
  lua_pop(L, 1);
  return own;
}

// Pushes a spare record, or a new one; returns which. A spare entry that is no table was left by a
// failed call.
static bool push_record(lua_State *L, int spare) {
  enum { FIELDS = 12 };
  size_t n = cll_rawlen(L, spare);
  lua_rawgeti(L, spare, (int)n);
  lua_pushnil(L);
  if (n > 0) lua_rawseti(L, spare, (int)n);
  else lua_pop(L, 1);
  if (lua_istable(L, -1)) return false;
  lua_pop(L, 1);
  lua_createtable(L, 0, FIELDS);
  return true;
}

// As queries.drop.
static void drop_records(lua_State *L, int index, size_t count) {
  int spare = index + 1, list_of = index + 2;
  size_t last = count;
  for (;; last++) {
    lua_rawgeti(L, index, (int)last + 1);
    bool end = lua_isnil(L, -1);
    lua_pop(L, 1);
    if (end) break;
  }
  if (last == count) return;
  size_t unused = cll_rawlen(L, spare);
  for (size_t i = 1; i <= last - count; i++) {
    lua_pushboolean(L, false);
    lua_rawseti(L, spare, (int)(unused + i));
  }
  for (size_t i = last; i > count; i--) {
    lua_rawgeti(L, index, (int)i); /* stack: … record */
    if (is_own(L, index)) {
      lua_pushvalue(L, -1);
      lua_pushnil(L);
      lua_rawset(L, list_of);
      lua_pushliteral(L, "actor");
      lua_pushboolean(L, false);
      lua_rawset(L, -3);
      lua_rawseti(L, spare, (int)++unused);
    } else {
      lua_pop(L, 1);
    }
    lua_pushnil(L);
    lua_rawseti(L, index, (int)i);
  }
}

bool cll_fit_records(lua_State *L, int index, size_t count) {
  bool made = false;
  luaL_checkstack(L, 4, NULL);
  for (size_t i = 1; i <= count; i++) {
    lua_rawgeti(L, index, (int)i); /* stack: … record */
    bool own = is_own(L, index);
    lua_pop(L, 1);
    if (own) continue;
    if (push_record(L, index + 1)) made = true; /* stack: … record */
    lua_pushvalue(L, -1);
    lua_pushvalue(L, index);
    lua_rawset(L, index + 2);
    lua_rawseti(L, index, (int)i);
  }
  drop_records(L, index, count);
  return made;
}

// Sets the fields of the record on top to the actor below it, which it replaces, and a cast.
static void fill_record(lua_State *L, const cl_cast *hit, uint32_t member) {
  lua_insert(L, -2);
  lua_setfield(L, -2, "actor");
  cll_set_number(L, "x", hit->x);
  cll_set_number(L, "y", hit->y);
  cll_set_number(L, "nx", hit->nx);
  cll_set_number(L, "ny", hit->ny);
  cll_set_number(L, "t", hit->t);
  if (member > 0) lua_pushinteger(L, (lua_Integer)member);
  else lua_pushnil(L);
  lua_setfield(L, -2, "part");
  lua_pop(L, 1);
}

// All answers of a cast as records in the list at index OWN; see cll_fit_records. Making records
// may run finalisers, so the query is repeated after that.
static int push_records(lua_State *L, const question *q) {
  bool any = false;
  cl_answers answers = ask(L, q);
  while (cll_fit_records(L, OWN, answers.count)) answers = ask(L, q);
  for (size_t i = 0; i < answers.count; i++) {
    lua_rawgeti(L, ACTORS, (int)answers.at[i].slot + 1);
    lua_rawgeti(L, OWN, (int)i + 1); /* stack: … actor record */
    uint32_t member = cl_world_cast_member(q->core->world, &q->path, &answers.at[i]);
    any = any || member > 0;
    fill_record(L, &answers.at[i].cast, member);
  }
  lua_pushvalue(L, OWN);
  lua_pushinteger(L, (lua_Integer)answers.count);
  lua_pushboolean(L, any);
  return 3;
}

// Without a table at index OWN: pushes the first answer, with the number of its member last.
// Otherwise writes all actors to that table, and six numbers for each to the next one, and pushes n
// and whether any has a member. Filling these runs no Lua code.
static int cast(lua_State *L, const cll_call *c, cl_path path) {
  question q = begin(c, CAST);
  q.path = path, q.all = lua_istable(L, OWN);
  if (!lua_checkstack(L, 12)) return cll_no_memory(L);
  if (q.all) luaL_checktype(L, OWN + 1, LUA_TTABLE);
  cl_answers answers = ask(L, &q);
  if (!q.all) return push_first(L, answers, first_member(&q, answers));
  bool any = false;
  fill_list(L, OWN, answers);
  for (size_t i = 0; i < answers.count; i++) {
    uint32_t member = cl_world_cast_member(q.core->world, &q.path, &answers.at[i]);
    any = any || member > 0;
    push_cast(L, &answers.at[i].cast);
    lua_pushinteger(L, (lua_Integer)member);
    for (int k = 6; k >= 1; k--) lua_rawseti(L, OWN + 1, 6 * (int)i + k);
  }
  lua_pushinteger(L, (lua_Integer)answers.count);
  lua_pushboolean(L, any);
  return 2;
}

static cl_path ray(const double ends[4]) {
  return (cl_path){ends[0], ends[1], ends[2], ends[3], NULL};
}

// -> as cast
static int ray_cast(lua_State *L, const cll_call *c) { return cast(L, c, ray(own(c) + 1)); }

// -> the list, n and whether there is a member, all answers as records; without `listOf` as cast
static int ray_cast_all(lua_State *L, const cll_call *c) {
  if (!lua_istable(L, OWN + 2)) return cast(L, c, ray(own(c) + 2));
  question q = begin(c, CAST);
  q.path = ray(own(c) + 2), q.all = true;
  luaL_checkstack(L, 8, NULL);
  return push_records(L, &q);
}

int32_t cll_ray_cast(cll_world *c, double low, double high, int32_t count, double x1, double y1,
                     double x2, double y2) {
  cl_path path = {x1, y1, x2, y2, NULL};
  cl_answers answers;
  bool sound = cl_coord_ok(x1) && cl_coord_ok(y1) && cl_coord_ok(x2) && cl_coord_ok(y2);
  if (!sound || !c->world) return -1;
  cl_filter filter = filter_of(cll_groups(low, high), c->few, (size_t)count);
  if (cl_world_cast(c->world, &path, false, filter, &answers) != CL_OK) return -1;
  if (answers.count == 0) return 0;
  c->cast = answers.at[0].cast;
  c->cast_member = cl_world_cast_member(c->world, &path, answers.at);
  return (int32_t)answers.at[0].slot + 1;
}

// -> as cast
static int shape_cast(lua_State *L, const cll_call *c) {
  cl_placed mover = cll_check_placed(L, OWN + 4);
  return cast(L, c, (cl_path){0, 0, own(c)[1], own(c)[2], &mover});
}

// Fronts --------------------------------------------------------------------------

// The queries with fronts. They take numbers, filter, ignore and, except for rays, into.
typedef enum front { FRONT_POINT, FRONT_RECT, FRONT_CIRCLE, FRONT_RAY, FRONTS } front;

static const struct {
  const char *name;
  int numbers, rest;
} takes[FRONTS] = {
    {"queryPoint", 2, 3}, {"queryRect", 4, 3}, {"queryCircle", 3, 3}, {"rayCast", 4, 2}};

// Reads the groups of a filter, nil or the name of a group in use, and what is ignored, nil or an
// actor of the world; false for anything else. `direct` is the index of the world's list.
static bool read_front_filter(lua_State *L, question *q, int filter, int direct) {
  double group = CL_MAX_GROUPS, slot;
  if (!lua_isnil(L, filter) && !cll_front_number(L, direct, CLL_DIRECT_GROUPS, filter, &group))
    return false;
  q->groups = group < CL_MAX_GROUPS ? UINT64_C(1) << (unsigned)group : UINT64_MAX;
  if (lua_isnil(L, filter + 1)) return true;
  if (!cll_front_number(L, direct, CLL_DIRECT_SLOTS, filter + 1, &slot)) return false;
  q->ignored = (uint32_t)slot - 1, q->ignored_count = 1;
  return true;
}

// Sets the question from the numbers; false if they are wrong.
static bool set_front(question *q, cl_stack_shape *shape, front which, const double *v) {
  switch (which) {
  case FRONT_POINT: q->kind = POINT, q->x = v[0], q->y = v[1]; return true;
  case FRONT_RECT: q->kind = SHAPE; return set_rect(q, shape, v);
  case FRONT_CIRCLE: q->kind = SHAPE; return set_circle(q, shape, v);
  default: q->kind = CAST, q->path = ray(v); return true;
  }
}

// -> as the method in Lua
static int query_front(lua_State *L) {
  front which = (front)lua_tointeger(L, lua_upvalueindex(CLL_FRONT_OWN));
  int top = lua_gettop(L), numbers = takes[which].numbers, filter = numbers + 2, into = filter + 2;
  if (top < filter - 1 || top > filter - 1 + takes[which].rest) return cll_front_slow(L, top);
  double v[4];
  bool sound = true;
  for (int i = 0; i < numbers; i++) {
    v[i] = cll_to_number(L, i + 2);
    sound = sound && cl_coord_ok(v[i]);
  }
  lua_settop(L, into);
  question q = {.core = cll_front_world(L), .is_front = true};
  int direct = into + 1;
  cl_stack_shape shape;
  bool plain = lua_isnil(L, into) || (lua_istable(L, into) && !lua_getmetatable(L, into));
  if (!(sound && q.core && plain && read_front_filter(L, &q, filter, direct) &&
        set_front(&q, &shape, which, v))) {
    return cll_front_slow(L, top);
  }
  cl_answers first = {NULL, 0};
  if (which == FRONT_RAY) first = ask(L, &q);
  uint32_t member = first_member(&q, first);
  // The method in Lua reads the names.
  if (member > 0 && cl_world_member_name(q.core->world, first.at->slot, member).bytes)
    return cll_front_slow(L, top);
  lua_pushvalue(L, into);
  lua_rawgeti(L, direct, CLL_DIRECT_ACTORS);
  lua_replace(L, ACTORS);
  lua_insert(L, OWN);
  lua_settop(L, OWN);
  return which == FRONT_RAY ? push_first(L, first, member) : push_list(L, &q);
}

// core.queryFront(name, method in Lua) -> the front
static int push_query_front(lua_State *L) {
  const char *name = luaL_checkstring(L, 1);
  int which = 0;
  while (which < FRONTS && strcmp(name, takes[which].name) != 0) which++;
  lua_remove(L, 1);
  lua_settop(L, 1);
  lua_pushinteger(L, which);
  return cll_push_front(L, query_front, 1);
}

// The arguments of all methods; those of each follow.
#define ALL "actors:table slots:table low:number high:number ignored:any asking:any into:any "

static const cll_function methods[] = {
    {query_all, "all", NULL, ALL},
    {query_point, "world:queryPoint", NULL, ALL "x y"},
    {query_shape, "world:queryShape", NULL, ALL "shape:any x y angle:angle"},
    {query_rect, "world:queryRect", NULL, ALL "x y w:positive h:positive"},
    {query_circle, "world:queryCircle", NULL, ALL "x y r:positive"},
    {nearest, "world:nearest", NULL, ALL "x y most:number distances:any"},
    {ray_cast, "world:rayCast", NULL, ALL "numbers:any x1 y1 x2 y2"},
    {ray_cast_all, "world:rayCastAll", NULL, ALL "spare:any listOf:any x1 y1 x2 y2"},
    {shape_cast, "world:shapeCast", NULL, ALL "numbers:any dx dy shape:any x y angle:angle"},
    {NULL, NULL, NULL, NULL},
};

void cll_open_query_methods(lua_State *L) { /* stack: … metatable methods */
  cll_set_functions(L, methods, cll_enter_core, lua_gettop(L) - 1);
}

void cll_open_query_front(lua_State *L) {
  if (!CLL_HAS_FRONTS) return;
  lua_pushcfunction(L, push_query_front);
  lua_setfield(L, -2, "queryFront");
}
