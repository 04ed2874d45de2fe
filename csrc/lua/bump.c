// collide, MIT licence (see LICENSE)
//
// Worlds of collide.bump, their searches, and the functions of bump.rect. The Lua files of bump/
// have a table for each item, `rect`, and know it by its slot, which counts from 1: `rect[1]` is
// the slot, `items[slot]` the item, and `list[slot]` the table. Layer: lua.

#include "lua/binding.h"

#include "bump/bump.h"

#define CLL_BUMP "collide.core.bump"
#define CLL_BUMP_SEARCH "collide.core.bumpSearch"

// ---- Worlds

static cl_bump *check_bump(lua_State *L) {
  cl_bump **box = cll_self(L);
  if (!box || !*box) cll_error(L, "attempt to use a world that has been collected");
  return *box;
}

static int bump_gc(lua_State *L) {
  cl_bump **box = cll_collect(L, CLL_BUMP);
  cl_bump_release(*box);
  *box = NULL;
  return 0;
}

// core.newBump(cellSize) -> world
static int new_bump(lua_State *L) {
  double cell = luaL_checknumber(L, 1);
  luaL_argcheck(L, cell >= CL_BUMP_MIN_CELL && cell <= CL_MAX_COORD, 1, "size of a cell expected");
  cl_alloc alloc = cll_alloc(L);
  cl_bump **box = cll_push_object(L, CLL_BUMP, sizeof *box);
  *box = cl_bump_new(&alloc, cell);
  return *box ? 1 : cll_no_memory(L);
}

// The rectangle of the four numbers from `index` on.
static cl_rect to_rect(lua_State *L, int index) {
  return (cl_rect){lua_tonumber(L, index), lua_tonumber(L, index + 1), lua_tonumber(L, index + 2),
                   lua_tonumber(L, index + 3)};
}

static uint32_t check_slot(lua_State *L, const cl_bump *b, int index) {
  lua_Integer slot = luaL_checkinteger(L, index) - 1;
  luaL_argcheck(L, slot >= 0 && slot < UINT32_MAX && cl_bump_has(b, (uint32_t)slot), index,
                "no such item");
  return (uint32_t)slot;
}

// world:cells(slot) -> left, top, right, bottom
static int bump_cells(lua_State *L) {
  cl_bump *b = check_bump(L);
  cl_bounds c = cl_bump_cells(b, check_slot(L, b, 2));
  const double v[] = {c.l, c.t, c.r, c.b};
  for (int i = 0; i < 4; i++) {
    if (v[i] < CLL_MOST_EXACT) cll_pushwhole(L, v[i]);
    else lua_pushnumber(L, v[i]);
  }
  return 4;
}

// world:count() -> the number of items; world:changes() -> a number that each change makes another
static int bump_count(lua_State *L) {
  lua_pushinteger(L, (lua_Integer)cl_bump_count(check_bump(L)));
  return 1;
}

static int bump_changes(lua_State *L) {
  lua_pushinteger(L, (lua_Integer)*cl_bump_changes(check_bump(L)));
  return 1;
}

// ---- Searches

// The functions of a search that the accelerator calls. They return numbers below 0 for a bad
// argument or when out of memory.
// - look_now: how many were found; meet_all_now: as first_now
// - candidate_now: the slot of the i-th that was found, from 1 on; or 0
// - meet_now: its index in `hit`, from 1 on, if it is met first; minus its index if later; or 0
// - first_now: the index of the hit that is the first, met from then on; or 0
// - rank_now: the number of hits
// - reserve_now: the slot that add_now gives to an item; add_now: the same
// - all_now, query_now, a point if w is 0, and segment_now: how many were found
#define CALLS(X)                                                                                   \
  X(look_now, int32_t,                                                                             \
    (cll_search *, double own, int goes_on, double x, double y, double w, double h, double goal_x, \
     double goal_y))                                                                               \
  X(meet_all_now, int32_t,                                                                         \
    (cll_search *, double own, int goes_on, double x, double y, double w, double h, double goal_x, \
     double goal_y))                                                                               \
  X(candidate_now, int32_t, (cll_search *, double i))                                              \
  X(meet_now, int32_t, (cll_search *, double i))                                                   \
  X(first_now, int32_t, (cll_search *))                                                            \
  X(rank_now, int32_t, (cll_search *))                                                             \
  X(set_met_now, int32_t, (cll_search *, double slot))                                             \
  X(was_met_now, bool, (cll_search *, double slot))                                                \
  X(reserve_now, int32_t, (cll_search *))                                                          \
  X(add_now, int32_t, (cll_search *, double x, double y, double w, double h))                      \
  X(remove_now, int32_t, (cll_search *, double slot))                                              \
  X(place_now, int32_t, (cll_search *, double slot, double x, double y, double w, double h))       \
  X(all_now, int32_t, (cll_search *))                                                              \
  X(query_now, int32_t, (cll_search *, double x, double y, double w, double h))                    \
  X(segment_now, int32_t, (cll_search *, double x1, double y1, double x2, double y2))

// The userdata of a search. The accelerator reads what its functions have found.
typedef struct cll_search cll_search;
struct cll_search {
#define MEMBER(name, type, takes) type(*name) takes;
  CALLS(MEMBER)
#undef MEMBER
  const cl_bump_found *found;
  const cl_bump_hit *hit;
  const uint32_t *changes; ///< of the world
  uint32_t seen;           ///< how many there were before a look
  cl_bump_search *search;
  int32_t asked, to_ask; ///< of a front: how many a filter was asked about, and how many are found
  bool projects;         ///< for World:project, so all that is met counts
  size_t cols;           ///< and the collisions,
  uint32_t began;        ///< the changes of the world when
  double own;            ///< the item had this slot, and was where its move began
};

const cl_field cll_bump_layout[] = {
#define LAYOUT(name, type, takes) CL_FIELD(cll_search, name, #name, type(*) takes),
    CALLS(LAYOUT)
#undef LAYOUT
        CL_FIELD(cll_search, found, "found", const cl_bump_found *),
    CL_FIELD(cll_search, hit, "hit", const cl_bump_hit *),
    CL_FIELD(cll_search, changes, "changes", const uint32_t *),
    CL_FIELD(cll_search, seen, "seen", uint32_t),
    {NULL, NULL, 0},
};

const cl_field cll_found_layout[] = {
    CL_FIELD(cl_bump_found, order, "order", uint64_t),
    CL_FIELD(cl_bump_found, slot, "slot", uint32_t),
    {NULL, NULL, 0},
};

const cl_field cll_bump_hit_layout[] = {
    CL_FIELD(cl_bump_hit, how.overlaps, "overlaps", bool),
    CL_FIELD(cl_bump_hit, how.ti, "ti", double),
    CL_FIELD(cl_bump_hit, how.normal, "normal", cl_vec),
    CL_FIELD(cl_bump_hit, how.touch, "touch", cl_vec),
    CL_FIELD(cl_bump_hit, distance, "distance", double),
    CL_FIELD(cl_bump_hit, order, "order", uint64_t),
    CL_FIELD(cl_bump_hit, slot, "slot", uint32_t),
    CL_FIELD(cl_bump_hit, at, "at", uint32_t),
    {NULL, NULL, 0},
};

