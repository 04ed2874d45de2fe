// collide, MIT licence (see LICENSE)
//
// What the cells of tiles look like. Layer: geom.

#include "geom/tile_set.h"

static const cl_tile_span all_of_it = {0, 1}, nothing = {1, 0};

cl_tile_set *cl_tile_set_new(const cl_alloc *alloc, uint32_t parts) {
  assert(parts < 256);
  size_t size = sizeof(cl_tile_set) + parts * sizeof(cl_tile_part);
  cl_tile_set *set = cl_new(alloc, size);
  if (!set) return NULL;
  set->alloc = *alloc;
  set->size = size;
  set->references = 1;
  memset(set->kind + 1, CL_TILE_FULL, sizeof set->kind - 1);
  return set;
}

cl_tile_set *cl_tile_set_retain(cl_tile_set *set) {
  assert(set->references > 0 && set->references < UINT32_MAX);
  set->references++;
  return set;
}

void cl_tile_set_release(cl_tile_set *set) {
  assert(set->references > 0);
  if (--set->references > 0) return;
  cl_alloc alloc = set->alloc;
  cl_free(&alloc, set, set->size);
}

int cl_tile_part_side(const cl_tile_part *part, uint32_t edge) {
  cl_vec a = part->corner[edge], b = part->corner[edge + 1 < part->count ? edge + 1 : 0];
  if (part->radius > 0 || part->count < 3) return -1;
  if (a.y == 0 && b.y == 0) return CL_TILE_TOP;
  if (a.x == 1 && b.x == 1) return CL_TILE_RIGHT;
  if (a.y == 1 && b.y == 1) return CL_TILE_BOTTOM;
  if (a.x == 0 && b.x == 0) return CL_TILE_LEFT;
  return -1;
}

// How far a corner lies from the line through those before and after it.
static double height_of(const cl_tile_part *part, uint32_t i) {
  cl_vec v = part->corner[i], w = part->corner[(i + 1) % part->count];
  cl_vec u = part->corner[(i + part->count - 1) % part->count], e = cl_vec_sub(w, u);
  return fabs(cl_vec_cross(cl_vec_sub(v, u), e)) / cl_vec_length(e);
}

void cl_tile_set_part(cl_tile_set *set, uint8_t value, const cl_tile_part *part) {
  assert(value > 0 && part->count > 0 && part->count <= CL_TILE_CORNERS);
  assert(sizeof *set + (set->part_count + 1) * sizeof *part <= set->size);
  set->kind[value] = CL_TILE_PART;
  set->index[value] = (uint8_t)set->part_count;
  cl_tile_part *p = &set->part[set->part_count++];
  *p = *part;
  p->detail = INFINITY;
  for (int side = 0; side < 4; side++) p->side[side] = nothing;
  for (uint32_t i = 0; i < p->count && p->count > 1; i++) {
    cl_vec a = p->corner[i], b = p->corner[(i + 1) % p->count];
    p->detail = cl_min(p->detail, cl_vec_length(cl_vec_sub(b, a)));
    if (p->count > 2) p->detail = cl_min(p->detail, height_of(p, i));
    int side = cl_tile_part_side(p, i);
    if (side < 0) continue;
    bool across = side == CL_TILE_TOP || side == CL_TILE_BOTTOM;
    double u = across ? a.x : a.y, v = across ? b.x : b.y;
    p->side[side] = (cl_tile_span){cl_min(u, v), cl_max(u, v)};
  }
  set->is_round = set->is_round || p->radius > 0;
}

cl_tile_span cl_tile_set_span(const cl_tile_set *set, uint8_t value, cl_tile_side side) {
  int kind = set ? set->kind[value] : value != 0;
  if (kind == CL_TILE_PART) return set->part[set->index[value]].side[side];
  return kind == CL_TILE_FULL ? all_of_it : nothing;
}

static int compare_parts(const cl_tile_part *p, const cl_tile_part *q) {
  if (p->count != q->count) return p->count < q->count ? -1 : 1;
  if (p->radius != q->radius) return p->radius < q->radius ? -1 : 1;
  for (uint32_t i = 0; i < p->count; i++) {
    cl_vec v = p->corner[i], w = q->corner[i];
    if (v.x != w.x) return v.x < w.x ? -1 : 1;
    if (v.y != w.y) return v.y < w.y ? -1 : 1;
  }
  return 0;
}

int cl_tile_set_compare(const cl_tile_set *a, const cl_tile_set *b) {
  if (a == b) return 0;
  if (!a || !b) return a ? 1 : -1;
  int sign = memcmp(a->kind, b->kind, sizeof a->kind);
  for (int i = 0; i < 256 && sign == 0; i++)
    if (a->kind[i] == CL_TILE_PART)
      sign = compare_parts(&a->part[a->index[i]], &b->part[b->index[i]]);
  return sign;
}
