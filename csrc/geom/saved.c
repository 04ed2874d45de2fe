// collide, MIT licence (see LICENSE)
//
// Shapes as bytes: parts are stored as they are, so that a shape that is read is the same to the
// bit. For tiles the cells' looks and the size of the grid are stored, not its bytes. The reader
// checks all bytes and returns only valid shapes. Layer: geom.

#include "geom/saved.h"

#include "cells/grid.h"
#include "geom/tiles.h"

static void archive_coord(cl_archive *a, double *v) {
  cl_archive_f64(a, v);
  if (!cl_archive_check(a, cl_coord_ok(*v))) *v = 0;
}

static void archive_vec(cl_archive *a, cl_vec *v) {
  archive_coord(a, &v->x);
  archive_coord(a, &v->y);
}

static uint8_t archive_byte(cl_archive *a, unsigned v, unsigned most) {
  uint8_t byte = (uint8_t)v;
  cl_archive_u8(a, &byte);
  return cl_archive_check(a, byte <= most) ? byte : 0;
}

// Notes whether making a shape has failed.
static bool made(cl_archive *a, cl_status status) { return cl_archive_note(a, status); }

// ---- shapes of parts --------------------------------------------------------------------------

enum { VEC = 2 * sizeof(double), PART = sizeof(uint32_t) + 1 + sizeof(double) + VEC + 1 };

static void write_part(cl_archive *a, const cl_shape *s, const cl_part *part) {
  cl_archive_count(a, part->count, VEC + 1);
  archive_byte(a, part->flags, CL_PART_BOX);
  double radius = part->radius;
  archive_coord(a, &radius);
  for (uint32_t i = part->first; i < part->first + part->count; i++) {
    cl_vec v = {s->vx[i], s->vy[i]};
    archive_vec(a, &v);
    archive_byte(a, s->inner[i], 1);
  }
}

// Whether a part that is marked as a box has its corners, in the order of a rectangle's.
static bool is_box(const cl_part *part, const cl_vec *v) {
  cl_bounds b = part->bounds;
  const cl_vec corner[4] = {{b.l, b.t}, {b.r, b.t}, {b.r, b.b}, {b.l, b.b}};
  bool is = part->count == 4 && part->radius == 0;
  for (int i = 0; i < 4 && is; i++) is = v[i].x == corner[i].x && v[i].y == corner[i].y;
  return is;
}

// `left` is the room for vertices.
static void read_part(cl_archive *a, cl_build *build, uint32_t left) {
  const cl_alloc *alloc = &build->shape->alloc;
  uint32_t count = cl_archive_count(a, 0, VEC + 1);
  unsigned flags = archive_byte(a, 0, CL_PART_BOX);
  double radius;
  archive_coord(a, &radius);
  bool right = count > 0 && cl_build_padded(count) <= left && radius >= 0;
  if (!cl_archive_check(a, right)) return;
  cl_vec *v = cl_new_array(alloc, count, sizeof *v);
  uint8_t *inner = cl_new_array(alloc, count, sizeof *inner);
  if (!v || !inner) made(a, CL_NOMEM);
  for (uint32_t i = 0; i < count && a->status == CL_OK; i++) {
    archive_vec(a, &v[i]);
    inner[i] = archive_byte(a, 0, 1);
  }
  if (a->status == CL_OK) {
    cl_build_part(build, v, count, radius, inner);
    cl_part *part = &build->shape->parts[build->next_part - 1];
    part->flags = flags;
    cl_archive_check(a, cl_part_is_valid(build->shape, part));
    cl_archive_check(a, !(flags & CL_PART_BOX) || is_box(part, v));
  }
  if (v) CL_FREE(alloc, v, count);
  if (inner) CL_FREE(alloc, inner, count);
}

static void archive_own(cl_archive *a, cl_shape *s) {
  archive_coord(a, &s->w);
  archive_coord(a, &s->h);
  cl_archive_f64(a, &s->area);
  archive_coord(a, &s->radius);
  cl_archive_bool(a, &s->closed);
  for (uint32_t i = 0; i < s->outline_count; i++) archive_vec(a, &s->outline[i]);
}