// Shows what was found.
static void show(cll_search *io) {
  size_t count;
  io->found = cl_bump_items(io->search, &count);
  io->hit = cl_bump_hits(io->search, &count);
  io->seen = *io->changes;
}

static int32_t show_found(cll_search *io, cl_status status) {
  size_t count;
  show(io);
  cl_bump_items(io->search, &count);
  return status == CL_OK ? (int32_t)count : -1;
}

static int32_t show_hits(cll_search *io, cl_status status) {
  size_t count;
  show(io);
  cl_bump_hits(io->search, &count);
  return status == CL_OK ? (int32_t)count : -1;
}

static int32_t first_now(cll_search *io) {
  const cl_bump_hit *first;
  if (!io->search || cl_bump_first(io->search, &first) != CL_OK) return -1;
  return first ? (int32_t)(first - io->hit) + 1 : 0;
}

// Begins a move, or goes on after the first hit.
static int32_t begin_way(cll_search *io, bool goes_on) {
  if (goes_on) return first_now(io);
  cl_bump_begin(io->search);
  return 0;
}

// A way from a rectangle to a goal, with which a move begins or goes on. `own` is the slot of the
// item that moves, or 0.
static int32_t look_now(cll_search *io, double own, int goes_on, double x, double y, double w,
                        double h, double goal_x, double goal_y) {
  if (!io->search || !(own >= 0 && own <= INT32_MAX) || begin_way(io, goes_on) < 0) return -1;
  return show_found(io, cl_bump_look(io->search, &(cl_rect){x, y, w, h}, (cl_vec){goal_x, goal_y},
                                     (uint32_t)own - 1));
}

static int32_t meet_all_now(cll_search *io, double own, int goes_on, double x, double y, double w,
                            double h, double goal_x, double goal_y) {
  if (!io->search || !(own >= 0 && own <= INT32_MAX) || begin_way(io, goes_on) < 0) return -1;
  cl_status status = cl_bump_meet_all(io->search, &(cl_rect){x, y, w, h}, (cl_vec){goal_x, goal_y},
                                      (uint32_t)own - 1);
  show(io);
  return status == CL_OK ? first_now(io) : -1;
}

static bool is_found(const cll_search *io, double i) {
  size_t count = 0;
  if (io->search) cl_bump_items(io->search, &count);
  return i >= 1 && i <= (double)count;
}

static int32_t candidate_now(cll_search *io, double i) {
  if (!is_found(io, i)) return 0;
  uint32_t slot = cl_bump_candidate(io->search, (size_t)i - 1);
  return slot == CL_BUMP_NONE ? 0 : (int32_t)slot + 1;
}

static int32_t meet_now(cll_search *io, double i) {
  bool first;
  if (!is_found(io, i) || !cl_bump_meet(io->search, (size_t)i - 1, &first)) return 0;
  size_t hits;
  cl_bump_hits(io->search, &hits);
  return first ? (int32_t)hits : -(int32_t)hits;
}

static int32_t rank_now(cll_search *io) {
  if (!io->search) return -1;
  cl_bump_rank(io->search);
  return show_hits(io, CL_OK);
}

static int32_t reserve_now(cll_search *io) {
  uint32_t slot;
  if (!io->search || cl_bump_reserve(cl_bump_of(io->search), &slot) != CL_OK) return -1;
  return (int32_t)slot + 1;
}

static int32_t add_now(cll_search *io, double x, double y, double w, double h) {
  int32_t slot = reserve_now(io);
  if (slot > 0) cl_bump_add(cl_bump_of(io->search), (uint32_t)slot - 1, (cl_rect){x, y, w, h});
  return slot;
}

// The world if it has an item in that slot, else NULL.
static cl_bump *world_with(const cll_search *io, double slot) {
  cl_bump *b = io->search ? cl_bump_of(io->search) : NULL;
  bool has = b && slot >= 1 && slot <= INT32_MAX && cl_bump_has(b, (uint32_t)slot - 1);
  return has ? b : NULL;
}

static int32_t remove_now(cll_search *io, double slot) {
  cl_bump *b = world_with(io, slot);
  if (!b) return -1;
  cl_bump_remove(b, (uint32_t)slot - 1);
  return 0;
}

static int32_t place_now(cll_search *io, double slot, double x, double y, double w, double h) {
  cl_bump *b = world_with(io, slot);
  if (!b) return -1;
  cl_bump_place(b, (uint32_t)slot - 1, (cl_rect){x, y, w, h});
  return 0;
}

static int32_t set_met_now(cll_search *io, double slot) {
  if (!world_with(io, slot)) return -1;
  return cl_bump_set_met(io->search, (uint32_t)slot - 1) == CL_OK ? 0 : -1;
}

static bool was_met_now(cll_search *io, double slot) {
  return world_with(io, slot) && cl_bump_was_met(io->search, (uint32_t)slot - 1);
}

static int32_t all_now(cll_search *io) {
  return io->search ? show_found(io, cl_bump_all(io->search)) : -1;
}

static int32_t query_now(cll_search *io, double x, double y, double w, double h) {
  if (!io->search) return -1;
  return show_found(io, w > 0 ? cl_bump_query_rect(io->search, &(cl_rect){x, y, w, h})
                              : cl_bump_query_point(io->search, (cl_vec){x, y}));
}

static int32_t segment_now(cll_search *io, double x1, double y1, double x2, double y2) {
  cl_vec from = {x1, y1}, to = {x2, y2};
  if (!io->search || !cl_place_ok(from) || !cl_place_ok(to)) return -1;
  return show_hits(io, cl_bump_query_segment(io->search, from, to));
}

// world:search() -> search
static int bump_search(lua_State *L) {
  cl_bump *b = check_bump(L);
  cll_search *io = cll_push_object(L, CLL_BUMP_SEARCH, sizeof *io);
  *io = (cll_search){
#define SET(name, type, takes) .name = name,
      CALLS(SET)
#undef SET
          .changes = cl_bump_changes(b),
      .search = cl_bump_search_new(b)};
  return io->search ? 1 : cll_no_memory(L);
}

static int enter_search(lua_State *L) {
  cll_search *io = cll_self(L);
  if (!io || !io->search) cll_error(L, "attempt to use a search that has been collected");
  return cll_enter(L, cll_running(L), 2, io, false);
}

static int search_gc(lua_State *L) {
  cll_search *io = cll_collect(L, CLL_BUMP_SEARCH);
  cl_bump_search_free(io->search);
  io->search = NULL;
  return 0;
}

// -> a number of the functions above
static int push_count(lua_State *L, int32_t count) {
  if (count < 0) return cll_no_memory(L);
  lua_pushinteger(L, count);
  return 1;
}

