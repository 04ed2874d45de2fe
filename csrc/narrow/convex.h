// collide, MIT licence (see LICENSE)
//
// Convex parts at a place, as the pair tests use them, and the tests of two parts: their
// separation, closest points, the sides that face each other, and whether they overlap.
// Layer: narrow.
// Source: Ericson, Real-Time Collision Detection, 3.11, 5.1 and 5.2.1.

#ifndef CL_NARROW_CONVEX_H
#define CL_NARROW_CONVEX_H

#include "geom/shape.h"

/// Parts of up to CL_SMALL vertices are placed on the stack at once; larger ones vertex by vertex,
/// when needed, or in a room of the caller if they are compared with many others.
enum { CL_SMALL = 16, CL_ROOM = 200 };
typedef struct cl_convex_room {
  double x[CL_ROOM], y[CL_ROOM];
  double nx[CL_ROOM], ny[CL_ROOM];
} cl_convex_room;

/// Vertices are relative to an origin near both shapes, so that projections stay precise far from
/// 0, 0: cl_convex_origin, unless the two have different roles. The arrays are padded to a multiple
/// of 4 like the shape's, and unused if n > CL_SMALL.
typedef struct cl_convex {
  const cl_placed *placed;
  const cl_part *part;
  cl_vec origin, from; ///< `from`: the shape's place
  const double *line;  ///< for each edge: how far along its normal it is from that place
  int n;
  double r;
  double size;                ///< bound of the coordinates used, for error bounds
  const cl_convex_room *room; ///< its vertices, or NULL
  double x[CL_SMALL], y[CL_SMALL];
  double nx[CL_SMALL], ny[CL_SMALL];
} cl_convex;

/// An origin near both, which is the same for either order of them, in every image.
static inline cl_vec cl_convex_origin(const cl_placed *a, const cl_placed *b) {
  return cl_vec_between((cl_vec){a->x, a->y}, (cl_vec){b->x, b->y});
}

/// Places a part of `p` relative to `origin`; in a room if that is not NULL and the part needs it.
/// The room must stay as long as `out` is used.
void cl_convex_place_in(const cl_placed *p, uint32_t part, cl_vec origin, cl_convex_room *room,
                        cl_convex *out);
static inline void cl_convex_place(const cl_placed *p, uint32_t part, cl_vec origin,
                                   cl_convex *out) {
  cl_convex_place_in(p, part, origin, NULL, out);
}

/// Vertex i, and the unit outward normal of the edge from it to the next.
cl_vec cl_convex_vertex_large(const cl_convex *c, int i);
cl_vec cl_convex_normal_large(const cl_convex *c, int i);

static inline cl_vec cl_convex_vertex(const cl_convex *c, int i) {
  if (c->n <= CL_SMALL) return (cl_vec){c->x[i], c->y[i]};
  if (c->room) return (cl_vec){c->room->x[i], c->room->y[i]};
  return cl_convex_vertex_large(c, i);
}

static inline cl_vec cl_convex_normal(const cl_convex *c, int i) {
  if (c->n <= CL_SMALL) return (cl_vec){c->nx[i], c->ny[i]};
  if (c->room) return (cl_vec){c->room->nx[i], c->room->ny[i]};
  return cl_convex_normal_large(c, i);
}

/// How far outside the line of edge i a point is. It does not depend on the direction of the edge.
static inline double cl_convex_outside(const cl_convex *c, int i, cl_vec p) {
  cl_vec n = cl_convex_normal(c, i);
  return cl_vec_dot(n, p) - (c->line[i] + cl_vec_dot(n, c->from));
}

/// The next vertex in order, and the previous one.
static inline int cl_convex_next(const cl_convex *c, int i) { return i + 1 < c->n ? i + 1 : 0; }
static inline int cl_convex_before(const cl_convex *c, int i) { return i > 0 ? i - 1 : c->n - 1; }

/// The least of all vertices along `d`.
double cl_convex_least(const cl_convex *c, cl_vec d);

/// The vertex farthest along `d`; the first if there are several.
int cl_convex_support(const cl_convex *c, cl_vec d);

/// The same, looked for from a vertex on: quick for large parts if it is
/// near.
int cl_convex_support_near(const cl_convex *c, cl_vec d, int from);

