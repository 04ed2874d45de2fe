// collide, MIT licence (see LICENSE)
//
// Bitmaps: userdata, each with a cl_bitmap and room for the circles of one call.
// Layer: lua.

#include "lua/binding.h"

#include "bitmap/bitmap.h"

typedef struct circle {
  double x, y, r;
} circle;

typedef struct cll_bitmap {
  cl_bitmap *bitmap; ///< NULL before it is made
  circle *circle;    ///< kept from call to call, to make no garbage
  size_t room;
} cll_bitmap;

// A method's first argument.
static cll_bitmap *self(lua_State *L, const char *function) {
  cll_bitmap *b = cll_to_object(L, 1, CLL_BITMAP);
  if (!b) cll_fail(L, function, "self", "bitmap; call it with a colon", 1);
  return b;
}

// core.newBitmap(w, h, cell, samples, conservative), checked by the Lua side
static int bitmap_new(lua_State *L) {
  cl_bitmap_def def = {.alloc = cll_alloc(L), .conservative = lua_toboolean(L, 5)};
  def.w = (int32_t)luaL_checkinteger(L, 1);
  def.h = (int32_t)luaL_checkinteger(L, 2);
  def.cell = luaL_checknumber(L, 3);
  def.samples = (int32_t)luaL_checkinteger(L, 4);
  luaL_argcheck(L, def.w >= 1 && def.w <= CL_BITMAP_MAX_SIDE, 1, "out of range");
  luaL_argcheck(L, def.h >= 1 && def.h <= CL_BITMAP_MAX_SIDE, 2, "out of range");
  luaL_argcheck(L, (int64_t)def.w * def.h <= CL_BITMAP_MAX_CELLS, 2, "too many cells");
  luaL_argcheck(L, def.cell >= CL_BITMAP_MIN_CELL && def.cell <= CL_MAX_COORD, 3, "out of range");
  luaL_argcheck(L, def.samples >= 1 && def.samples <= CL_BITMAP_MAX_SAMPLES, 4, "out of range");
  cll_bitmap *b = cll_push_object(L, CLL_BITMAP, sizeof *b);
  b->bitmap = cl_bitmap_new(&def);
  if (!b->bitmap) return cll_no_memory(L);
  return 1;
}

static int bitmap_gc(lua_State *L) {
  cll_bitmap *b = cll_collect(L, CLL_BITMAP);
  cl_alloc alloc = cll_alloc(L);
  CL_FREE(&alloc, b->circle, b->room);
  if (b->bitmap) cl_bitmap_free(b->bitmap);
  return 0;
}

static circle check_circle(lua_State *L, const char *fn) {
  double x = cll_coordinate(L, fn, "x", 2), y = cll_coordinate(L, fn, "y", 3);
  return (circle){x, y, cll_size(L, fn, "r", 4)};
}

typedef struct rectangle {
  double x, y, w, h;
} rectangle;

static rectangle check_rectangle(lua_State *L, const char *fn) {
  double x = cll_coordinate(L, fn, "x", 2), y = cll_coordinate(L, fn, "y", 3);
  double w = cll_size(L, fn, "w", 4), h = cll_size(L, fn, "h", 5);
  return (rectangle){x, y, w, h};
}

static double check_threshold(lua_State *L, const char *fn, int index) {
  if (lua_isnoneornil(L, index)) return 1;
  double v = lua_type(L, index) == LUA_TNUMBER ? lua_tonumber(L, index) : -1;
  if (!(v >= 0 && v <= 2)) cll_fail(L, fn, "threshold", "number from 0 to 2", index);
  return v;
}

// bitmap:addCircle(x, y, r)
static int add_circle(lua_State *L) {
  const char *fn = "bitmap:addCircle";
  cll_bitmap *b = self(L, fn);
  cll_takes(L, fn, "x, y, r", 3, lua_gettop(L) - 1);
  circle c = check_circle(L, fn);
  cl_bitmap_add_circle(b->bitmap, c.x, c.y, c.r);
  return 0;
}

// bitmap:addRectangle(x, y, w, h)
static int add_rectangle(lua_State *L) {
  const char *fn = "bitmap:addRectangle";
  cll_bitmap *b = self(L, fn);
  cll_takes(L, fn, "x, y, w, h", 4, lua_gettop(L) - 1);
  rectangle r = check_rectangle(L, fn);
  cl_bitmap_add_rectangle(b->bitmap, r.x, r.y, r.w, r.h);
  return 0;
}

// bitmap:testCircle(x, y, r[, threshold]) -> boolean
static int test_circle(lua_State *L) {
  const char *fn = "bitmap:testCircle";
  cll_bitmap *b = self(L, fn);
  cll_takes(L, fn, "x, y, r and a threshold", 4, lua_gettop(L) - 1);
  circle c = check_circle(L, fn);
  double threshold = check_threshold(L, fn, 5);
  lua_pushboolean(L, cl_bitmap_test_circle(b->bitmap, c.x, c.y, c.r, threshold));
  return 1;
}

