// collide, MIT licence (see LICENSE)
//
// Contacts of placed shapes: chooses the test for two shapes. Layer: narrow.

#include "geom/shape.h"

#include "geom/tiles.h"
#include "narrow/manifold.h"
#include "narrow/tiles_contact.h"

// Assigns a contact to the first of these cells that is not empty, if there is one.
static bool note_cell(const cl_shape *tiles, cl_cell_rect cells, cl_contact *c) {
  cells = cl_tiles_clip(tiles, cells);
  for (int32_t row = cells.top; row <= cells.bottom; row++) {
    int32_t column = cl_tiles_next(tiles, row, cells.left, cells.right, CL_TILES_SOLID);
    if (column > cells.right) continue;
    c->is_tile = true;
    c->column = column, c->row = row;
    c->value = cl_tiles_value(tiles, column, row);
    return true;
  }
  return false;
}

// If no face is met: the way out of the whole.
static cl_contact whole_contact(const cl_placed *a, const cl_placed *b, const cl_placed *tiles,
                                bool touching) {
  cl_hit hit = {0, 0, 0};
  cl_overlap(a, b, touching, &hit);
  cl_vec at = cl_contact_point(a, b);
  cl_contact c = {.x = at.x, .y = at.y, .depth = hit.depth, .nx = hit.nx, .ny = hit.ny};
  const cl_placed *other = tiles == a ? b : a;
  cl_bounds here = {at.x, at.y, at.x, at.y};
  if (!note_cell(tiles->shape, cl_tiles_under(tiles, here, false), &c))
    note_cell(tiles->shape, cl_tiles_near(tiles, cl_placed_bounds(other)), &c);
  return c;
}

// For two tiles, reports the cells of `b`.
static int contacts_of_tiles(const cl_placed *a, const cl_placed *b, bool touching,
                             cl_contact *out) {
  bool back = !cl_placed_is_tiles(b);
  const cl_placed *tiles = back ? a : b, *other = back ? b : a;
  bool overlap = cl_overlaps(a, b, false);
  if (!overlap && !(touching && cl_overlaps(a, b, true))) return 0;
  int n = cl_tiles_contacts(tiles, other, !overlap, CL_CONTACTS_MOST, out);
  for (int i = 0; i < n && back; i++) out[i].nx = 0.0 - out[i].nx, out[i].ny = 0.0 - out[i].ny;
  if (n > 0) return n;
  out[0] = whole_contact(a, b, tiles, touching);
  return 1;
}

int cl_contacts(const cl_placed *a, const cl_placed *b, bool touching,
                cl_contact out[CL_CONTACTS_MOST]) {
  if (cl_placed_is_tiles(a) || cl_placed_is_tiles(b)) return contacts_of_tiles(a, b, touching, out);
  cl_hit hit;
  return cl_overlap(a, b, touching, &hit) ? cl_manifold(a, b, &hit, out) : 0;
}
