// collide, MIT licence (see LICENSE)
//
// Members of shapes that meet. Layer: narrow.
//
// Searches for hits look at convex parts and ignore members. The member is found afterwards, only
// for the hit that is reported, from its point and normal. So shapes without members cost nothing
// extra.

#include "narrow/members.h"

#include "geom/tiles.h"
#include "narrow/convex.h"
#include "narrow/motion.h"
#include "narrow/overlap.h"

// ---- one member

// A member as a separate shape. Shapes without members, tiles and their cells are not taken apart.
typedef struct lone {
  cl_placed placed;
  cl_stack_shape segment;
} lone;

static void take_out(const cl_placed *p, uint32_t member, lone *out) {
  const cl_shape *s = p->shape;
  out->placed = *p;
  if (member == 0) return;
  if (s->member_count > 0) {
    out->placed.shape = s->members[member - 1];
  } else if (s->kind == CL_CHAIN) {
    uint32_t i = s->parts[member - 1].first;
    cl_stack_segment(&out->segment, s->vx[i], s->vy[i], s->vx[i + 1], s->vy[i + 1]);
    out->placed.shape = &out->segment.shape;
  }
}

// ---- where a hit is

// How well a part explains a hit. Best, it touches the point, does not reach beyond the surface
// there, and has a face with that normal.
typedef enum fit { FIT_FACE, FIT_CORNER, FIT_TOUCH, FIT_NONE } fit;

typedef struct search {
  const cl_placed *a; // or the point
  cl_vec way, at, normal;
  double margin;
  bool any_corner; // the point may be a corner of b, met by a face of `a`
  cl_convex point;
  cl_placed placed; // the point
  fit fit;
  double gap;
  uint32_t member;
} search;

// Directions that differ by no more than this are the same.
#define SAME_WAY (1 - 1e-9)

static bool has_face(const cl_convex *c, cl_vec n) {
  for (int i = 0; i < c->n && c->n > 1; i++)
    if (cl_vec_dot(cl_convex_normal(c, i), n) > SAME_WAY) return true;
  return false;
}

// Whether a hit with this normal may be a corner, met by a face or a round part of the mover.
static bool meets_corners(const cl_placed *a, cl_vec normal) {
  cl_convex c;
  if (!a) return false;
  if (a->shape->flags & CL_SHAPE_ROUND) return true;
  for (uint32_t i = 0; i < a->shape->part_count; i++) {
    cl_convex_place(a, i, (cl_vec){a->x, a->y}, &c);
    if (has_face(&c, (cl_vec){-normal.x, -normal.y})) return true;
  }
  return false;
}

// How far the point is outside a part; below 0 inside.
static double gap_of(const search *s, const cl_convex *c) {
  cl_axis axis = cl_convex_axis(&s->point, c, DBL_MAX);
  if (c->n > 2 && axis.separation < 0) return axis.separation - c->r;
  return cl_convex_closest(&s->point, c, &axis).distance - c->r;
}

// Whether the motion leads into a member that it touches at its start, if that matters.
static bool enters(const search *s, const cl_placed *b, uint32_t member) {
  cl_cast c;
  lone one;
  if (s->way.x == 0 && s->way.y == 0) return true;
  take_out(b, member, &one);
  return cl_cast_shape(s->a, s->way, &one.placed, &c) && c.t == 0;
}

// Takes a part into account.
static void weigh(search *s, const cl_placed *b, uint32_t part, uint32_t member) {
  cl_convex c;
  cl_convex_place(b, part, s->at, &c);
  double gap = cl_max(gap_of(s, &c) - s->margin, 0);
  cl_vec n = s->normal;
  bool leads = c.r - cl_convex_least(&c, (cl_vec){-n.x, -n.y}) <= s->margin;
  fit how = gap > 0 ? FIT_NONE : !leads ? FIT_TOUCH : FIT_CORNER;
  if (gap == 0 && n.x == 0 && n.y == 0) how = FIT_FACE;
  if (how <= FIT_CORNER && !enters(s, b, member)) how = FIT_TOUCH;
  if (how == FIT_CORNER && (s->any_corner || c.r > 0 || has_face(&c, n))) how = FIT_FACE;
  bool same = how == s->fit && gap == s->gap;
  bool better = how < s->fit || (how == s->fit && gap < s->gap) || (same && member < s->member);
  if (s->member == 0 || better) s->fit = how, s->gap = gap, s->member = member;
}

static void weigh_cells(search *s, const cl_placed *tiles, cl_bounds box) {
  const cl_shape *shape = tiles->shape;
  cl_cell_rect near = cl_tiles_near(tiles, box);
  for (int32_t row = near.top; row <= near.bottom; row++) {
    for (int32_t column = near.left; column <= near.right; column++) {
      if (!cl_tiles_is(shape, column, row, CL_TILES_SOLID)) continue;
      cl_cell_block block;
      cl_cell_block_fill(&block, shape, (cl_cell_rect){column, row, column, row});
      cl_placed cell = {&block.shape, tiles->x, tiles->y, {1, 0}};
      weigh(s, &cell, 0, cl_tiles_value(shape, column, row));
    }
  }
}

