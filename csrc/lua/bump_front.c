// collide, MIT licence (see LICENSE)
//
// Fronts of the methods of collide.bump's World.
//
// From Lua 5.3 on a filter can yield through C. There the usual moves, with bump's own responses,
// are made here; all others by the methods in lua/collide/bump/move.lua, which explains them. A
// move that meets one of the game's own responses continues there. Coordinates stay the game's own
// values, because integers print differently from equal floats. Layer: lua.

#include "lua/bump.h"

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

// Upvalues: the metatable of searches; the method in Lua; a function that continues with a response
// of the game's; one that moves the item if that may fail, nil for World:check; bump's responses;
// keys.
enum { UP_SEARCH = 1, UP_FOLLOW = 3, UP_COMMIT, UP_RESPONSES, UP_KEYS = UP_RESPONSES + 4 };

// The stack: the arguments; the item's rectangle, the search's table, the search, items and
// rectangles by slot; the starts of the item and of its way; the collisions; the first hit.
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

// Take the first of the World's spare searches, whose table is at `way`, and give it back.
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

// Whether it is a function or nothing. The Lua methods handle other callable values.
static bool is_filter_at(lua_State *L, int index) {
  return lua_isnil(L, index) || lua_isfunction(L, index);
}

// Pushes the table of the World's field; false if it has none.
static bool push_table_of(lua_State *L, int key) {
  return lua_istable(L, S_WORLD) && get_field_of(L, S_WORLD, key) == LUA_TTABLE;
}

// Pushes the World's rectangles by item, and the item's; false if it has none.
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

// Pushes the item's present rectangle; false if it has none. A filter may have removed the item,
// and added it again.
static bool push_present(lua_State *L) {
  bool present = push_rectangle(L);
  lua_remove(L, S_TOP + 1);
  return present;
}

// Searches the rest of the way: for items to ask the filter about or, without one, for hits.
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
  bool asks = !lua_isnil(L, S_FILTER);
  cll_look *look = asks ? io->look_now : io->meet_all_now;
  int32_t n = look(io, slot, goes_on, x, y, w, h, goal_x, goal_y);
  if (n < 0) cll_no_memory(L);
  io->asked = 0, io->to_ask = asks ? n : 0;
}

// Applies bump's response to a meeting to the rest of the way, as move.lua does. Returns whether
// any is left.
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

// Reads the item that is slid along if there is no filter.
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

// Makes the collision with the first hit, and applies bump's response. Returns that response;
// FRONT_NONE if nothing is hit; or, with the collision on top, FRONT_RESPONSES for a response of
// the game's. `on` says whether any of the way is left.
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

// After a call: the front returns the call's results, so many.
static int front_ended(lua_State *L, int status, lua_KContext results) {
  (void)L, (void)status;
  return (int)results;
}

// Continues in Lua with the collision on top.
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

// Moves the item to the goal; false if the method in Lua has to do that, or to raise an error.
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
  if (io->place_now(io, v[4], x, y, v[2], v[3]) < 0) return false;
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

// The values for each hit: the item, its rectangle, the response's name. World:project has those of
// all hits in S_COLS, one after the other.
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
  int32_t n = io->rank_now(io);
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

// Whether a place and a size are at an index; then it writes them.
static bool read_rectangle(lua_State *L, int index, cl_rect *at) {
  if (!is_place_at(L, index) || !is_place_at(L, index + 2)) return false;
  *at = cll_to_rect(L, index);
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
  cl_rect at = cll_to_rect(L, A_RECT + 1);
  if (to.x == at.x && to.y == at.y && to.w == at.w && to.h == at.h) return 0;
  lua_settop(L, A_RECT);
  get_field_of(L, S_WORLD, K_SEARCH);
  cll_search *io = to_search(L, A_SEARCH);
  lua_rawgeti(L, A_RECT, 1);
  double slot = cll_to_number(L, -1);
  if (!io || io->place_now(io, slot, to.x, to.y, to.w, to.h) < 0) return cll_front_slow(L, A_TOP);
  lua_settop(L, A_RECT);
  write_rectangle(L, A_X);
  return 0;
}

// Pushes the search for calls that no finalizer interrupts, unless the game has the list of
// rectangles: then the method in Lua must change that list.
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
  if (io->remove_now(io, slot) < 0) return cll_front_slow(L, S_ITEM);
  lua_pushboolean(L, false);
  lua_rawseti(L, ITEMS, (int)slot);
  lua_pushvalue(L, S_ITEM);
  lua_pushnil(L);
  lua_rawset(L, S_ITEM + 1);
  return 0;
}

// World:add. Once the table is made, nothing runs finalizers.
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
  int32_t slot = io->reserve_now(io);
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
  io->add_now(io, at.x, at.y, at.w, at.h);
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

// World:queryRect, and World:queryPoint with fewer arguments. The last argument is the filter,
// which a function in Lua asks.
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
  int32_t count = io->query_now(io, at.x, at.y, at.w, at.h);
  cll_push_found(L, io, items, count);
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

void cll_open_bump_front(lua_State *L) { /* stack: … core */
  lua_pushcfunction(L, push_bump_front);
  lua_setfield(L, -2, "bumpFront");
}

#else

void cll_open_bump_front(lua_State *L) { (void)L; }

#endif