// bitmap:testRectangle(x, y, w, h[, threshold]) -> boolean
static int test_rectangle(lua_State *L) {
  const char *fn = "bitmap:testRectangle";
  cll_bitmap *b = self(L, fn);
  cll_takes(L, fn, "x, y, w, h and a threshold", 5, lua_gettop(L) - 1);
  rectangle r = check_rectangle(L, fn);
  double threshold = check_threshold(L, fn, 6);
  lua_pushboolean(L, cl_bitmap_test_rectangle(b->bitmap, r.x, r.y, r.w, r.h, threshold));
  return 1;
}

// The length of the list at `index`.
static size_t check_list(lua_State *L, const char *fn, const char *name, const char *expected,
                         int index) {
  if (!lua_istable(L, index)) cll_fail(L, fn, name, expected, index);
  return cll_rawlen(L, index);
}

static void same_length(lua_State *L, const char *fn, const char *name, size_t n, size_t length) {
  if (length == n) return;
  cll_error(L, "%s: %s expected (list of %d numbers, as xs has), got %d", fn, name, (int)n,
            (int)length);
}

// The i-th number of the list at `index`: a coordinate, or in the list r a size.
static double element(lua_State *L, const char *fn, const char *list, int index, size_t i) {
  bool size = index == 4;
  lua_rawgeti(L, index, (int)i + 1);
  double v = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : NAN;
  if (!(v >= -CL_MAX_COORD && v <= CL_MAX_COORD && (v > 0 || !size))) {
    char name[40]; // made only here, for the message
    snprintf(name, sizeof name, "%s[%u]", list, (unsigned)i + 1);
    (size ? cll_size : cll_coordinate)(L, fn, name, lua_gettop(L));
  }
  lua_pop(L, 1);
  return v;
}

// Reads the arguments xs, ys, r, each one number or a list; raises if a number is bad. Returns the
// number of circles.
static size_t read_circles(lua_State *L, const char *fn, cll_bitmap *b) {
  bool one = lua_type(L, 4) == LUA_TNUMBER;
  double r = one ? cll_size(L, fn, "r", 4) : 0;
  size_t n = check_list(L, fn, "xs", "list {x1, x2, …}", 2);
  same_length(L, fn, "ys", n, check_list(L, fn, "ys", "list {y1, y2, …}", 3));
  if (!one) same_length(L, fn, "r", n, check_list(L, fn, "r", "number, or list {r1, r2, …}", 4));
  cl_alloc alloc = cll_alloc(L);
  if (n > INT32_MAX || CL_RESERVE(&alloc, b->circle, b->room, n) != CL_OK) cll_no_memory(L);
  for (size_t i = 0; i < n; i++) {
    b->circle[i].x = element(L, fn, "xs", 2, i);
    b->circle[i].y = element(L, fn, "ys", 3, i);
    b->circle[i].r = one ? r : element(L, fn, "r", 4, i);
  }
  return n;
}

// bitmap:addCircles(xs, ys, r)
static int add_circles(lua_State *L) {
  const char *fn = "bitmap:addCircles";
  cll_bitmap *b = self(L, fn);
  cll_takes(L, fn, "two lists and a radius or a list", 3, lua_gettop(L) - 1);
  size_t n = read_circles(L, fn, b);
  for (size_t i = 0; i < n; i++) {
    cl_bitmap_add_circle(b->bitmap, b->circle[i].x, b->circle[i].y, b->circle[i].r);
  }
  return 0;
}

// bitmap:testCircles(xs, ys, r[, threshold[, into]]) -> list of the indices in xs of the circles
// that hit, and their number; the list is `into`, if given
static int test_circles(lua_State *L) {
  const char *fn = "bitmap:testCircles";
  cll_bitmap *b = self(L, fn);
  cll_takes(L, fn, "two lists, a radius or a list, a threshold and a table", 5, lua_gettop(L) - 1);
  double threshold = check_threshold(L, fn, 5);
  if (!lua_isnoneornil(L, 6) && (!lua_istable(L, 6) || cll_push_own_name(L, 6))) {
    cll_fail(L, fn, "into", "table", 6);
  }
  lua_settop(L, 6);
  if (lua_isnil(L, 6)) lua_newtable(L); /* stack: self xs ys r threshold into [list] */
  // Read only now, because a finaliser that the new table triggers may use this bitmap.
  size_t n = read_circles(L, fn, b);
  int list = lua_gettop(L), found = 0;
  size_t before = cll_rawlen(L, list);
  for (size_t i = 0; i < n; i++) {
    const circle *c = &b->circle[i];
    if (!cl_bitmap_test_circle(b->bitmap, c->x, c->y, c->r, threshold)) continue;
    lua_pushinteger(L, (lua_Integer)i + 1);
    lua_rawseti(L, list, ++found);
  }
  // Backwards, so that the list never has a hole.
  for (int i = (int)before; i > found; i--) {
    lua_pushnil(L);
    lua_rawseti(L, list, i);
  }
  lua_pushinteger(L, found);
  return 2;
}