// -> slot of the item that is added to the list of items, and its rectangle to the other list. If
// memory runs out, nothing changes.
static int search_add(lua_State *L, const cll_call *c) {
  const double *at = &c->v[4];
  int32_t slot = reserve_now(c->self);
  if (slot < 0) return cll_no_memory(L);
  for (int i = 2; i <= 4; i += 2) {
    lua_pushvalue(L, i + 1);
    lua_rawseti(L, i, slot);
  }
  return push_count(L, add_now(c->self, at[0], at[1], at[2], at[3]));
}

static int search_remove(lua_State *L, const cll_call *c) {
  luaL_argcheck(L, remove_now(c->self, c->v[0]) == 0, 2, "no such item");
  return 0;
}

static int search_place(lua_State *L, const cll_call *c) {
  const double *v = c->v;
  luaL_argcheck(L, place_now(c->self, v[0], v[1], v[2], v[3], v[4]) == 0, 2, "no such item");
  return 0;
}

typedef int32_t look_function(cll_search *, double, int, double, double, double, double, double,
                              double);

// Looks on a way, whose numbers may be anything: a response of the game's may have made them.
static int push_look(lua_State *L, const cll_call *c, look_function *look) {
  cl_rect from = to_rect(L, 4);
  return push_count(L, look(c->self, c->v[0], c->v[1] != 0, from.x, from.y, from.w, from.h,
                            lua_tonumber(L, 8), lua_tonumber(L, 9)));
}

// -> n: those that a filter is to be asked about
static int search_look(lua_State *L, const cll_call *c) { return push_look(L, c, look_now); }

// -> as search_first
static int search_meet_all(lua_State *L, const cll_call *c) {
  return push_look(L, c, meet_all_now);
}

// -> its slot, 0 if it is gone
static int search_candidate(lua_State *L, const cll_call *c) {
  return push_count(L, candidate_now(c->self, c->v[0]));
}

// -> the number of the hit if it is met and the first up to now, minus that number if it is met
// later, or 0
static int search_meet(lua_State *L, const cll_call *c) {
  lua_pushinteger(L, meet_now(c->self, c->v[0]));
  return 1;
}

// -> the number of the hit that is the first, or 0; it is met from now on
static int search_first(lua_State *L, const cll_call *c) {
  return push_count(L, first_now(c->self));
}

// -> n: puts the hits in order
static int search_rank(lua_State *L, const cll_call *c) { return push_count(L, rank_now(c->self)); }

// -> overlaps, ti, nx, ny, x, y
static int push_meeting(lua_State *L, const cl_rect_meeting *m) {
  lua_pushboolean(L, m->overlaps);
  lua_pushnumber(L, m->ti);
  cll_pushwhole(L, m->normal.x);
  cll_pushwhole(L, m->normal.y);
  return 4 + cll_push_numbers(L, 2, (const double[]){m->touch.x, m->touch.y});
}

// A hit, which is at its place `at` until the hits are ranked.
static const cl_bump_hit *check_hit(lua_State *L, const cll_call *c) {
  const cll_search *io = c->self;
  size_t count;
  const cl_bump_hit *hit = cl_bump_hits(io->search, &count);
  luaL_argcheck(L, c->v[0] >= 1 && c->v[0] <= (double)count, 2, "no such hit");
  return &hit[(size_t)c->v[0] - 1];
}

// -> slot, at and the results of push_meeting
static int search_hit(lua_State *L, const cll_call *c) {
  const cl_bump_hit *hit = check_hit(L, c);
  cll_push_slot(L, hit->slot);
  cll_push_slot(L, hit->at);
  return 2 + push_meeting(L, &hit->how);
}

// -> at, t1, t2: on a segment
static int search_passed(lua_State *L, const cll_call *c) {
  const cl_bump_hit *hit = check_hit(L, c);
  cll_push_slot(L, hit->at);
  return 1 + cll_push_numbers(L, 2, (const double[]){hit->how.normal.x, hit->how.normal.y});
}

static int search_set_met(lua_State *L, const cll_call *c) {
  return set_met_now(c->self, c->v[0]) == 0 ? 0 : cll_no_memory(L);
}

// -> boolean
static int search_was_met(lua_State *L, const cll_call *c) {
  lua_pushboolean(L, was_met_now(c->self, c->v[0]));
  return 1;
}

// Pushes a list of the `count` that were found, of the items by slot at an index, and the count.
static int push_found(lua_State *L, const cll_search *io, int items, int32_t count) {
  if (count < 0) return cll_no_memory(L);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, items, (int)io->found[i].slot + 1);
    lua_rawseti(L, -2, i + 1);
  }
  lua_pushinteger(L, count);
  return 2;
}

// -> list, n
static int search_all(lua_State *L, const cll_call *c) {
  return push_found(L, c->self, 2, all_now(c->self));
}

// -> list, n
static int search_query(lua_State *L, const cll_call *c) {
  const double *at = &c->v[1];
  return push_found(L, c->self, 2, query_now(c->self, at[0], at[1], at[2], at[3]));
}

// -> the number of hits, whose items fill the list
static int search_query_segment(lua_State *L, const cll_call *c) {
  const cll_search *io = c->self;
  const double *way = &c->v[2];
  int32_t hits = segment_now(c->self, way[0], way[1], way[2], way[3]);
  for (int i = 0; i < hits; i++) {
    lua_rawgeti(L, 3, (int)io->hit[i].slot + 1);
    lua_rawseti(L, 2, i + 1);
  }
  return push_count(L, hits);
}

// ---- Fronts of World:move and World:check
//
// From Lua 5.3 on a filter can yield through C. So there the usual moves are made here, with the
// responses of bump, and all others by the methods in lua/collide/bump/move.lua, which explains
// them; a move that meets a response of the game's goes on there. Coordinates stay the game's own
// values, since whole numbers look otherwise than the same numbers as floats.

#if CLL_HAS_FRONTS

enum { FRONT_TOUCH, FRONT_CROSS, FRONT_SLIDE, FRONT_BOUNCE, FRONT_RESPONSES, FRONT_NONE };
enum { K_RECTS, K_ITEMS, K_LIST, K_SPARE, K_SEARCH, K_VIEWS, K_RESPONSES };
enum { K_ITEM = K_RESPONSES + 1, K_X, K_Y, K_W, K_H, K_OTHER };
enum { K_TYPE = K_OTHER + 1, K_OVERLAPS, K_TI, K_MOVE, K_NORMAL, K_TOUCH, K_ITEM_RECT };
enum { K_OTHER_RECT = K_ITEM_RECT + 1, K_SLIDE, K_BOUNCE, FRONT_KEYS };
static const char *const front_keys[FRONT_KEYS] = {
    "_rects", "_items", "_list", "_spare",   "_search",   "_views", "responses", "item",
    "x",      "y",      "w",     "h",        "other",     "type",   "overlaps",  "ti",
    "move",   "normal", "touch", "itemRect", "otherRect", "slide",  "bounce",
};

