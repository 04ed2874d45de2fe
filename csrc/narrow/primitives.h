// collide, MIT licence (see LICENSE)
//
// Overlap of the most common pairs in games: upright rectangles and circles by formulas, small
// convex parts by separating axes, with vector instructions. These tests have no branch on an
// unpredictable outcome. Layer: narrow.
//
// The vertices and normals of a small part are turned once, into a block, for all the pairs that it
// is in; then many pairs of blocks are tested one after another, four axes at once.

#ifndef CL_NARROW_PRIMITIVES_H
#define CL_NARROW_PRIMITIVES_H

#include "base/simd.h"
#include "geom/shape.h"

// ---- rectangles and circles

/// Of two ranges with one middle, whether the first belongs to the rectangle that goes towards
/// lower coordinates: the narrower one, else the one that is lower across.
static inline bool cl_goes_back(double low, double other_low, cl_bounds a, cl_bounds b) {
  if (low != other_low) return low > other_low;
  if (a.l != b.l || a.t != b.t) return a.l < b.l || (a.l == b.l && a.t < b.t);
  return a.r < b.r || (a.r == b.r && a.b <= b.b);
}

/// cl_overlap for two upright rectangles by their placed edges.
static inline bool cl_overlap_boxes(cl_bounds a, cl_bounds b, bool touching, cl_hit *out) {
  bool apart = touching ? (a.l > b.r) | (b.l > a.r) | (a.t > b.b) | (b.t > a.b)
                        : (a.l >= b.r) | (b.l >= a.r) | (a.t >= b.b) | (b.t >= a.b);
  if (apart) return false;
  double left = a.r - b.l, right = b.r - a.l, up = a.b - b.t, down = b.b - a.t;
  double x = left < right ? left : right, y = up < down ? up : down;
  // All four directions are equally likely: sums instead of a branch that would be mispredicted.
  int across = x <= y, back_x = left < right, back_y = up < down;
  if (across ? left == right : up == down) {
    back_x = cl_goes_back(a.l, b.l, a, b);
    back_y = cl_goes_back(a.t, b.t, a, b);
  }
  out->nx = across * (1 - 2 * back_x);
  out->ny = (1 - across) * (1 - 2 * back_y);
  out->depth = x < y ? x : y;
  return true;
}

/// A circle by its placed centre, world units.
typedef struct cl_disc {
  double x, y, r;
} cl_disc;

/// Rare cases of cl_overlap_circles, kept out of the hot loop.
bool cl_overlap_circles_near(cl_disc a, cl_disc b, bool touching, cl_hit *out);

/// Whether two circles overlap, if squares of doubles can decide; otherwise sets `near`:
/// cl_overlap_circles_near decides. `out` is always written, and valid if the answer is true.
/// Without a branch, because the outcome is not predictable.
static inline bool cl_overlap_discs(cl_disc a, cl_disc b, bool *near, cl_hit *out) {
  double x = a.x - b.x, y = a.y - b.y, r = a.r + b.r;
  double d2 = x * x + y * y, r2 = r * r;
  bool apart = d2 > r2 * (1 + CL_SQUARE_ERROR);
  bool hit = (d2 < r2 * (1 - CL_SQUARE_ERROR)) & (d2 > CL_SQUARE_LEAST);
  double d = sqrt(d2);
  *out = (cl_hit){x / d, y / d, r - d};
  *near = !(apart | hit);
  return hit;
}

/// cl_overlap for two circles.
static inline bool cl_overlap_circles(cl_disc a, cl_disc b, bool touching, cl_hit *out) {
  bool near;
  cl_hit hit;
  if (cl_overlap_discs(a, b, &near, &hit)) *out = hit;
  else return near && cl_overlap_circles_near(a, b, touching, out);
  return true;
}