// bitmap:clear()
static int bitmap_clear(lua_State *L) {
  cll_bitmap *b = self(L, "bitmap:clear");
  cll_takes(L, "bitmap:clear", "no arguments", 0, lua_gettop(L) - 1);
  cl_bitmap_clear(b->bitmap);
  return 0;
}

// The number of a column or row, of `count`.
static int32_t check_number(lua_State *L, const char *fn, const char *name, int index, int count) {
  double v = lua_type(L, index) == LUA_TNUMBER ? lua_tonumber(L, index) : -1;
  if (!(v >= 0 && v < count && v == floor(v))) {
    char expected[48];
    snprintf(expected, sizeof expected, "whole number from 0 to %d", count - 1);
    cll_fail(L, fn, name, expected, index);
  }
  return (int32_t)v;
}

// bitmap:coverage(col, row) -> number, 0 to 1
static int bitmap_coverage(lua_State *L) {
  const char *fn = "bitmap:coverage";
  cll_bitmap *b = self(L, fn);
  cll_takes(L, fn, "col, row", 2, lua_gettop(L) - 1);
  cl_bitmap_def is = cl_bitmap_measures(b->bitmap);
  int32_t col = check_number(L, fn, "col", 2, is.w), row = check_number(L, fn, "row", 3, is.h);
  lua_pushnumber(L, cl_bitmap_coverage(b->bitmap, col, row));
  return 1;
}

// bitmap:size() -> cells in a row, rows, the side of a cell
static int bitmap_size(lua_State *L) {
  cll_bitmap *b = self(L, "bitmap:size");
  cll_takes(L, "bitmap:size", "no arguments", 0, lua_gettop(L) - 1);
  cl_bitmap_def is = cl_bitmap_measures(b->bitmap);
  lua_pushinteger(L, is.w);
  lua_pushinteger(L, is.h);
  lua_pushnumber(L, is.cell);
  return 3;
}

static char grey(double v) { return (char)(unsigned char)(v * 255 + 0.5); }

static char letter(double v) {
  if (v == 0) return '.';
  if (v == 1) return '#';
  return (char)('0' + (int)(v * 10));
}

// Pushes every cell, row by row, as the character that `of` gives for its coverage: after `head`,
// which is formatted with the width and the height, and with `after` at the end of each row.
static int push_cells(lua_State *L, const char *fn, const char *head, char (*of)(double),
                      const char *after) {
  cl_bitmap *bitmap = self(L, fn)->bitmap;
  cll_takes(L, fn, "no arguments", 0, lua_gettop(L) - 1);
  cl_bitmap_def is = cl_bitmap_measures(bitmap);
  lua_pushfstring(L, head, (int)is.w, (int)is.h);
  luaL_Buffer buffer;
  luaL_buffinit(L, &buffer);
  luaL_addstring(&buffer, lua_tostring(L, 2));
  for (int32_t row = 0; row < is.h; row++) {
    for (int32_t col = 0; col < is.w; col++) {
      luaL_addchar(&buffer, of(cl_bitmap_coverage(bitmap, col, row)));
    }
    luaL_addstring(&buffer, after);
  }
  luaL_pushresult(&buffer);
  return 1;
}

// bitmap:pgm() -> the bytes of a picture, as in a file of type PGM
static int bitmap_pgm(lua_State *L) {
  return push_cells(L, "bitmap:pgm", "P5\n%d %d\n255\n", grey, "");
}

// bitmap:dump() -> a byte for each cell, row by row, 255 if it is fully covered
static int bitmap_dump(lua_State *L) { return push_cells(L, "bitmap:dump", "", grey, ""); }

// bitmap:toString() -> a line of text for each row: "." for an empty cell, "#" for a full one, else
// its tenths
static int bitmap_to_string(lua_State *L) {
  return push_cells(L, "bitmap:toString", "", letter, "\n");
}

// tostring(bitmap)
static int bitmap_described(lua_State *L) {
  cl_bitmap_def is = cl_bitmap_measures(self(L, "tostring")->bitmap);
  char text[120];
  snprintf(text, sizeof text, "bitmap(%d x %d cells of %.14g, %s)", (int)is.w, (int)is.h, is.cell,
           is.conservative ? "conservative" : "coverage");
  lua_pushstring(L, text);
  return 1;
}

static const luaL_Reg methods[] = {
    {"addCircle", add_circle},
    {"addCircles", add_circles},
    {"addRectangle", add_rectangle},
    {"testCircle", test_circle},
    {"testCircles", test_circles},
    {"testRectangle", test_rectangle},
    {"clear", bitmap_clear},
    {"coverage", bitmap_coverage},
    {"size", bitmap_size},
    {"toString", bitmap_to_string},
    {"pgm", bitmap_pgm},
    {"dump", bitmap_dump},
    {NULL, NULL},
};

void cll_open_bitmap(lua_State *L) { /* stack: … core */
  lua_newtable(L);
  cll_setfuncs(L, methods);
  cll_open_class(L, CLL_BITMAP, bitmap_gc, bitmap_described);
  lua_pushcfunction(L, bitmap_new);
  lua_setfield(L, -2, "newBitmap");
}