// Upvalues: the metatable of searches, the method in Lua, what goes on with a response of the
// game's, what moves the item where that may fail, or nil for World:check, bump's responses, keys.
enum { UP_SEARCH = 1, UP_FOLLOW = 3, UP_COMMIT, UP_RESPONSES, UP_KEYS = UP_RESPONSES + 4 };

// The stack: the arguments; the item's rectangle, the search in its table and itself, items and
// rectangles by slot; where the item begins, where its way does; the collisions; what is met first.
enum { S_WORLD = 1, S_ITEM, S_GOAL_X, S_GOAL_Y, S_FILTER, S_RECT, S_WAY, S_SEARCH, S_ITEMS };
enum { S_LIST = S_ITEMS + 1, S_X, S_Y, S_W, S_H, S_FROM_X, S_FROM_Y };
enum { S_COLS = S_FROM_Y + 1, S_OTHER, S_FIRST, S_NAME, S_TOP = S_NAME };

static void push_key_of(lua_State *L, int key) {
  lua_pushvalue(L, lua_upvalueindex(UP_KEYS + key));
}

static int get_field_of(lua_State *L, int t, int key) {
  push_key_of(L, key);
  return cll_rawget(L, t);
}

// t[key] = the value on top, for the table below it
static void set_field_of(lua_State *L, int key) {
  push_key_of(L, key);
  lua_insert(L, -2);
  lua_rawset(L, -3);
}

// Pushes { x = …, y = … } and, of four values at `index`, w and h.
static void push_fields(lua_State *L, int index, int count) {
  lua_createtable(L, 0, count);
  for (int i = 0; i < count; i++) {
    push_key_of(L, K_X + i);
    lua_pushvalue(L, index + i);
    lua_rawset(L, -3);
  }
}

// The search at an index, or NULL.
static cll_search *to_search(lua_State *L, int index) {
  if (lua_type(L, index) != LUA_TUSERDATA || !lua_getmetatable(L, index)) return NULL;
  bool is_search = lua_rawequal(L, -1, lua_upvalueindex(UP_SEARCH));
  lua_pop(L, 1);
  cll_search *io = is_search ? lua_touserdata(L, index) : NULL;
  return io && io->search ? io : NULL;
}

static cll_search *front_search(lua_State *L) { return lua_touserdata(L, S_SEARCH); }

// Take the first of the World's spare searches, with its table at an index, and give it back.
static void take_way(lua_State *L, int way) {
  push_key_of(L, K_SPARE);
  lua_rawgeti(L, way, 2);
  lua_rawset(L, S_WORLD);
}

static void give_way(lua_State *L, int way) {
  get_field_of(L, S_WORLD, K_SPARE);
  lua_rawseti(L, way, 2);
  push_key_of(L, K_SPARE);
  lua_pushvalue(L, way);
  lua_rawset(L, S_WORLD);
}

static bool is_place_at(lua_State *L, int index) {
  double v = 0;
  return cll_within(L, index, lua_type(L, index), CL_MAX_COORD, &v) &&
         cll_within(L, index + 1, lua_type(L, index + 1), CL_MAX_COORD, &v);
}

// A function, or nothing. The methods in Lua take all else that can be called.
static bool is_filter_at(lua_State *L, int index) {
  return lua_isnil(L, index) || lua_isfunction(L, index);
}

// Pushes the table of the World's field; false if it has none.
static bool push_table_of(lua_State *L, int key) {
  return lua_istable(L, S_WORLD) && get_field_of(L, S_WORLD, key) == LUA_TTABLE;
}

// Pushes the World's rectangles by item, and that of the item; false if there is none.
static bool push_rectangle(lua_State *L) {
  if (!push_table_of(L, K_RECTS)) return false;
  lua_pushvalue(L, S_ITEM);
  return cll_rawget(L, -2) == LUA_TTABLE;
}

// Pushes the first of the World's spare ways, a table which has its search at 1 and the next way at
// 2, and that search; NULL if there is none.
static cll_search *push_way(lua_State *L) {
  if (!push_table_of(L, K_SPARE)) return NULL;
  lua_rawgeti(L, -1, 1);
  return to_search(L, -1);
}

// Pushes the World's items and their rectangles, both by slot; false if it has none.
static bool push_lists(lua_State *L) {
  return push_table_of(L, K_ITEMS) && push_table_of(L, K_LIST);
}

// Reads what a move needs; false if the method in Lua has to make it.
static bool read_move(lua_State *L) {
  lua_settop(L, S_FILTER);
  if (!is_place_at(L, S_GOAL_X) || !is_filter_at(L, S_FILTER) || !push_rectangle(L)) return false;
  lua_replace(L, S_RECT);
  if (!push_way(L)) return false;
  if (!push_lists(L)) return false;
  for (int i = 0; i < 4; i++)
    if (get_field_of(L, S_RECT, K_X + i) != LUA_TNUMBER) return false;
  lua_pushvalue(L, S_X);
  lua_pushvalue(L, S_Y);
  lua_settop(L, S_TOP);
  return true;
}

// Pushes the rectangle that the item has now, or what is there instead: a filter may have removed
// the item, and added it again.
static bool push_present(lua_State *L) {
  bool present = push_rectangle(L);
  lua_remove(L, S_TOP + 1);
  return present;
}

// Looks on the rest of the way: for the filter or, without one, for all that is met.
static void front_look(lua_State *L, cll_search *io, bool goes_on) {
  double goal_x = lua_tonumber(L, S_GOAL_X), goal_y = lua_tonumber(L, S_GOAL_Y);
  double x = lua_tonumber(L, S_FROM_X), y = lua_tonumber(L, S_FROM_Y);
  double w = lua_tonumber(L, S_W), h = lua_tonumber(L, S_H);
  double slot = io->own;
  if (io->began != *io->changes) {
    slot = 0;
    if (push_present(L)) {
      lua_rawgeti(L, S_TOP + 1, 1);
      slot = lua_tonumber(L, -1);
    }
    lua_settop(L, S_TOP);
  }
  look_function *look = lua_isnil(L, S_FILTER) ? meet_all_now : look_now;
  int32_t n = look(io, slot, goes_on, x, y, w, h, goal_x, goal_y);
  if (n < 0) cll_no_memory(L);
  io->asked = 0, io->to_ask = look == look_now ? n : 0;
}

