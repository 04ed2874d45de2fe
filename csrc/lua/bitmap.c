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

static int enter_bitmap(lua_State *L) {
  const cll_function *f = cll_running(L);
  cll_bitmap *b = cll_self(L);
  if (!b) cll_fail(L, f->name, "self", "bitmap; call it with a colon", 1);
  return cll_enter(L, f, 2, b, false);
}

static cl_bitmap *bitmap_of(const cll_call *c) { return ((cll_bitmap *)c->self)->bitmap; }

// core.newBitmap(w, h, cell, samples, conservative); the Lua side checks the arguments
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

static int add_circle(lua_State *L, const cll_call *c) {
  (void)L;
  cl_bitmap_add_circle(bitmap_of(c), c->v[0], c->v[1], c->v[2]);
  return 0;
}

static int add_rectangle(lua_State *L, const cll_call *c) {
  (void)L;
  cl_bitmap_add_rectangle(bitmap_of(c), c->v[0], c->v[1], c->v[2], c->v[3]);
  return 0;
}

static int test_circle(lua_State *L, const cll_call *c) {
  lua_pushboolean(L, cl_bitmap_test_circle(bitmap_of(c), c->v[0], c->v[1], c->v[2], c->v[3]));
  return 1;
}

static int test_rectangle(lua_State *L, const cll_call *c) {
  const double *v = c->v;
  lua_pushboolean(L, cl_bitmap_test_rectangle(bitmap_of(c), v[0], v[1], v[2], v[3], v[4]));
  return 1;
}

// The length of the list at `index`; raises if it is not a list.
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
  cll_kind kind = index == 4 ? CLL_SIZE : CLL_COORDINATE;
  lua_rawgeti(L, index, (int)i + 1);
  double v = cll_to_number(L, -1);
  if (!(fabs(v) <= CL_MAX_COORD && (kind == CLL_COORDINATE || v >= CL_MIN_SIZE))) {
    char name[40]; // made only here, for the message
    snprintf(name, sizeof name, "%s[%u]", list, (unsigned)i + 1);
    cll_number(L, fn, name, kind, lua_gettop(L));
  }
  lua_pop(L, 1);
  return v;
}