/// Whether an upright rectangle and a circle overlap, and how the rectangle gets free, with the
/// same bits as separating axes give, if rounding leaves no doubt and nothing ties; otherwise sets
/// `near`: cl_overlap decides. `disc` is placed, `box` is in its shape's frame; `box_at` and
/// `disc_at` are the places of their shapes. `out` is always written, and valid if the answer is
/// true. Without a branch, because the side on which they meet is not predictable.
CL_INLINE bool cl_overlap_box_disc(const cl_bounds *box, const cl_disc *disc, const cl_vec *box_at,
                                   const cl_vec *disc_at, bool *near, cl_hit *out) {
  // Relative to cl_convex_origin.
  cl_f64x2 place = cl_f64x2_load(&box_at->x), other = cl_f64x2_load(&disc_at->x);
  cl_f64x2 o = cl_f64x2_mul(cl_f64x2_all(0.5), cl_f64x2_add(place, other));
  cl_f64x2 from = cl_f64x2_sub(place, o), at = cl_f64x2_load(&disc->x), c = cl_f64x2_sub(at, o);
  cl_f64x2 lt = cl_f64x2_load(&box->l), rb = cl_f64x2_load(&box->r);
  cl_f64x2 before = cl_f64x2_sub(cl_f64x2_add(lt, from), c);
  cl_f64x2 behind = cl_f64x2_sub(c, cl_f64x2_add(rb, from));
  cl_f64x2 beyond = cl_f64x2_max(before, behind);
  lt = cl_f64x2_add(place, lt), rb = cl_f64x2_add(place, rb);
  double x = cl_f64x2_first(beyond), y = cl_f64x2_first(cl_f64x2_seconds(beyond, beyond));
  double far = cl_max(x, y), less = cl_min(x, y);
  // At least the other bounds of such errors: twice the coordinates, since only the placed
  // coordinates are known.
  cl_f64x2 far_off = cl_f64x2_add(cl_f64x2_abs(cl_f64x2_load(&box_at->x)),
                                  cl_f64x2_abs(cl_f64x2_load(&disc_at->x)));
  cl_f64x2 reach = cl_f64x2_add(cl_f64x2_max(cl_f64x2_abs(lt), cl_f64x2_abs(rb)), cl_f64x2_abs(at));
  reach = cl_f64x2_add(reach, cl_f64x2_add(far_off, far_off));
  double size = cl_f64x2_first(reach) + cl_f64x2_first(cl_f64x2_seconds(reach, reach)) + disc->r;
  double error = 2 * CL_SEPARATION_ERROR * size;
  bool inside = far<-error, corner = less> error, side = (far > error) & (less < -error);
  unsigned ties = cl_mask64x2_bits(cl_f64x2_eq(before, behind));
  bool tie = inside & ((x == y) | ((ties >> !(x > y)) & 1));
  // Along an edge's normal it is 1 on one axis and 0 on the other; to a corner it is the way from
  // there, whose doubles are those of the placed corner.
  cl_f64x2 most = cl_f64x2_all(far),
           axis = cl_f64x2_where(cl_f64x2_eq(beyond, most), cl_f64x2_all(1));
  cl_f64x2 corner_way =
      cl_f64x2_max(cl_f64x2_sub(cl_f64x2_sub(lt, o), c), cl_f64x2_sub(c, cl_f64x2_sub(rb, o)));
  cl_f64x2 farther = cl_f64x2_all(cl_f64x2_most(corner_way));
  cl_mask64x2 to_corner = cl_f64x2_le(cl_f64x2_all(error), cl_f64x2_all(less));
  cl_f64x2 share = cl_f64x2_where(to_corner, cl_f64x2_div(corner_way, farther));
  axis = cl_f64x2_sub(axis, cl_f64x2_where(to_corner, axis));
  most = cl_f64x2_sub(most, cl_f64x2_where(to_corner, most));
  most = cl_f64x2_add(most, cl_f64x2_where(to_corner, farther));
  cl_f64x2 way = cl_f64x2_max(axis, share), square = cl_f64x2_mul(way, way);
  double length = sqrt(cl_f64x2_first(square) + cl_f64x2_first(cl_f64x2_seconds(square, square)));
  double distance = cl_f64x2_first(most) * length;
  way = cl_f64x2_neg_where(cl_f64x2_le(before, behind), cl_f64x2_div(way, cl_f64x2_all(length)));
  cl_f64x2_store(&out->nx, cl_f64x2_add(way, cl_f64x2_all(0)));
  out->depth = disc->r - distance;
  bool hit = (inside & !tie) | ((corner | side) & (distance < disc->r - error));
  bool apart = (corner | side) & (distance > disc->r + error);
  *near = !(hit | apart);
  return hit;
}

// ---- small convex parts

/// A block of doubles contains the vertices of a sharp shape of one part, 2 to CL_BLOCK_MANY of
/// them, turned about its place and relative to it: with room for m vertices, m times x, m times y,
/// the same of the normals, and of each edge how far along its normal it is. There is room for
/// CL_BLOCK_FEW if that is enough, otherwise for CL_BLOCK_MANY; if there are fewer vertices, some
/// are repeated, which changes nothing.
enum { CL_BLOCK_FEW = 4, CL_BLOCK_MANY = 8 };
#define CL_BLOCK(room) (5 * (room))

