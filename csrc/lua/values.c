// collide, MIT licence (see LICENSE)
//
// Lists of Lua's values as bytes. Numbers are doubles; whole ones come back as integers where Lua
// has them. Layer: lua.

#include "lua/values.h"

#include "base/tol.h"

enum { NIL, FALSE, TRUE, NUMBER, STRING, ACTOR, LEFT };

static bool is_whole(double v) { return fabs(v) <= CLL_MOST_EXACT && v == floor(v); }

// Whether it is a whole number beyond ±CLL_MOST_EXACT.
static bool is_beyond(double v) { return fabs(v) > CLL_MOST_EXACT && fabs(v) < INFINITY; }

// Whether the number on top is such a number.
static bool is_top_beyond(lua_State *L) {
#if LUA_VERSION_NUM >= 503
  if (lua_isinteger(L, -1)) {
    lua_Integer n = lua_tointeger(L, -1), most = (lua_Integer)CLL_MOST_EXACT;
    return n > most || n < -most;
  }
#endif
  return is_beyond(lua_tonumber(L, -1));
}

static void write_string(lua_State *L, cl_writer *w) {
  size_t length;
  const char *text = lua_tolstring(L, -1, &length);
  cl_write_u8(w, STRING);
  cl_write_u32(w, (uint32_t)length);
  cl_write_bytes(w, text, length);
}

// The number of the actor on top; an actor without one counts as nil.
static void write_actor(lua_State *L, const cll_values *v, cl_writer *w) {
  lua_pushvalue(L, -1);
  if (cll_rawget(L, v->numbers) == LUA_TNUMBER) {
    cl_write_u8(w, ACTOR);
    cl_write_u32(w, (uint32_t)lua_tonumber(L, -1));
  } else {
    cl_write_u8(w, NIL);
  }
  lua_pop(L, 1);
}

uint32_t cll_write_values(lua_State *L, const cll_values *v, uint32_t count, cl_writer *w) {
  cl_write_u32(w, count);
  for (uint32_t i = 1; i <= count; i++) {
    lua_rawgeti(L, v->list, (int)i);
    switch (lua_type(L, -1)) {
    case LUA_TBOOLEAN: cl_write_u8(w, lua_toboolean(L, -1) ? TRUE : FALSE); break;
    case LUA_TNUMBER:
      if (!w->loose && is_top_beyond(L)) return i;
      cl_write_u8(w, NUMBER);
      cl_write_f64(w, lua_tonumber(L, -1));
      break;
    case LUA_TSTRING: write_string(L, w); break;
    case LUA_TTABLE:
      if (lua_rawequal(L, -1, v->nothing)) cl_write_u8(w, NIL);
      else if (lua_rawequal(L, -1, v->left)) cl_write_u8(w, LEFT);
      else write_actor(L, v, w);
      break;
    default: cl_write_u8(w, NIL);
    }
    lua_pop(L, 1);
  }
  return 0;
}

// Pushes a value; for an actor, false, and its number goes into the table.
static void read_value(lua_State *L, const cll_values *v, uint32_t i, cl_reader *r) {
  uint8_t tag = cl_read_u8(r);
  cl_read_check(r, tag <= LEFT);
  switch (tag) {
  case FALSE:
  case TRUE: lua_pushboolean(L, tag == TRUE); return;
  case NUMBER: {
    double number = cl_read_f64(r);
    cl_read_check(r, !is_beyond(number));
    bool negative = number == 0 && 1 / number < 0;
    if (is_whole(number) && !negative) cll_pushwhole(L, number);
    else lua_pushnumber(L, number);
    return;
  }
  case STRING: {
    uint32_t length = cl_read_count(r, 1);
    const uint8_t *text = cl_read_bytes(r, length);
    lua_pushlstring(L, text ? (const char *)text : "", text ? length : 0);
    return;
  }
  case ACTOR:
    cll_pushwhole(L, cl_read_u32(r));
    lua_rawseti(L, v->numbers, (int)i);
    lua_pushboolean(L, false);
    return;
  case LEFT: lua_pushvalue(L, v->left); return;
  default: lua_pushvalue(L, v->nothing);
  }
}

uint32_t cll_read_values(lua_State *L, const cll_values *v, cl_reader *r) {
  uint32_t count = cl_read_count(r, 1);
  for (uint32_t i = 1; i <= count && !r->bad; i++) {
    read_value(L, v, i, r);
    lua_rawseti(L, v->list, (int)i);
  }
  return count;
}
