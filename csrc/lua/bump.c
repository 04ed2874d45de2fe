// collide, MIT licence (see LICENSE)
//
// Worlds of collide.bump, their searches, and the functions of bump.rect. The Lua files of bump/
// have a table for each item, `rect`, and know it by its slot, which counts from 1: `list[slot]`
// is the table. Layer: lua.

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

// The rectangle of the four numbers from `index` on: finite, as the Lua files have checked.
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

// world:add(list, rect, x, y, w, h) -> slot. If memory runs out, nothing changes.
static int bump_add(lua_State *L) {
  uint32_t slot;
  cl_bump *b = check_bump(L);
  luaL_checktype(L, 2, LUA_TTABLE);
  if (cl_bump_reserve(b, &slot) != CL_OK) return cll_no_memory(L);
  lua_pushvalue(L, 3);
  lua_rawseti(L, 2, (int)slot + 1);
  cl_bump_add(b, slot, to_rect(L, 4));
  cll_push_slot(L, slot);
  return 1;
}

// world:remove(slot)
static int bump_remove(lua_State *L) {
  cl_bump *b = check_bump(L);
  cl_bump_remove(b, check_slot(L, b, 2));
  return 0;
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

// The userdata of a search. The accelerator calls its functions and reads what they have found.
// The functions return numbers below 0 for a bad argument or when out of memory.
typedef struct cll_search cll_search;
struct cll_search {
  int32_t (*look_now)(cll_search *, double own, int goes_on, double x, double y, double w, double h,
                      double goal_x, double goal_y); ///< -> how many were found
  int32_t (*meet_all_now)(cll_search *, double own, int goes_on, double x, double y, double w,
                          double h, double goal_x, double goal_y); ///< -> as first_now
  int32_t (*candidate_now)(cll_search *, double i); ///< the slot of the i-th from 1, or 0
  int32_t (*meet_now)(cll_search *, double i);      ///< -> 0, or 1 if it is met first, 2 if later
  int32_t (*first_now)(cll_search *);               ///< -> the index in `hit` from 1, or 0
  int32_t (*rank_now)(cll_search *);                ///< -> the number of hits
  int32_t (*place_now)(cll_search *, double slot, double x, double y, double w, double h);
  int32_t (*query_now)(cll_search *, double x, double y, double w, double h); ///< a point if w is 0
  int32_t (*segment_now)(cll_search *, double x1, double y1, double x2, double y2);
  const cl_bump_found *found;
  const cl_bump_hit *hit;
  const uint32_t *changes; ///< of the world
  uint32_t seen;           ///< how many there were before a look
  cl_bump_search *search;
};

const cl_field cll_bump_layout[] = {
    CL_FIELD(
        cll_search, look_now, "look_now",
        int32_t (*)(cll_search *, double, int, double, double, double, double, double, double)),
    CL_FIELD(
        cll_search, meet_all_now, "meet_all_now",
        int32_t (*)(cll_search *, double, int, double, double, double, double, double, double)),
    CL_FIELD(cll_search, candidate_now, "candidate_now", int32_t (*)(cll_search *, double)),
    CL_FIELD(cll_search, meet_now, "meet_now", int32_t (*)(cll_search *, double)),
    CL_FIELD(cll_search, first_now, "first_now", int32_t (*)(cll_search *)),
    CL_FIELD(cll_search, rank_now, "rank_now", int32_t (*)(cll_search *)),
    CL_FIELD(cll_search, place_now, "place_now",
             int32_t (*)(cll_search *, double, double, double, double, double)),
    CL_FIELD(cll_search, query_now, "query_now",
             int32_t (*)(cll_search *, double, double, double, double)),
    CL_FIELD(cll_search, segment_now, "segment_now",
             int32_t (*)(cll_search *, double, double, double, double)),
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

// A way from a rectangle to a goal, with which a move begins or goes on. `own` is the slot of the
// item that moves, or 0.
static int32_t look_now(cll_search *io, double own, int goes_on, double x, double y, double w,
                        double h, double goal_x, double goal_y) {
  if (!io->search || !(own >= 0 && own <= INT32_MAX)) return -1;
  if (!goes_on) cl_bump_begin(io->search);
  return show_found(io, cl_bump_look(io->search, &(cl_rect){x, y, w, h}, (cl_vec){goal_x, goal_y},
                                     (uint32_t)own - 1));
}

static int32_t first_now(cll_search *io) {
  const cl_bump_hit *first;
  if (!io->search || cl_bump_first(io->search, &first) != CL_OK) return -1;
  return first ? (int32_t)(first - io->hit) + 1 : 0;
}

static int32_t meet_all_now(cll_search *io, double own, int goes_on, double x, double y, double w,
                            double h, double goal_x, double goal_y) {
  if (!io->search || !(own >= 0 && own <= INT32_MAX)) return -1;
  if (!goes_on) cl_bump_begin(io->search);
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
  return first ? 1 : 2;
}

static int32_t rank_now(cll_search *io) {
  if (!io->search) return -1;
  cl_bump_rank(io->search);
  return show_hits(io, CL_OK);
}

static int32_t place_now(cll_search *io, double slot, double x, double y, double w, double h) {
  cl_bump *b = io->search ? cl_bump_of(io->search) : NULL;
  if (!b || !(slot >= 1 && slot <= INT32_MAX) || !cl_bump_has(b, (uint32_t)slot - 1)) return -1;
  cl_bump_place(b, (uint32_t)slot - 1, (cl_rect){x, y, w, h});
  return 0;
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
  *io = (cll_search){look_now,
                     meet_all_now,
                     candidate_now,
                     meet_now,
                     first_now,
                     rank_now,
                     place_now,
                     query_now,
                     segment_now,
                     NULL,
                     NULL,
                     cl_bump_changes(b),
                     0,
                     cl_bump_search_new(b)};
  return io->search ? 1 : cll_no_memory(L);
}

static cll_search *check_io(lua_State *L) {
  cll_search *io = cll_self(L);
  if (!io || !io->search) cll_error(L, "attempt to use a search that has been collected");
  return io;
}

static cl_bump_search *check_search(lua_State *L) { return check_io(L)->search; }

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

// search:place(slot, x, y, w, h)
static int search_place(lua_State *L) {
  cll_search *io = check_io(L);
  cl_rect at = to_rect(L, 3);
  double slot = luaL_checknumber(L, 2);
  int32_t done = place_now(io, slot, at.x, at.y, at.w, at.h);
  luaL_argcheck(L, done == 0, 2, "no such item");
  return 0;
}

typedef int32_t look_function(cll_search *, double, int, double, double, double, double, double,
                              double);

// Looks on a way: own, goesOn, x, y, w, h, goalX, goalY
static int32_t look_by(lua_State *L, look_function *look) {
  cll_search *io = check_io(L);
  cl_rect from = to_rect(L, 4);
  return look(io, lua_tonumber(L, 2), lua_toboolean(L, 3), from.x, from.y, from.w, from.h,
              lua_tonumber(L, 8), lua_tonumber(L, 9));
}

// search:look(own, goesOn, x, y, w, h, goalX, goalY) -> n: those that a filter is to be asked about
static int search_look(lua_State *L) { return push_count(L, look_by(L, look_now)); }

// search:meetAll(…) -> as first
static int search_meet_all(lua_State *L) { return push_count(L, look_by(L, meet_all_now)); }

// search:candidate(i) -> its slot, 0 if it is gone
static int search_candidate(lua_State *L) {
  double i = luaL_checknumber(L, 2);
  return push_count(L, candidate_now(check_io(L), i));
}

// search:meet(i) -> 0, or 1 if it is met and the first up to now, 2 if it is met later
static int search_meet(lua_State *L) {
  double i = luaL_checknumber(L, 2);
  return push_count(L, meet_now(check_io(L), i));
}

// search:first() -> the number of the hit that is the first, or 0
static int search_first(lua_State *L) { return push_count(L, first_now(check_io(L))); }

// search:rank() -> n: puts the hits in order
static int search_rank(lua_State *L) { return push_count(L, rank_now(check_io(L))); }

// -> overlaps, ti, nx, ny, x, y
static int push_meeting(lua_State *L, const cl_rect_meeting *m) {
  lua_pushboolean(L, m->overlaps);
  lua_pushnumber(L, m->ti);
  cll_pushwhole(L, m->normal.x);
  cll_pushwhole(L, m->normal.y);
  return 4 + cll_push_numbers(L, 2, (const double[]){m->touch.x, m->touch.y});
}

// Pushes slot and at of a hit, which is at its place `at` until the hits are ranked.
static const cl_bump_hit *push_hit(lua_State *L) {
  size_t count, i = (size_t)luaL_checkinteger(L, 2) - 1;
  const cl_bump_hit *hit = cl_bump_hits(check_search(L), &count);
  luaL_argcheck(L, i < count, 2, "no such hit");
  cll_push_slot(L, hit[i].slot);
  cll_push_slot(L, hit[i].at);
  return &hit[i];
}

// search:hit(i) -> slot, at and the results of push_meeting
static int search_hit(lua_State *L) { return 2 + push_meeting(L, &push_hit(L)->how); }

// search:passed(i) -> slot, at, t1, t2: on a segment
static int search_passed(lua_State *L) {
  cl_vec t = push_hit(L)->how.normal;
  return 2 + cll_push_numbers(L, 2, (const double[]){t.x, t.y});
}

// search:setMet(slot), search:wasMet(slot) -> boolean
static int search_set_met(lua_State *L) {
  cl_bump_search *s = check_search(L);
  uint32_t slot = check_slot(L, cl_bump_of(s), 2);
  return cl_bump_set_met(s, slot) == CL_OK ? 0 : cll_no_memory(L);
}

static int search_was_met(lua_State *L) {
  cl_bump_search *s = check_search(L);
  lua_pushboolean(L, cl_bump_was_met(s, check_slot(L, cl_bump_of(s), 2)));
  return 1;
}

// Fills the list in argument 2 with the items that were found, of the rectangles by slot in
// argument 3 -> n
static int push_found(lua_State *L, cl_bump_search *s, cl_status status) {
  size_t count;
  if (status != CL_OK) return cll_no_memory(L);
  luaL_checktype(L, 2, LUA_TTABLE);
  luaL_checktype(L, 3, LUA_TTABLE);
  const cl_bump_found *f = cl_bump_items(s, &count);
  lua_settop(L, 3);
  lua_pushliteral(L, "item");
  for (int i = 0; i < (int)count; i++) {
    lua_rawgeti(L, 3, (int)f[i].slot + 1);
    lua_pushvalue(L, 4);
    lua_rawget(L, 5);
    lua_rawseti(L, 2, i + 1);
    lua_settop(L, 4);
  }
  lua_pushinteger(L, (lua_Integer)count);
  return 1;
}

// search:all(items, list), search:queryRect(items, list, x, y, w, h), search:queryPoint(items,
// list, x, y) -> n
static int search_all(lua_State *L) {
  cl_bump_search *s = check_search(L);
  return push_found(L, s, cl_bump_all(s));
}

static int search_query_rect(lua_State *L) {
  cl_bump_search *s = check_search(L);
  cl_rect at = to_rect(L, 4);
  return push_found(L, s, cl_bump_query_rect(s, &at));
}

static int search_query_point(lua_State *L) {
  cl_bump_search *s = check_search(L);
  cl_vec at = {lua_tonumber(L, 4), lua_tonumber(L, 5)};
  return push_found(L, s, cl_bump_query_point(s, at));
}

// search:querySegment(x1, y1, x2, y2) -> the number of hits
static int search_query_segment(lua_State *L) {
  cl_rect r = to_rect(L, 2);
  return push_count(L, segment_now(check_io(L), r.x, r.y, r.w, r.h));
}

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
    {"add", bump_add},     {"remove", bump_remove},   {"cells", bump_cells},
    {"count", bump_count}, {"changes", bump_changes}, {"search", bump_search},
    {NULL, NULL},
};

static const luaL_Reg search_methods[] = {
    {"look", search_look},
    {"meetAll", search_meet_all},
    {"candidate", search_candidate},
    {"meet", search_meet},
    {"first", search_first},
    {"rank", search_rank},
    {"hit", search_hit},
    {"passed", search_passed},
    {"place", search_place},
    {"setMet", search_set_met},
    {"wasMet", search_was_met},
    {"all", search_all},
    {"queryRect", search_query_rect},
    {"queryPoint", search_query_point},
    {"querySegment", search_query_segment},
    {NULL, NULL},
};

static int enter_rect(lua_State *L) { return cll_enter(L, cll_running(L), 1, NULL, false); }

static void add_class(lua_State *L, const char *name, const luaL_Reg *methods, lua_CFunction gc) {
  cll_begin_class(L, name);
  cll_set_methods(L, methods, lua_gettop(L) - 1);
  cll_end_class(L, name, gc, NULL);
}

void cll_open_bump(lua_State *L) { /* stack: … core */
  add_class(L, CLL_BUMP, bump_methods, bump_gc);
  add_class(L, CLL_BUMP_SEARCH, search_methods, search_gc);
  lua_pushcfunction(L, new_bump);
  lua_setfield(L, -2, "newBump");
  lua_newtable(L); // core.rect
  cll_set_functions(L, rect_functions, enter_rect, 0);
  lua_setfield(L, -2, "rect");
}