// What bump's response to a meeting makes of the rest of the way, as move.lua has it; whether there
// is a rest.
static bool front_respond(lua_State *L, int response, const cl_rect_meeting *m) {
  double x = lua_tonumber(L, S_FROM_X), y = lua_tonumber(L, S_FROM_Y);
  double goal_x = lua_tonumber(L, S_GOAL_X), goal_y = lua_tonumber(L, S_GOAL_Y);
  bool moves = goal_x - x != 0 || goal_y - y != 0, level = m->normal.x == 0;
  if (response == FRONT_CROSS) {
    lua_pushvalue(L, S_X);
    lua_replace(L, S_FROM_X);
    lua_pushvalue(L, S_Y);
    lua_replace(L, S_FROM_Y);
    return true;
  }
  cl_vec from = m->touch, to = from;
  bool keeps_x = response == FRONT_SLIDE && (!moves || level);
  bool keeps_y = response == FRONT_SLIDE && (!moves || !level);
  if (response == FRONT_BOUNCE && moves) {
    double rest_x = goal_x - from.x, rest_y = goal_y - from.y;
    to.x = from.x + (level ? rest_x : -rest_x);
    to.y = from.y + (level ? -rest_y : rest_y);
  }
  cll_push_numbers(L, 4, (const double[]){to.x, to.y, from.x, from.y});
  lua_replace(L, S_FROM_Y);
  lua_replace(L, S_FROM_X);
  if (keeps_y) lua_pop(L, 1);
  else lua_replace(L, S_GOAL_Y);
  if (keeps_x) lua_pop(L, 1);
  else lua_replace(L, S_GOAL_X);
  return response != FRONT_TOUCH;
}

// Pushes the collision with S_FIRST.
static void push_collision(lua_State *L, const cl_rect_meeting *m) {
  lua_createtable(L, 0, K_SLIDE - K_OTHER + 2);
  lua_pushvalue(L, S_ITEM);
  set_field_of(L, K_ITEM);
  lua_pushvalue(L, S_OTHER);
  set_field_of(L, K_OTHER);
  lua_pushvalue(L, S_NAME);
  set_field_of(L, K_TYPE);
  lua_pushboolean(L, m->overlaps);
  set_field_of(L, K_OVERLAPS);
  lua_pushnumber(L, m->ti);
  set_field_of(L, K_TI);
  int col = lua_gettop(L);
  for (int i = 0; i < 2; i++) { // a - b is computed as Lua does: of whole numbers a whole number
    lua_pushvalue(L, S_GOAL_X + i);
    lua_pushvalue(L, S_FROM_X + i);
    lua_arith(L, LUA_OPSUB);
  }
  cll_pushwhole(L, m->normal.x);
  cll_pushwhole(L, m->normal.y);
  cll_push_numbers(L, 2, (const double[]){m->touch.x, m->touch.y});
  for (int i = 0; i < 4; i++) lua_pushvalue(L, i < 2 ? S_FROM_X + i : S_W + i - 2);
  for (int i = 0; i < 4; i++) get_field_of(L, S_FIRST, K_X + i);
  static const int keys[] = {K_MOVE, K_NORMAL, K_TOUCH, K_ITEM_RECT, K_OTHER_RECT};
  for (int i = 0, at = col + 1; i < 5; at += i < 3 ? 2 : 4, i++) {
    push_key_of(L, keys[i]);
    push_fields(L, at, i < 3 ? 2 : 4);
    lua_rawset(L, col);
  }
  lua_settop(L, col);
}

// Reads what is slid along as there is no filter.
static void read_slid_along(lua_State *L, const cl_bump_hit *hit) {
  lua_rawgeti(L, S_ITEMS, (int)hit->slot + 1);
  lua_rawgeti(L, S_LIST, (int)hit->slot + 1);
  push_key_of(L, K_SLIDE);
  for (int i = S_NAME; i >= S_OTHER; i--) lua_replace(L, i);
}

// The response of that name, if it is one of bump's: below FRONT_RESPONSES.
static int front_response(lua_State *L) {
  int r = FRONT_RESPONSES, top = lua_gettop(L);
  if (get_field_of(L, S_WORLD, K_RESPONSES) == LUA_TTABLE) {
    lua_pushvalue(L, S_NAME);
    lua_rawget(L, -2);
    for (r = 0; r < FRONT_RESPONSES; r++)
      if (lua_rawequal(L, -1, lua_upvalueindex(UP_RESPONSES + r))) break;
  }
  lua_settop(L, top);
  return r;
}

// Makes the collision with what is met first, and lets bump's response go on from there: which one
// is returned, FRONT_NONE if nothing is met, or FRONT_RESPONSES, with the collision on top, if it
// is a response of the game's. `on` says whether there is a rest of the way.
static int front_collide(lua_State *L, cll_search *io, bool *on) {
  const cl_bump_hit *first;
  if (cl_bump_first(io->search, &first) != CL_OK) return cll_no_memory(L);
  if (!first) return FRONT_NONE;
  cl_rect_meeting m = first->how;
  if (lua_isnil(L, S_FILTER)) read_slid_along(L, first);
  luaL_checktype(L, S_FIRST, LUA_TTABLE);
  push_collision(L, &m);
  int r = front_response(L);
  if (r == FRONT_RESPONSES) return r;
  if (io->cols++ == 0) {
    lua_createtable(L, 1, 0);
    lua_replace(L, S_COLS);
  }
  lua_pushvalue(L, -1);
  lua_rawseti(L, S_COLS, (int)io->cols);
  *on = front_respond(L, r, &m);
  if (r >= FRONT_SLIDE) {
    push_fields(L, S_GOAL_X, 2);
    set_field_of(L, K_SLIDE + r - FRONT_SLIDE);
  }
  lua_settop(L, S_TOP);
  return r;
}

// After a call: its results are those of the front, so many.
static int front_ended(lua_State *L, int status, lua_KContext results) {
  (void)L, (void)status;
  return (int)results;
}

// Goes on in Lua with the collision on top.
static int front_follow(lua_State *L, const cll_search *io) {
  enum { FOLLOWED = 13 };
  lua_pushvalue(L, lua_upvalueindex(UP_FOLLOW));
  lua_pushvalue(L, S_WORLD);
  lua_pushvalue(L, S_WAY);
  lua_pushvalue(L, S_ITEM);
  for (int i = 0; i < 4; i++) lua_pushvalue(L, S_X + i);
  for (int i = 0; i < 3; i++) lua_pushvalue(L, S_GOAL_X + i); // with the filter
  lua_pushvalue(L, S_COLS);
  lua_pushinteger(L, (lua_Integer)io->cols);
  lua_pushvalue(L, S_TOP + 1);
  lua_callk(L, FOLLOWED, 4, 4, front_ended);
  return 4;
}

// Moves the item to the goal; false if the method in Lua has to, or to say why it cannot.
static bool front_move(lua_State *L, cll_search *io) {
  enum { NOW = S_TOP + 1 };
  double v[5];
  if (!is_place_at(L, S_GOAL_X)) return false;
  if (io->began == *io->changes) {
    for (int i = 0; i < 4; i++) v[i] = lua_tonumber(L, S_X + i);
    v[4] = io->own;
    lua_pushvalue(L, S_RECT);
  } else if (push_present(L)) {
    for (int i = 0; i < 5; i++) {
      if (i < 4) get_field_of(L, NOW, K_X + i);
      else lua_rawgeti(L, NOW, 1);
      v[i] = cll_to_number(L, -1);
    }
  } else {
    return false;
  }
  double x = lua_tonumber(L, S_GOAL_X), y = lua_tonumber(L, S_GOAL_Y);
  if (x == v[0] && y == v[1]) return true;
  if (place_now(io, v[4], x, y, v[2], v[3]) < 0) return false;
  lua_settop(L, NOW);
  for (int i = 0; i < 2; i++) {
    lua_pushvalue(L, S_GOAL_X + i);
    set_field_of(L, K_X + i);
  }
  return true;
}