/// A block and its place. `size` is at least |x| + |y| of all coordinates used, for error bounds.
typedef struct cl_block_at {
  const double *block;
  cl_vec at;
  double size;
} cl_block_at;

static inline cl_block_at cl_block_placed(const double *block, cl_vec at, double reach) {
  return (cl_block_at){block, at, fabs(at.x) + fabs(at.y) + reach};
}

/// Whether a shape has such a block.
static inline bool cl_has_block(const cl_shape *shape) {
  const cl_part *part = shape->parts;
  return shape->part_count == 1 && part->radius == 0 && part->count > 1 &&
         part->count <= CL_BLOCK_MANY;
}

/// Whether such a shape has few vertices.
static inline bool cl_has_few(const cl_shape *shape) { return shape->parts->count <= CL_BLOCK_FEW; }

/// The block of a shape that is not turned: its own arrays, which are adjacent.
static inline const double *cl_own_block(const cl_shape *shape) {
  CL_CHECK(cl_has_block(shape) && shape->line == shape->vx + 4 * (shape->vy - shape->vx));
  return shape->vx;
}

/// Writes a block with room for CL_BLOCK_FEW or CL_BLOCK_MANY vertices, and, unless NULL, its
/// bounds relative to its place: with the place added, rounding keeps order, so they are
/// cl_placed_bounds. A large block may contain few vertices, too.
CL_KERNEL_PAIR(void, cl_place_block,
               (const cl_placed *placed, int room, double *block, cl_bounds *bounds));

/// Two placed parts, a and b.
typedef struct cl_couple {
  cl_block_at of[2];
} cl_couple;

/// Which parts of a couple have room for few vertices only.
typedef enum cl_rooms { CL_BOTH_FEW, CL_A_FEW, CL_B_FEW, CL_NONE_FEW } cl_rooms;

/// The results about couples, by their indices, in the caller's arrays. `hit[i]` is for couple
/// `which[i]`; its vector is how its `a` gets free. Each array has room for all couples that are
/// tested.
typedef struct cl_verdicts {
  cl_hit *hit;
  uint32_t *which, *doubt;
  uint32_t hits, doubts;
} cl_verdicts;

/// Tests `count` couples, none of them two upright rectangles. Appends those that overlap, with the
/// same bits as cl_overlap gives, and, as doubts, those that tie or that rounding leaves open;
/// cl_overlap decides these.
CL_KERNEL_PAIR(void, cl_test_couples,
               (const cl_couple *couple, uint32_t count, cl_rooms rooms, cl_verdicts *out));

// ---- a circle and a small convex part

/// A placed circle, and the place of its shape.
typedef struct cl_disc_at {
  cl_disc disc;
  cl_vec at;
} cl_disc_at;

/// A circle and a block, relative to cl_convex_origin: the circle's centre, the edge that it is
/// farthest outside of, and how far.
typedef struct cl_disc_edge {
  cl_vec origin, centre;
  double separation, error;
  int edge;
  bool tie; ///< it is as far outside of another edge, which leads another way
} cl_disc_edge;

/// A vertex minus the circle's centre.
CL_INLINE cl_vec cl_disc_to_vertex(const cl_disc_edge *e, const cl_block_at *b, int room, int i) {
  return (cl_vec){((b->at.x + b->block[i]) - e->origin.x) - e->centre.x,
                  ((b->at.y + b->block[room + i]) - e->origin.y) - e->centre.y};
}

/// Repeats the last vertex to fill a block.
CL_INLINE int cl_block_next(const double *block, int room, int i) {
  int next = (i + 1) & (room - 1);
  return block[next] == block[i] && block[room + next] == block[room + i] ? 0 : next;
}