// The parts near the point, in a growing box until one is found.
static uint32_t member_near(search *s, const cl_placed *b) {
  cl_bounds all = cl_placed_bounds(b), box;
  enum { GROWTH = 256 };
  double reach = s->margin;
  do {
    box = cl_bounds_grown((cl_bounds){s->at.x, s->at.y, s->at.x, s->at.y}, reach);
    reach *= GROWTH;
    if (cl_placed_is_tiles(b)) {
      weigh_cells(s, b, box);
      continue;
    }
    cl_within near = cl_within_placed(b, box);
    for (uint32_t k; cl_within_next(&near, &k);) weigh(s, b, k, cl_shape_member_at(b->shape, k));
  } while (s->member == 0 && !cl_bounds_cover(box, all));
  return s->member;
}

// ---- where a cast begins

// This many pairs of parts that overlap are measured to find the deepest.
enum { MOST_DEPTHS = 2048 };

// The member of `b`, not tiles, with the part that `a` is deepest in; 0 if no part overlaps alone.
static uint32_t deepest(const cl_placed *a, const cl_placed *b) {
  cl_part_pairs at;
  cl_hit hit;
  uint32_t best = 0;
  double depth = 0;
  cl_part_pairs_begin(&at, a, b, (cl_bounds){0, 0, 0, 0}, cl_convex_origin(a, b));
  for (int overlaps = 0; overlaps < MOST_DEPTHS && cl_part_pairs_next(&at);) {
    CL_WORK(cl_part_pairs_spent(&at));
    // A pair's own depth is at most that of its bounds.
    if (cl_bounds_exit(at.at.one, at.at.two) < depth) continue;
    if (!cl_part_pairs_overlap(&at, false, &hit)) continue;
    overlaps++;
    uint32_t member = cl_shape_member_at(b->shape, at.at.k);
    bool deeper = best == 0 || hit.depth > depth || (hit.depth == depth && member < best);
    if (deeper) best = member, depth = hit.depth;
  }
  return best;
}

uint32_t cl_member_met(const cl_placed *a, cl_vec way, const cl_placed *b, cl_vec at, cl_vec normal,
                       double size) {
  if (!cl_shape_has_members(b->shape)) return 0;
  cl_stack_shape point;
  cl_stack_circle(&point, 0);
  search s = {.way = way, .at = at, .normal = normal};
  s.placed = (cl_placed){&point.shape, at.x, at.y, {1, 0}};
  s.a = a ? a : &s.placed;
  if (normal.x == 0 && normal.y == 0 && !cl_placed_is_tiles(b)) {
    uint32_t member = deepest(s.a, b);
    if (member > 0) return member;
  }
  double most = cl_max(cl_bounds_largest(cl_placed_bounds(b)), size);
  s.margin = 8 * CL_TOUCH_SHARE * cl_max(most, cl_max(fabs(at.x), fabs(at.y)));
  s.any_corner = meets_corners(a, normal);
  cl_convex_place(&s.placed, 0, at, &s.point);
  return member_near(&s, b);
}

uint32_t cl_cast_member(const cl_placed *a, cl_vec d, const cl_placed *b, const cl_cast *c) {
  if (!cl_shape_has_members(b->shape)) return 0;
  cl_placed there;
  if (a) there = *a, there.x += d.x * c->t, there.y += d.y * c->t;
  cl_vec at = {c->x, c->y}, normal = {c->nx, c->ny}, none = {0, 0};
  bool starts = c->t == 0 && (c->nx != 0 || c->ny != 0);
  double size = fabs(c->x) + fabs(c->y) + fabs(d.x) + fabs(d.y);
  return cl_member_met(a ? &there : NULL, starts ? d : none, b, at, normal, size);
}

// ---- all pairs of members

// All ways out together may take this much work, half of the limit for a single call; each has at
// least LEAST_WORK.
enum { MOST_WORK = CL_MTV_WORK / 2, LEAST_WORK = CL_MTV_WORK / 256 };

// Two shapes, of which only `b` may be tiles.
typedef struct finder {
  const cl_alloc *alloc;
  const cl_placed *a, *b;
  bool touching;
  cl_effort effort;
  cl_shape *value[256]; // of tiles: the cells of a value, once they are needed
  uint32_t *seen;       // by member of b: the last member of a that was compared with it
  cl_member_list list;
} finder;