// Gives the search back, and moves the item if this is World:move.
static int front_end(lua_State *L, cll_search *io) {
  give_way(L, S_WAY);
  int cols = (int)io->cols;
  if (!lua_isnil(L, lua_upvalueindex(UP_COMMIT)) && !front_move(L, io)) {
    lua_pushvalue(L, lua_upvalueindex(UP_COMMIT));
    lua_pushvalue(L, S_WORLD);
    for (int i = 0; i < 3; i++) lua_pushvalue(L, S_ITEM + i); // with the goal
    lua_call(L, 4, 0);
  }
  lua_pushvalue(L, S_GOAL_X);
  lua_pushvalue(L, S_GOAL_Y);
  if (cols == 0) lua_newtable(L);
  else lua_pushvalue(L, S_COLS);
  lua_pushinteger(L, cols);
  return 4;
}

// What is known of each that is met: the item, its rectangle, the name. World:project has these of
// all in S_COLS, one after the other.
enum { ANSWERED = S_NAME - S_OTHER + 1 };

// Takes the filter's answer, on top, about the item below it.
static void take_answer(lua_State *L, cll_search *io) {
  size_t hits;
  bool first = false;
  bool met = lua_toboolean(L, -1) && cl_bump_meet(io->search, (size_t)io->asked, &first);
  io->asked++;
  if (!met || !(first || io->projects)) return;
  lua_rawgeti(L, S_LIST, (int)cl_bump_hits(io->search, &hits)[hits - 1].slot + 1);
  lua_insert(L, -2);
  for (int i = S_NAME; i >= S_OTHER; i--) lua_replace(L, i);
  if (!io->projects) return;
  for (int i = 0; i < ANSWERED; i++) {
    lua_pushvalue(L, S_OTHER + i);
    lua_rawseti(L, S_COLS, ANSWERED * (int)(hits - 1) + i + 1);
  }
}

// Makes the list of all collisions, and gives the search back.
static int project_end(lua_State *L, cll_search *io) {
  enum { LIST = S_TOP + 1 };
  int32_t n = rank_now(io);
  if (n < 0) return cll_no_memory(L);
  lua_createtable(L, n, 0);
  for (int i = 0; i < n; i++) {
    const cl_bump_hit *hit = &io->hit[i];
    if (lua_isnil(L, S_FILTER)) read_slid_along(L, hit);
    for (int k = 0; k < ANSWERED && !lua_isnil(L, S_FILTER); k++) {
      lua_rawgeti(L, S_COLS, ANSWERED * (int)hit->at + k + 1);
      lua_replace(L, S_OTHER + k);
    }
    luaL_checktype(L, S_FIRST, LUA_TTABLE);
    push_collision(L, &hit->how);
    lua_rawseti(L, LIST, i + 1);
  }
  give_way(L, S_WAY);
  lua_pushinteger(L, n);
  return 2;
}

static int front_answered(lua_State *L, int status, lua_KContext context);

static int front_go(lua_State *L, cll_search *io) {
  bool on = false;
  do {
    if (on) front_look(L, io, true);
    while (io->asked < io->to_ask) {
      uint32_t slot = cl_bump_candidate(io->search, (size_t)io->asked);
      if (slot == CL_BUMP_NONE) {
        io->asked++;
        continue;
      }
      lua_settop(L, S_TOP);
      lua_rawgeti(L, S_ITEMS, (int)slot + 1);
      lua_pushvalue(L, S_FILTER);
      lua_pushvalue(L, S_ITEM);
      lua_pushvalue(L, S_TOP + 1);
      lua_callk(L, 2, 1, 0, front_answered);
      take_answer(L, io);
    }
    lua_settop(L, S_TOP);
    if (io->projects) return project_end(L, io);
    on = false;
    if (front_collide(L, io, &on) == FRONT_RESPONSES) return front_follow(L, io);
  } while (on);
  return front_end(L, io);
}

static int front_answered(lua_State *L, int status, lua_KContext context) {
  cll_search *io = front_search(L);
  (void)status, (void)context;
  take_answer(L, io);
  return front_go(L, io);
}

// World:move and World:check
static int bump_front(lua_State *L) {
  int top = lua_gettop(L);
  luaL_checkstack(L, S_TOP + LUA_MINSTACK, "too many arguments");
  if (top > S_FILTER || !read_move(L)) return cll_front_slow(L, top < S_FILTER ? top : S_FILTER);
  cll_search *io = front_search(L);
  take_way(L, S_WAY);
  lua_rawgeti(L, S_RECT, 1);
  io->projects = false, io->cols = 0, io->began = *io->changes, io->own = lua_tonumber(L, -1);
  lua_settop(L, S_TOP);
  front_look(L, io, false);
  return front_go(L, io);
}

// ---- Fronts of other methods

// World:hasItem
static int front_has(lua_State *L) {
  lua_settop(L, S_ITEM);
  bool has = push_rectangle(L);
  if (!has && lua_gettop(L) < S_ITEM + 2) return cll_front_slow(L, S_ITEM);
  lua_pushboolean(L, has);
  return 1;
}

// World:getRect
static int front_rect(lua_State *L) {
  lua_settop(L, S_ITEM);
  if (!push_rectangle(L)) return cll_front_slow(L, S_ITEM);
  for (int i = 0; i < 4; i++) get_field_of(L, S_ITEM + 2, K_X + i);
  return 4;
}

// Whether a place and a size are at an index: then they are written.
static bool read_rectangle(lua_State *L, int index, cl_rect *at) {
  if (!is_place_at(L, index) || !is_place_at(L, index + 2)) return false;
  *at = to_rect(L, index);
  return at->w > 0 && at->h > 0;
}

// Writes the four values at `index` into the rectangle on top.
static void write_rectangle(lua_State *L, int index) {
  for (int i = 0; i < 4; i++) {
    lua_pushvalue(L, index + i);
    set_field_of(L, K_X + i);
  }
}

enum { A_X = S_ITEM + 1, A_W = A_X + 2, A_TOP = A_W + 1, A_RECTS, A_RECT, A_SEARCH };