static void archive_parts(cl_archive *a, unsigned kind, unsigned flags, cl_shape **shape) {
  const cl_shape *s = *shape;
  uint32_t room = 0;
  for (uint32_t i = 0; !a->reading && i < s->part_count; i++) {
    room += cl_build_padded(s->parts[i].count);
  }
  uint32_t outline = cl_archive_count(a, a->reading ? 0 : s->outline_count, VEC);
  uint32_t parts = cl_archive_count(a, a->reading ? 0 : s->part_count, PART);
  cl_archive_u32(a, &room);
  cl_archive_check(a, parts > 0 && room / 4 <= a->left / VEC + !a->reading * room);
  if (a->status != CL_OK) return;
  if (!a->reading) {
    cl_shape own = *s;
    archive_own(a, &own);
    for (uint32_t i = 0; i < parts; i++) write_part(a, s, &s->parts[i]);
    return;
  }
  cl_build build =
      cl_build_new(&a->alloc, (cl_shape_kind)kind, flags,
                   (cl_build_size){.parts = parts, .vertices = room, .outline = outline});
  if (!made(a, build.shape ? CL_OK : CL_NOMEM)) return;
  cl_shape own = {.outline = build.shape->outline, .outline_count = outline};
  archive_own(a, &own);
  for (uint32_t i = 0; i < parts && a->status == CL_OK; i++) {
    read_part(a, &build, room - build.next_vertex);
  }
  *shape = build.shape;
  if (a->status != CL_OK) return;
  cl_build_finish(&build);
  build.shape->w = own.w, build.shape->h = own.h;
  build.shape->area = own.area, build.shape->radius = own.radius;
  build.shape->closed = own.closed;
}

// ---- compounds --------------------------------------------------------------------------------

static void archive_shape(cl_archive *a, cl_shape **shape, uint32_t level);

static void archive_name(cl_archive *a, cl_name *name) {
  name->length = cl_archive_count(a, (uint32_t)name->length, 1);
  if (a->reading) name->bytes = (const char *)cl_read_bytes(a, name->length);
  else cl_write_bytes(a, name->bytes, name->length);
}

static void archive_members(cl_archive *a, cl_shape **shape, uint32_t level) {
  const cl_shape *s = *shape;
  bool named = !a->reading && s->names;
  uint32_t count = cl_archive_count(a, a->reading ? 0 : s->member_count, PART);
  cl_archive_bool(a, &named);
  if (!cl_archive_check(a, count > 0 && level < CL_SHAPE_LEVELS)) return;
  cl_shape **member = cl_new_array(&a->alloc, count, sizeof *member);
  cl_name *name = cl_new_array(&a->alloc, count, sizeof *name);
  if (!member || !name) made(a, CL_NOMEM);
  for (uint32_t i = 0; i < count && a->status == CL_OK; i++) {
    if (!a->reading) member[i] = s->members[i];
    if (named && !a->reading) name[i] = s->names[i];
    if (named) archive_name(a, &name[i]);
    archive_shape(a, &member[i], level + 1);
  }
  if (a->reading && a->status == CL_OK) {
    made(a, cl_shape_compound_named(&a->alloc, member, named ? name : NULL, count, shape));
  }
  for (uint32_t i = 0; member && a->reading && i < count; i++) {
    if (member[i]) cl_shape_release(member[i]);
  }
  if (member) CL_FREE(&a->alloc, member, count);
  if (name) CL_FREE(&a->alloc, name, count);
}

// ---- tiles ------------------------------------------------------------------------------------

enum { VALUES = 256 };

// Reads the look of a value. If it has a part, that becomes a shape, which the caller owns.
static void read_look(cl_archive *a, cl_tile_look *look, cl_shape **part) {
  unsigned kind = archive_byte(a, 0, CL_TILE_PART);
  unsigned layer = archive_byte(a, 0, CL_LAYER_PLANKS);
  if (kind == CL_TILE_FULL) look->flags |= CL_TILE_FULL_SQUARE;
  if (layer == CL_LAYER_SENSORS) look->flags |= CL_TILE_SENSOR;
  else if (layer != CL_LAYER_USUAL) look->flags |= CL_TILE_OWN_WAY;
  if (layer == CL_LAYER_PLANKS) archive_vec(a, &look->one_way);
  if (kind != CL_TILE_PART) return;
  archive_shape(a, part, CL_SHAPE_LEVELS);
  look->shape = *part;
}

// A part of a cell, as a shape.
static cl_status shape_of_part(const cl_alloc *alloc, const cl_tile_part *part, cl_shape **out) {
  cl_build build = cl_build_new(
      alloc, CL_POLYGON, 0,
      (cl_build_size){.parts = 1, .vertices = cl_build_padded(part->count), .outline = 0});
  if (!build.shape) return CL_NOMEM;
  cl_build_part(&build, part->corner, part->count, part->radius, NULL);
  if (part->is_box) build.shape->parts->flags = CL_PART_BOX;
  cl_build_finish(&build);
  return *out = build.shape, CL_OK;
}

static void write_look(cl_archive *a, const cl_tile_set *set, unsigned value) {
  unsigned layer = set->layer[value];
  archive_byte(a, set->kind[value], CL_TILE_PART);
  archive_byte(a, layer < CL_LAYER_PLANKS ? layer : CL_LAYER_PLANKS, CL_LAYER_PLANKS);
  if (layer >= CL_LAYER_PLANKS) {
    cl_vec look = set->look[layer - CL_LAYER_PLANKS];
    archive_vec(a, &look);
  }
  cl_shape *part = NULL;
  if (set->kind[value] != CL_TILE_PART) return;
  if (!made(a, shape_of_part(&a->alloc, &set->part[set->index[value]], &part))) return;
  archive_shape(a, &part, CL_SHAPE_LEVELS);
  cl_shape_release(part);
}

