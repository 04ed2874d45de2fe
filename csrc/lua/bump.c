// collide, MIT licence (see LICENSE)
//
// Worlds of collide.bump, their searches, and the functions of bump.rect. The Lua files of bump/
// keep a table `rect` for each item, and identify the item by its slot, which counts from 1:
// `rect[1]` is the slot, `items[slot]` the item, and `list[slot]` the table. Layer: lua.

#include "lua/bump.h"

#define CLL_BUMP "collide.core.bump"

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

// world:count() -> the number of items; world:changes() -> a number that differs after each change
static int bump_count(lua_State *L) {
  lua_pushinteger(L, (lua_Integer)cl_bump_count(check_bump(L)));
  return 1;
}

static int bump_changes(lua_State *L) {
  lua_pushinteger(L, (lua_Integer)*cl_bump_changes(check_bump(L)));
  return 1;
}

// ---- Searches

const cl_field cll_bump_layout[] = {
#define LAYOUT(name, type, takes) CL_FIELD(cll_search, name, #name, type(*) takes),
    CLL_BUMP_CALLS(LAYOUT)
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

// Begins a move, or continues it after the first hit.
static int32_t begin_way(cll_search *io, bool goes_on) {
  if (goes_on) return first_now(io);
  cl_bump_begin(io->search);
  return 0;
}

// A way from a rectangle to a goal, which begins or continues a move. `own` is the slot of the
// moving item, or 0.
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
      CLL_BUMP_CALLS(SET)
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

// Pushes the result of a function above; raises if it is a failure.
static int push_count(lua_State *L, int32_t count) {
  if (count < 0) return cll_no_memory(L);
  lua_pushinteger(L, count);
  return 1;
}

// Adds an item to the list of items, and its rectangle to the other list -> its slot. If memory
// runs out, nothing changes.
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

// Searches a way. Its numbers may be anything: a game's response may have made them.
static int push_look(lua_State *L, const cll_call *c, cll_look *look) {
  cl_rect from = cll_to_rect(L, 4);
  return push_count(L, look(c->self, c->v[0], c->v[1] != 0, from.x, from.y, from.w, from.h,
                            lua_tonumber(L, 8), lua_tonumber(L, 9)));
}

// -> n: how many items to ask a filter about
static int search_look(lua_State *L, const cll_call *c) { return push_look(L, c, look_now); }

// -> as search_first
static int search_meet_all(lua_State *L, const cll_call *c) {
  return push_look(L, c, meet_all_now);
}

// -> its slot, 0 if it is gone
static int search_candidate(lua_State *L, const cll_call *c) {
  return push_count(L, candidate_now(c->self, c->v[0]));
}

// -> the index of the hit if it is the first so far, minus that index if it comes later; 0 if not
// met
static int search_meet(lua_State *L, const cll_call *c) {
  lua_pushinteger(L, meet_now(c->self, c->v[0]));
  return 1;
}

// -> the index of the first hit, or 0; from now on it counts as met
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

// The hit with the number in the first argument; ranking changes the numbers.
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

int cll_push_found(lua_State *L, const cll_search *io, int items, int32_t count) {
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
  return cll_push_found(L, c->self, 2, all_now(c->self));
}

// -> list, n
static int search_query(lua_State *L, const cll_call *c) {
  const double *at = &c->v[1];
  return cll_push_found(L, c->self, 2, query_now(c->self, at[0], at[1], at[2], at[3]));
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

// ---- bump.rect: functions for the user's own responses

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
  lua_newtable(L); // core.rect
  cll_set_functions(L, rect_functions, enter_rect, 0);
  lua_setfield(L, -2, "rect");
}