/// Whether a circle overlaps the part in a vertex block, with the same bits as cl_overlap gives, if
/// rounding leaves no doubt and an edge is nearest. Otherwise sets `near`: cl_overlap_disc_corner
/// or cl_overlap decides. `out` and `edge` are always written. `out` is valid if the answer is yes:
/// how the circle gets free.
CL_INLINE bool cl_overlap_disc_block(const cl_disc_at *c, const cl_block_at *b, int room,
                                     bool *near, cl_disc_edge *edge, cl_hit *out) {
  const double *x = b->block, *nx = x + 2 * room, *ny = nx + room, *line = ny + room;
  cl_disc disc = c->disc;
  cl_vec at = c->at;
  cl_disc_edge e = {.origin = cl_vec_between(at, b->at)};
  cl_vec from = cl_vec_sub(b->at, e.origin);
  e.centre = (cl_vec){disc.x - e.origin.x, disc.y - e.origin.y};
  cl_f64x4 cx = cl_f64x4_all(e.centre.x), cy = cl_f64x4_all(e.centre.y);
  cl_f64x4 bx = cl_f64x4_all(from.x), by = cl_f64x4_all(from.y), beyond[2];
  for (int i = 0; i < room; i += 4) {
    cl_f64x4 u = cl_f64x4_load(nx + i), v = cl_f64x4_load(ny + i);
    cl_f64x4 own = cl_f64x4_add(cl_f64x4_load(line + i), cl_f64x4_dot(u, v, bx, by));
    beyond[i / 4] = cl_f64x4_sub(cl_f64x4_dot(u, v, cx, cy), own);
  }
  bool few = room == CL_BLOCK_FEW;
  e.separation = cl_f64x4_most(few ? beyond[0] : cl_f64x4_max(beyond[0], beyond[1]));
  cl_f64x4 most = cl_f64x4_all(e.separation);
  unsigned edges = cl_f64x4_eq_bits(beyond[0], most);
  if (!few) edges |= cl_f64x4_eq_bits(beyond[1], most) << CL_BLOCK_FEW;
  int k = e.edge = (int)cl_first_bit(edges);
  cl_vec n = {nx[k], ny[k]}, along = {-n.y, n.x};
  for (unsigned left = edges & (edges - 1); left; left &= left - 1) {
    int other = (int)cl_first_bit(left);
    e.tie |= (nx[other] != n.x) | (ny[other] != n.y);
  }
  cl_vec p = cl_disc_to_vertex(&e, b, room, k);
  cl_vec q = cl_disc_to_vertex(&e, b, room, cl_block_next(x, room, k));
  double begins = cl_vec_dot(p, along), ends = cl_vec_dot(q, along);
  double distance = e.separation;
  bool beside = (begins <= 0) & (ends >= 0);
  // More than cl_convex_error, and more than the depth that cl_overlap treats as 0.
  double size = b->size + (fabs(at.x) + fabs(at.y)) + (fabs(disc.x - at.x) + fabs(disc.y - at.y)) +
                2 * disc.r;
  double error = e.error = 4 * CL_SEPARATION_ERROR * size;
  bool deep = e.separation < -error;
  bool apart = distance > disc.r + error;
  bool hit = deep | (beside & (distance > error) & (distance < disc.r - error));
  *out = (cl_hit){n.x + 0.0, n.y + 0.0, disc.r - distance};
  *near = e.tie | !(apart | hit);
  *edge = e;
  return hit & !apart & !e.tie;
}

/// The same for a circle that cl_overlap_disc_block leaves open, when a vertex is nearest.
CL_INLINE bool cl_overlap_disc_corner(double r, const cl_block_at *b, int room,
                                      const cl_disc_edge *e, bool *near, cl_hit *out) {
  const double *nx = b->block + 2 * room, *ny = nx + room;
  int k = e->edge, next = cl_block_next(b->block, room, k);
  cl_vec p = cl_disc_to_vertex(e, b, room, k), q = cl_disc_to_vertex(e, b, room, next);
  cl_vec along = {-ny[k], nx[k]};
  double begins = cl_vec_dot(p, along), ends = cl_vec_dot(q, along);
  bool back = begins > 0, ahead = !back & (ends < 0);
  // The edge on the other side of the vertex leads away from the circle.
  int other = back ? (k - 1) & (room - 1) : next;
  cl_vec v = back ? p : q, way = {-ny[other], nx[other]};
  double leads = cl_vec_dot(v, way);
  bool at_vertex = (back & (leads <= 0)) | (ahead & (leads >= 0));
  double distance = cl_vec_normalise(&v);
  *out = (cl_hit){0.0 - v.x, 0.0 - v.y, r - distance};
  bool known = at_vertex & (e->separation > e->error) & !e->tie;
  bool hit = known & (distance > e->error) & (distance < r - e->error);
  *near = !hit & !(known & (distance > r + e->error));
  return hit;
}

#endif