// The data of tiles other than looks.
typedef struct tiles_def {
  cl_vec at, cell;
  uint32_t size[2];
  bool looks;
} tiles_def;

// `grid` if it has the size, or a new one, with a reference.
static cl_grid *grid_for(cl_archive *a, cl_grid *grid, const tiles_def *t) {
  const int64_t size[2] = {t->size[0], t->size[1]};
  const double cell[2] = {t->cell.x, t->cell.y}, origin[2] = {t->at.x, t->at.y};
  cl_grid *fresh = NULL;
  if (grid && grid->dims == 2 && grid->size[0] == size[0] && grid->size[1] == size[1])
    return cl_grid_retain(grid);
  made(a, cl_grid_new(&a->alloc, 2, size, cell, origin, &fresh));
  return fresh;
}

// Keeps directions to the bit: normalising them again might change them by rounding.
static void keep_looks(cl_tile_set *set, const cl_tile_look *look, unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    unsigned layer = set->layer[look[i].value];
    if (layer >= CL_LAYER_PLANKS) set->look[layer - CL_LAYER_PLANKS] = look[i].one_way;
  }
}

static void read_tiles(cl_archive *a, cl_shape **shape, cl_grid *grid, const tiles_def *t) {
  cl_tile_look *look = cl_new_array(&a->alloc, VALUES, sizeof *look);
  cl_shape **part = cl_new_array(&a->alloc, VALUES, sizeof *part), *usual = NULL;
  if (!look || !part) made(a, CL_NOMEM);
  for (unsigned v = 1; v < VALUES && t->looks && a->status == CL_OK; v++) {
    look[v - 1].value = (uint8_t)v;
    read_look(a, &look[v - 1], &part[v]);
  }
  grid = a->status == CL_OK ? grid_for(a, grid, t) : NULL;
  unsigned count = t->looks ? VALUES - 1 : 0;
  if (grid && made(a, cl_shape_tiles(&a->alloc, grid, look, count, &usual))) {
    keep_looks(usual->set, look, count);
    made(a, cl_tiles_moved(usual, t->at, t->cell, shape));
    cl_shape_release(usual);
  }
  if (grid) cl_grid_release(grid);
  for (unsigned v = 0; part && v < VALUES; v++) {
    if (part[v]) cl_shape_release(part[v]);
  }
  if (look) CL_FREE(&a->alloc, look, VALUES);
  if (part) CL_FREE(&a->alloc, part, VALUES);
}

static void archive_tiles(cl_archive *a, cl_shape **shape, cl_grid *grid, double most) {
  const cl_shape *s = *shape;
  tiles_def t = {0};
  if (!a->reading) {
    t.at = (cl_vec){s->bounds.l, s->bounds.t}, t.cell = s->cell, t.looks = s->set;
    for (int i = 0; i < 2; i++) t.size[i] = (uint32_t)s->grid->size[i];
  }
  archive_vec(a, &t.at);
  archive_vec(a, &t.cell);
  for (int i = 0; i < 2; i++) cl_archive_u32(a, &t.size[i]);
  cl_archive_bool(a, &t.looks);
  for (unsigned v = 1; v < VALUES && t.looks && !a->reading; v++) write_look(a, s->set, v);
  bool right = t.size[0] > 0 && t.size[1] > 0 && t.cell.x > 0 && t.cell.y > 0;
  if (!a->reading || !cl_archive_check(a, right)) return;
  if (!cl_archive_check(a, (double)t.size[0] * t.size[1] <= most)) return;
  read_tiles(a, shape, grid, &t);
}

// ---- all --------------------------------------------------------------------------------------

// Packs or reads all shapes but tiles, nested in `level` others.
static void archive_shape(cl_archive *a, cl_shape **shape, uint32_t level) {
  unsigned kind = archive_byte(a, a->reading ? 0 : (*shape)->kind, CL_COMPOUND);
  unsigned flags = a->reading ? 0 : (*shape)->flags & CL_SHAPE_UPRIGHT;
  flags = archive_byte(a, flags, CL_SHAPE_UPRIGHT);
  if (kind == CL_COMPOUND) archive_members(a, shape, level);
  else archive_parts(a, kind, flags, shape);
  if (!a->reading || !*shape) return;
  if (a->status == CL_OK) cl_archive_check(a, cl_shape_is_valid(*shape));
  if (a->status == CL_OK) return;
  cl_shape_release(*shape);
  *shape = NULL;
}

void cl_shape_archive(cl_archive *a, cl_shape **shape, cl_grid *grid, double most) {
  if (a->reading) *shape = NULL;
  bool tiles = !a->reading && (*shape)->kind == CL_TILES;
  cl_archive_bool(a, &tiles);
  if (tiles) archive_tiles(a, shape, grid, most);
  else archive_shape(a, shape, 0);
}