/// The largest separation of the cores (without radii) along the normals of the edges of both, as
/// one direction from a to b: `edge` is the number of an edge of a, or with `of_b` of b. Below 0,
/// it is a depth. Of equal separations, takes the one that shrinks least, or grows most, when a
/// moves along `d`; then the one whose way out of a goes first. The first separation found that
/// exceeds `enough` is taken at once. Two cores of one point each have none (-DBL_MAX).
typedef struct cl_axis {
  double separation;
  cl_vec normal;
  int edge;
  bool of_b;
} cl_axis;
cl_axis cl_convex_axis_moving(const cl_convex *a, const cl_convex *b, double enough, cl_vec d);

/// The same without a motion.
static inline cl_axis cl_convex_axis(const cl_convex *a, const cl_convex *b, double enough) {
  return cl_convex_axis_moving(a, b, enough, (cl_vec){0, 0});
}

/// The error bound of a separation of these two, in world units. For large parts the walk adds one
/// more rounding per vertex.
static inline double cl_convex_error(const cl_convex *a, const cl_convex *b) {
  return CL_SEPARATION_ERROR * (a->size + b->size) * (1 + (a->n + b->n) / (4.0 * CL_SMALL));
}

/// The boundary of the Minkowski difference b - a consists of the edges of both, ordered by
/// direction. This is the unit vector along an edge of a, or with `of_b` of b, forward or back,
/// computed from its normal n: the difference of two corners may be nothing but rounding.
static inline cl_vec cl_edge_way(cl_vec n, bool of_b, bool ahead) {
  return of_b == ahead ? (cl_vec){-n.y, n.x} : (cl_vec){n.y, -n.x};
}

/// At a corner reached along `way`: whether b's edge, along f, comes next, not a's, along e. The
/// edge that turns least comes next. Edges more than a right angle apart are ordered by `way`
/// alone, since edges of flat parts may lead straight back.
static inline bool cl_edge_turns_less(cl_vec e, cl_vec f, cl_vec way, bool ahead) {
  if (cl_vec_dot(e, f) < 0) return cl_vec_dot(f, way) > cl_vec_dot(e, way);
  double side = cl_vec_cross(e, f);
  return ahead ? side < 0 : side > 0;
}

/// The closest points of two disjoint cores, found from their best axis, and the unit vector from
/// a's to b's. Between two vertices `corner` is true and i, k are their numbers; otherwise the
/// normal is that of an edge.
typedef struct cl_closest {
  cl_vec a, b, normal;
  double distance;
  bool corner;
  int i, k;
} cl_closest;
cl_closest cl_convex_closest(const cl_convex *a, const cl_convex *b, const cl_axis *axis);

/// Whether the closest points of round parts that overlap or touch are two vertices.
bool cl_convex_corner(const cl_convex *a, const cl_convex *b, cl_closest *out);

/// A facing feature in the frame of a normal: it reaches from u0 to u1 across the normal, at
/// heights h0 and h1 along it. A vertex has u0 = u1.
typedef struct cl_facet {
  double u0, u1, h0, h1;
} cl_facet;

/// The side of a core that faces along the unit vector n; `across` is n turned by a right angle.
cl_facet cl_facet_of(const cl_convex *c, cl_vec n, cl_vec across);

/// Its height at u; past its ends, the height of the end.
double cl_facet_height(const cl_facet *f, double u);

/// cl_overlap for parts; the vector is how b gets free.
bool cl_convex_overlap(const cl_convex *a, const cl_convex *b, bool touching, cl_hit *out);

/// Whether the core of a placed part is an upright box, which may be flat or a point: then writes
/// that box. Then the sign (-1, 0, 1) of the distance of two such cores minus their radii. Exact.
bool cl_core_is_box(const cl_placed *p, const cl_part *part, cl_bounds *out);
int cl_compare_cores(cl_bounds a, cl_bounds b, double r, double s);

/// Whether two placed parts overlap, exactly: by the convex hulls of the placed vertices and the
/// radii, in their interiors or, with `touching`, as closed sets. `sweep` stretches a's part along
/// a translation (0, 0: none).
bool cl_exact_overlap(const cl_placed *a, const cl_part *part_a, cl_vec sweep, const cl_placed *b,
                      const cl_part *part_b, bool touching);

#endif