// Reads the arguments xs, ys, r, each one number or a list; raises if a number is bad. Returns the
// number of circles.
static size_t read_circles(lua_State *L, const char *fn, cll_bitmap *b) {
  bool one = lua_type(L, 4) == LUA_TNUMBER;
  double r = one ? cll_number(L, fn, "r", CLL_SIZE, 4) : 0;
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

static int add_circles(lua_State *L, const cll_call *c) {
  cll_bitmap *b = c->self;
  size_t n = read_circles(L, c->fn, b);
  for (size_t i = 0; i < n; i++) {
    cl_bitmap_add_circle(b->bitmap, b->circle[i].x, b->circle[i].y, b->circle[i].r);
  }
  return 0;
}

// -> list of the indices in xs of circles that hit, and how many; the list is `into`, if given
static int test_circles(lua_State *L, const cll_call *c) {
  cll_bitmap *b = c->self;
  if (!lua_isnoneornil(L, 6) && (!lua_istable(L, 6) || cll_push_own_name(L, 6))) {
    cll_fail(L, c->fn, "into", "table", 6);
  }
  lua_settop(L, 6);
  if (lua_isnil(L, 6)) lua_newtable(L); /* stack: self xs ys r threshold into [list] */
  // Read only now, because a finaliser that the new table triggers may use this bitmap.
  size_t n = read_circles(L, c->fn, b);
  int list = lua_gettop(L), found = 0;
  for (size_t i = 0; i < n; i++) {
    const circle *o = &b->circle[i];
    if (!cl_bitmap_test_circle(b->bitmap, o->x, o->y, o->r, c->v[3])) continue;
    lua_pushinteger(L, (lua_Integer)i + 1);
    lua_rawseti(L, list, ++found);
  }
  cll_cut(L, list, (size_t)found);
  lua_pushinteger(L, found);
  return 2;
}

static int bitmap_clear(lua_State *L, const cll_call *c) {
  (void)L;
  cl_bitmap_clear(bitmap_of(c));
  return 0;
}

// -> number, 0 to 1
static int bitmap_coverage(lua_State *L, const cll_call *c) {
  cl_bitmap_def is = cl_bitmap_measures(bitmap_of(c));
  int64_t col = cll_whole(L, c->fn, "column", 2, 0, is.w - 1);
  int64_t row = cll_whole(L, c->fn, "row", 3, 0, is.h - 1);
  lua_pushnumber(L, cl_bitmap_coverage(bitmap_of(c), (int32_t)col, (int32_t)row));
  return 1;
}

// -> cells in a row, rows, the side of a cell
static int bitmap_size(lua_State *L, const cll_call *c) {
  cl_bitmap_def is = cl_bitmap_measures(bitmap_of(c));
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

// Pushes `head`, formatted with the width and the height, then every cell, row by row, as the
// character that `of` gives for its coverage, with `after` at the end of each row.
static int push_cells(lua_State *L, cl_bitmap *bitmap, const char *head, char (*of)(double),
                      const char *after) {
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

// -> the bytes of a picture, as in a file of type PGM
static int bitmap_pgm(lua_State *L, const cll_call *c) {
  return push_cells(L, bitmap_of(c), "P5\n%d %d\n255\n", grey, "");
}

// -> a byte for each cell, row by row, 255 if it is fully covered
static int bitmap_dump(lua_State *L, const cll_call *c) {
  return push_cells(L, bitmap_of(c), "", grey, "");
}

// -> a line of text for each row: "." for an empty cell, "#" for a full one, else its tenths
static int bitmap_to_string(lua_State *L, const cll_call *c) {
  return push_cells(L, bitmap_of(c), "", letter, "\n");
}

// tostring(bitmap)
static int bitmap_described(lua_State *L) {
  const cll_bitmap *b = cll_to_object(L, 1, CLL_BITMAP);
  if (!b) cll_fail(L, "tostring", "self", "bitmap; call it with a colon", 1);
  cl_bitmap_def is = cl_bitmap_measures(b->bitmap);
  char text[120];
  snprintf(text, sizeof text, "bitmap(%d x %d cells of %.14g, %s)", (int)is.w, (int)is.h, is.cell,
           is.conservative ? "conservative" : "coverage");
  lua_pushstring(L, text);
  return 1;
}

static const cll_function methods[] = {
    {add_circle, "bitmap:addCircle", "x, y, r", "x y r:size"},
    {add_circles, "bitmap:addCircles", "two lists and a radius or a list", "xs:any ys:any r:any"},
    {add_rectangle, "bitmap:addRectangle", "x, y, w, h", "x y w:size h:size"},
    {test_circle, "bitmap:testCircle", "x, y, r and a threshold",
     "x y r:size threshold:threshold?"},
    {test_circles, "bitmap:testCircles", "two lists, a radius or a list, a threshold and a table",
     "xs:any ys:any r:any threshold:threshold? into:any"},
    {test_rectangle, "bitmap:testRectangle", "x, y, w, h and a threshold",
     "x y w:size h:size threshold:threshold?"},
    {bitmap_clear, "bitmap:clear", "no arguments", ""},
    {bitmap_coverage, "bitmap:coverage", "column, row", "column:any row:any"},
    {bitmap_size, "bitmap:size", "no arguments", ""},
    {bitmap_to_string, "bitmap:toString", "no arguments", ""},
    {bitmap_pgm, "bitmap:pgm", "no arguments", ""},
    {bitmap_dump, "bitmap:dump", "no arguments", ""},
    {NULL, NULL, NULL, NULL},
};

void cll_open_bitmap(lua_State *L) {
  cll_begin_class(L, CLL_BITMAP); /* stack: … core metatable methods */
  cll_set_functions(L, methods, enter_bitmap, lua_gettop(L) - 1);
  cll_end_class(L, CLL_BITMAP, bitmap_gc, bitmap_described);
  lua_pushcfunction(L, bitmap_new);
  lua_setfield(L, -2, "newBitmap");
}