// World:update
static int front_update(lua_State *L) {
  lua_settop(L, A_TOP);
  if (!push_rectangle(L)) return cll_front_slow(L, A_TOP);
  for (int i = 0; i < 2; i++) {
    if (!lua_isnil(L, A_W + i)) continue;
    get_field_of(L, A_RECT, K_W + i);
    lua_replace(L, A_W + i);
  }
  cl_rect to;
  if (!read_rectangle(L, A_X, &to)) return cll_front_slow(L, A_TOP);
  for (int i = 0; i < 4; i++) get_field_of(L, A_RECT, K_X + i);
  cl_rect at = to_rect(L, A_RECT + 1);
  if (to.x == at.x && to.y == at.y && to.w == at.w && to.h == at.h) return 0;
  lua_settop(L, A_RECT);
  get_field_of(L, S_WORLD, K_SEARCH);
  cll_search *io = to_search(L, A_SEARCH);
  lua_rawgeti(L, A_RECT, 1);
  double slot = cll_to_number(L, -1);
  if (!io || place_now(io, slot, to.x, to.y, to.w, to.h) < 0) return cll_front_slow(L, A_TOP);
  lua_settop(L, A_RECT);
  write_rectangle(L, A_X);
  return 0;
}

// Pushes the core's search that no finalizer interrupts, unless the rectangles have been read by
// the game: then the method in Lua changes what it has.
static cll_search *push_search_of(lua_State *L) {
  get_field_of(L, S_WORLD, K_VIEWS);
  if (lua_toboolean(L, -1)) return NULL;
  lua_pop(L, 1);
  get_field_of(L, S_WORLD, K_SEARCH);
  return to_search(L, -1);
}

// World:remove
static int front_remove(lua_State *L) {
  enum { ITEMS = S_ITEM + 4 };
  lua_settop(L, S_ITEM);
  if (!push_rectangle(L)) return cll_front_slow(L, S_ITEM);
  cll_search *io = push_search_of(L);
  if (!io || !push_table_of(L, K_ITEMS)) return cll_front_slow(L, S_ITEM);
  lua_rawgeti(L, S_ITEM + 2, 1);
  double slot = cll_to_number(L, -1);
  if (remove_now(io, slot) < 0) return cll_front_slow(L, S_ITEM);
  lua_pushboolean(L, false);
  lua_rawseti(L, ITEMS, (int)slot);
  lua_pushvalue(L, S_ITEM);
  lua_pushnil(L);
  lua_rawset(L, S_ITEM + 1);
  return 0;
}

// World:add. Once there is the table, nothing runs finalizers.
static int front_add(lua_State *L) {
  cl_rect at;
  lua_settop(L, A_TOP);
  if (push_rectangle(L) || lua_gettop(L) < A_RECT || !lua_isnil(L, A_RECT) ||
      !lua_rawequal(L, S_ITEM, S_ITEM) || lua_isnil(L, S_ITEM) || !read_rectangle(L, A_X, &at))
    return cll_front_slow(L, A_TOP);
  lua_createtable(L, 1, 4);
  lua_replace(L, A_RECT);
  write_rectangle(L, A_X);
  cll_search *io = push_search_of(L);
  if (!io || !push_lists(L)) return cll_front_slow(L, A_TOP);
  int32_t slot = reserve_now(io);
  if (slot < 0) return cll_no_memory(L);
  lua_pushinteger(L, slot);
  lua_rawseti(L, A_RECT, 1);
  for (int i = 0; i < 2; i++) {
    lua_pushvalue(L, i ? A_RECT : S_ITEM);
    lua_rawseti(L, A_SEARCH + 1 + i, slot);
  }
  lua_pushvalue(L, S_ITEM);
  lua_pushvalue(L, A_RECT);
  lua_rawset(L, A_RECTS);
  add_now(io, at.x, at.y, at.w, at.h);
  lua_pushvalue(L, S_ITEM);
  return 1;
}

// World:project. Once the arguments are read, the stack is that of a move.
static int front_project(lua_State *L) {
  enum { X = S_ITEM + 1, GOAL = X + 4, FILTER = GOAL + 2, WAY, SEARCH, ITEMS, LIST, OWN };
  static const int order[] = {GOAL, GOAL + 1, FILTER, OWN,   WAY,   SEARCH, ITEMS,
                              LIST, X,        X + 1,  X + 2, X + 3, X,      X + 1};
  enum { VALUES = sizeof order / sizeof *order };
  cl_rect from;
  lua_settop(L, FILTER);
  for (int i = 0; i < 2; i++)
    if (lua_isnil(L, GOAL + i)) lua_copy(L, X + i, GOAL + i);
  if (!read_rectangle(L, X, &from) || !is_place_at(L, GOAL) || !is_filter_at(L, FILTER))
    return cll_front_slow(L, FILTER);
  cll_search *io = push_way(L);
  if (!io || !push_lists(L)) return cll_front_slow(L, FILTER);
  bool is_item = push_rectangle(L);
  lua_remove(L, OWN);
  luaL_checkstack(L, VALUES + LUA_MINSTACK, "too many arguments");
  for (int i = 0; i < VALUES; i++) lua_pushvalue(L, order[i]);
  for (int i = 0; i < VALUES; i++) lua_copy(L, OWN + 1 + i, S_GOAL_X + i);
  lua_settop(L, S_COLS - 1);
  if (!lua_isnil(L, S_FILTER)) lua_newtable(L);
  lua_settop(L, S_TOP);
  take_way(L, S_WAY);
  if (is_item) lua_rawgeti(L, S_RECT, 1);
  io->projects = true, io->began = *io->changes, io->own = is_item ? lua_tonumber(L, -1) : 0;
  lua_settop(L, S_TOP);
  front_look(L, io, false);
  return front_go(L, io);
}

// World:queryRect, and World:queryPoint with fewer arguments: the last is the filter, which is
// asked in Lua.
static int query_by(lua_State *L, int filter) {
  enum { X = S_WORLD + 1, LISTS = 2 };
  int way = filter + 1, items = way + 2;
  cl_rect at = {0, 0, 0, 0};
  lua_settop(L, filter);
  bool is_point = filter == X + 2, usual = is_point ? is_place_at(L, X) : read_rectangle(L, X, &at);
  if (!usual || !is_filter_at(L, filter)) return cll_front_slow(L, filter);
  if (is_point) at.x = lua_tonumber(L, X), at.y = lua_tonumber(L, X + 1);
  cll_search *io = push_way(L);
  if (!io || !push_table_of(L, K_ITEMS)) return cll_front_slow(L, filter);
  take_way(L, way);
  int32_t count = query_now(io, at.x, at.y, at.w, at.h);
  push_found(L, io, items, count);
  give_way(L, way);
  if (lua_isnil(L, filter)) return LISTS;
  lua_pushvalue(L, lua_upvalueindex(UP_FOLLOW));
  lua_insert(L, -1 - LISTS);
  lua_pushvalue(L, filter);
  lua_callk(L, LISTS + 1, LISTS, LISTS, front_ended);
  return LISTS;
}

static int front_query_rect(lua_State *L) { return query_by(L, S_WORLD + 5); }
static int front_query_point(lua_State *L) { return query_by(L, S_WORLD + 3); }