static cl_status add(finder *f, uint32_t member, uint32_t other, const cl_placed *one,
                     const cl_placed *two) {
  cl_hit hit;
  long left = MOST_WORK - f->effort.spent;
  f->effort.work = left > LEAST_WORK ? left : LEAST_WORK;
  if (!cl_overlap_within(one, two, f->touching, &f->effort, &hit)) return CL_OK;
  cl_member_list *list = &f->list;
  cl_status status = CL_RESERVE(f->alloc, list->at, list->cap, list->count + 1);
  if (status == CL_OK) list->at[list->count++] = (cl_member_overlap){member, other, hit.depth};
  return status;
}

// The values of the cells of tiles that may touch a box.
static cl_values values_near(const cl_placed *tiles, cl_bounds box) {
  cl_values values = {{0}};
  cl_cell_rect near = cl_tiles_near(tiles, box);
  for (int32_t row = near.top; row <= near.bottom; row++)
    for (int32_t column = near.left; column <= near.right; column++)
      cl_values_add(&values, cl_tiles_value(tiles->shape, column, row));
  return values;
}

// Compares a member of a with the values of tiles.
static cl_status compare_values(finder *f, uint32_t member, const cl_placed *one) {
  cl_values values = values_near(f->b, cl_placed_bounds(one));
  cl_status status = CL_OK;
  for (uint32_t v = 1; status == CL_OK && v < 256; v++) {
    if (!cl_values_have(&values, v) || !cl_tiles_kind_of(f->b->shape, (uint8_t)v)) continue;
    if (!f->value[v]) status = cl_tiles_of_value(f->b->shape, (uint8_t)v, &f->value[v]);
    cl_placed cells = {f->value[v], f->b->x, f->b->y, f->b->rot};
    if (status == CL_OK) status = add(f, member, v, one, &cells);
  }
  return status;
}

// Compares a member of a with those of b that are near.
static cl_status compare_near(finder *f, uint32_t member, const cl_placed *one) {
  cl_status status = CL_OK;
  cl_within near = cl_within_placed(f->b, cl_placed_bounds(one));
  for (uint32_t k; status == CL_OK && cl_within_next(&near, &k);) {
    uint32_t other = cl_shape_member_at(f->b->shape, k);
    lone two;
    CL_WORK(1);
    if (f->seen[other] == member + 1) continue;
    f->seen[other] = member + 1;
    take_out(f->b, other, &two);
    status = add(f, member, other, one, &two.placed);
  }
  return status;
}

static cl_status compare_all(finder *f) {
  cl_status status = CL_OK;
  cl_bounds box = cl_placed_bounds(f->b);
  uint32_t count = cl_shape_member_count(f->a->shape), first = count > 0;
  for (uint32_t i = first; status == CL_OK && i <= count; i++) {
    lone one;
    CL_WORK(1);
    take_out(f->a, i, &one);
    if (!cl_bounds_touch(cl_placed_bounds(&one.placed), box)) continue;
    bool tiles = cl_placed_is_tiles(f->b);
    status = (tiles ? compare_values : compare_near)(f, i, &one.placed);
  }
  return status;
}

static int by_depth(const void *p, const void *q) {
  const cl_member_overlap *a = p, *b = q;
  if (a->depth != b->depth) return a->depth > b->depth ? -1 : 1;
  if (a->member != b->member) return a->member < b->member ? -1 : 1;
  return (a->other > b->other) - (a->other < b->other);
}

// The depth is the same to the bit whichever of the two is `a`.
cl_status cl_member_overlaps(const cl_alloc *alloc, const cl_placed *a, const cl_placed *b,
                             bool touching, cl_member_list *out) {
  bool turned = cl_placed_is_tiles(a);
  assert(!turned || !cl_placed_is_tiles(b));
  finder f = {.alloc = alloc, .touching = touching, .effort = cl_full_effort()};
  f.a = turned ? b : a, f.b = turned ? a : b;
  size_t members = (size_t)cl_shape_member_count(f.b->shape) + 1;
  f.seen = cl_new_array(alloc, members, sizeof *f.seen);
  cl_status status = f.seen ? compare_all(&f) : CL_NOMEM;
  CL_FREE(alloc, f.seen, members);
  for (int v = 0; v < 256; v++)
    if (f.value[v]) cl_shape_release(f.value[v]);
  *out = f.list;
  if (status != CL_OK) cl_member_list_free(alloc, out);
  for (size_t i = 0; i < out->count && turned; i++) {
    uint32_t member = out->at[i].member;
    out->at[i].member = out->at[i].other, out->at[i].other = member;
  }
  if (out->count > 1) cl_sort_by(out->at, out->count, sizeof *out->at, by_depth);
  return status;
}

void cl_member_list_free(const cl_alloc *alloc, cl_member_list *list) {
  CL_FREE(alloc, list->at, list->cap);
  *list = (cl_member_list){NULL, 0, 0};
}