// core.bumpFront(name, method in Lua, follow, commit, touch, cross, slide, bounce) -> the front
static int push_bump_front(lua_State *L) {
  static const char *const names[] = {"move",    "add",     "remove",    "update",     "hasItem",
                                      "getRect", "project", "queryRect", "queryPoint", NULL};
  static const lua_CFunction fronts[] = {bump_front,    front_add,        front_remove,
                                         front_update,  front_has,        front_rect,
                                         front_project, front_query_rect, front_query_point};
  lua_CFunction front = fronts[luaL_checkoption(L, 1, NULL, names)];
  lua_remove(L, 1);
  lua_settop(L, UP_KEYS - 2);
  luaL_checkstack(L, FRONT_KEYS + 1, "too many names");
  luaL_getmetatable(L, CLL_BUMP_SEARCH);
  lua_insert(L, 1);
  for (int i = 0; i < FRONT_KEYS; i++) lua_pushstring(L, front_keys[i]);
  lua_pushcclosure(L, front, UP_KEYS - 1 + FRONT_KEYS);
  return 1;
}

#endif

// ---- bump.rect: what bump.lua offers to the user's own responses

static cl_rect rect_of(const double *v) { return (cl_rect){v[0], v[1], v[2], v[3]}; }

static int rect_corner(lua_State *L, const cll_call *c) {
  cl_rect r = rect_of(c->v);
  cl_vec corner = cl_rect_corner(&r, (cl_vec){c->v[4], c->v[5]});
  return cll_push_numbers(L, 2, (const double[]){corner.x, corner.y});
}

static int rect_clip(lua_State *L, const cll_call *c) {
  enum { TI2 = 10 };
  cl_rect r = rect_of(c->v);
  cl_clip part = {c->v[8], lua_isnoneornil(L, TI2) ? 1 : c->v[9], {0, 0}, {0, 0}};
  if (!cl_rect_clip(&r, (cl_vec){c->v[4], c->v[5]}, (cl_vec){c->v[6], c->v[7]}, &part)) return 0;
  cll_push_numbers(L, 2, (const double[]){part.t1, part.t2});
  const double normals[] = {part.n1.x, part.n1.y, part.n2.x, part.n2.y};
  for (int i = 0; i < 4; i++) cll_pushwhole(L, normals[i]);
  return 6;
}

static int rect_difference(lua_State *L, const cll_call *c) {
  cl_rect a = rect_of(c->v), b = rect_of(c->v + 4), d = cl_rect_difference(&a, &b);
  return cll_push_numbers(L, 4, (const double[]){d.x, d.y, d.w, d.h});
}

static int rect_holds(lua_State *L, const cll_call *c) {
  cl_rect r = rect_of(c->v);
  lua_pushboolean(L, cl_rect_holds(&r, (cl_vec){c->v[4], c->v[5]}));
  return 1;
}

static int rect_overlaps(lua_State *L, const cll_call *c) {
  cl_rect a = rect_of(c->v), b = rect_of(c->v + 4);
  lua_pushboolean(L, cl_rect_overlaps(&a, &b));
  return 1;
}

static int rect_distance(lua_State *L, const cll_call *c) {
  cl_rect a = rect_of(c->v), b = rect_of(c->v + 4);
  lua_pushnumber(L, cl_rect_distance(&a, &b));
  return 1;
}

// -> overlaps, ti, nx, ny, x, y; nothing if they do not meet
static int rect_meet(lua_State *L, const cll_call *c) {
  enum { GOAL_X = 9, GOAL_Y };
  cl_rect a = rect_of(c->v), b = rect_of(c->v + 4);
  cl_vec goal = {lua_isnoneornil(L, GOAL_X) ? a.x : c->v[8],
                 lua_isnoneornil(L, GOAL_Y) ? a.y : c->v[9]};
  cl_rect_meeting m;
  return cl_rect_meet(&a, &b, goal, &m) ? push_meeting(L, &m) : 0;
}

#define ONE "x:number y:number w:number h:number "
#define TWO "x1:number y1:number w1:number h1:number x2:number y2:number w2:number h2:number"

static const cll_function rect_functions[] = {
    {rect_corner, "bump.rect.getNearestCorner", NULL, ONE "px:number py:number"},
    {rect_clip, "bump.rect.getSegmentIntersectionIndices", NULL,
     ONE "x1:number y1:number x2:number y2:number ti1:number? ti2:number?"},
    {rect_difference, "bump.rect.getDiff", NULL, TWO},
    {rect_holds, "bump.rect.containsPoint", NULL, ONE "px:number py:number"},
    {rect_overlaps, "bump.rect.isIntersecting", NULL, TWO},
    {rect_distance, "bump.rect.getSquareDistance", NULL, TWO},
    {rect_meet, "bump.rect.detectCollision", NULL, TWO " goalX:number? goalY:number?"},
    {NULL, NULL, NULL, NULL},
};

static const luaL_Reg bump_methods[] = {
    {"cells", bump_cells},   {"count", bump_count}, {"changes", bump_changes},
    {"search", bump_search}, {NULL, NULL},
};

#define RECT "x:number y:number w:number h:number"
#define WAY "own:number goesOn:flag x:any y:any w:any h:any goalX:any goalY:any"

static const cll_function search_methods[] = {
    {search_look, "look", NULL, WAY},
    {search_meet_all, "meetAll", NULL, WAY},
    {search_candidate, "candidate", NULL, "i:number"},
    {search_meet, "meet", NULL, "i:number"},
    {search_first, "first", NULL, ""},
    {search_rank, "rank", NULL, ""},
    {search_hit, "hit", NULL, "i:number"},
    {search_passed, "passed", NULL, "i:number"},
    {search_add, "add", NULL, "items:table item:any list:table rect:any " RECT},
    {search_remove, "remove", NULL, "slot:number"},
    {search_place, "place", NULL, "slot:number " RECT},
    {search_set_met, "setMet", NULL, "slot:number"},
    {search_was_met, "wasMet", NULL, "slot:number"},
    {search_all, "all", NULL, "items:table"},
    {search_query, "query", NULL, "items:table " RECT},
    {search_query_segment, "querySegment", NULL,
     "list:table items:table x1:number y1:number x2:number y2:number"},
    {NULL, NULL, NULL, NULL},
};

static int enter_rect(lua_State *L) { return cll_enter(L, cll_running(L), 1, NULL, false); }

void cll_open_bump(lua_State *L) { /* stack: … core */
  cll_begin_class(L, CLL_BUMP);    /* stack: … core metatable methods */
  cll_set_methods(L, bump_methods, lua_gettop(L) - 1);
  cll_end_class(L, CLL_BUMP, bump_gc, NULL);
  cll_begin_class(L, CLL_BUMP_SEARCH);
  cll_set_functions(L, search_methods, enter_search, lua_gettop(L) - 1);
  cll_end_class(L, CLL_BUMP_SEARCH, search_gc, NULL);
  lua_pushcfunction(L, new_bump);
  lua_setfield(L, -2, "newBump");
#if CLL_HAS_FRONTS
  lua_pushcfunction(L, push_bump_front);
  lua_setfield(L, -2, "bumpFront");
#endif
  lua_newtable(L); // core.rect
  cll_set_functions(L, rect_functions, enter_rect, 0);
  lua_setfield(L, -2, "rect");
}
