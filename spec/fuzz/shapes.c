// collide, MIT licence (see LICENSE)
//
// Two shapes of any kind at any place: the answers about them keep the contract, and agree.

#include "fuzz.h"

#include "any_shape.h"
#include "base/tol.h"
#include "geom/shape.h"

static double largest(const cl_placed *p) {
  cl_bounds b = cl_placed_bounds(p);
  return fmax(fmax(fabs(b.l), fabs(b.r)), fmax(fabs(b.t), fabs(b.b)));
}

static cl_placed moved(const cl_placed *p, double dx, double dy) {
  return (cl_placed){p->shape, p->x + dx, p->y + dy, p->rot};
}

// Checks the decisions, which hold for all doubles.
static bool check_overlap(const cl_placed *a, const cl_placed *b, cl_hit *hit) {
  cl_hit back = {0, 0, 0}, touch;
  bool overlap = cl_overlap(a, b, false, hit), touching = cl_overlap(a, b, true, &touch);
  CHECK(cl_overlap(b, a, false, &back) == overlap && cl_overlap(b, a, true, &touch) == touching);
  CHECK(cl_overlaps(a, b, false) == overlap && cl_overlaps(a, b, true) == touching);
  CHECK(touching || !overlap);
  if (overlap) {
    CHECK(hit->depth >= 0 && fabs(hit->nx * hit->nx + hit->ny * hit->ny - 1) < 1e-12);
    CHECK(hit->depth == back.depth);
    CHECK(!touching || cl_bounds_touch(cl_placed_bounds(a), cl_placed_bounds(b)));
  }
  return overlap;
}

static void check_way_out(const cl_placed *a, const cl_placed *b, const cl_hit *hit) {
  cl_placed out = moved(a, hit->nx * hit->depth, hit->ny * hit->depth);
  cl_hit left = {0, 0, 0};
  double room = 0x1p-40 * fmax(largest(a), largest(b));
  CHECK_MSG(!cl_overlap(&out, b, false, &left) || left.depth <= room,
            "by %g, %g, %.17g it is still %g deep", hit->nx, hit->ny, hit->depth, left.depth);
}

// Tiles without solid cells have no points, and are infinitely far from everything.
static bool is_empty(const cl_placed *p) {
  return p->shape->kind == CL_TILES && cl_distance_point(p, p->x, p->y) == INFINITY;
}

static void check_distance(const cl_placed *a, const cl_placed *b) {
  cl_gap gap = cl_distance(a, b), back = cl_distance(b, a);
  bool touch = cl_overlaps(a, b, true);
  double room = 0x1p-40 * fmax(largest(a), largest(b));
  CHECK_MSG((gap.distance > 0) == !touch, "distance %g, touching %d", gap.distance, touch);
  CHECK(gap.distance == back.distance);
  if (is_empty(a) || is_empty(b)) {
    CHECK(!touch && gap.distance == INFINITY);
    return;
  }
  CHECK(cl_distance_point(a, gap.a.x, gap.a.y) <= room || touch);
  CHECK(cl_distance_point(b, gap.b.x, gap.b.y) <= room || touch);
  double x = gap.a.x - gap.b.x, y = gap.a.y - gap.b.y;
  CHECK(touch || fabs(sqrt(x * x + y * y) - gap.distance) <= room);
}

static void check_contacts(const cl_placed *a, const cl_placed *b, bool overlap) {
  cl_contact p[CL_CONTACTS_MOST], q[CL_CONTACTS_MOST];
  int n = cl_contacts(a, b, false, p), m = cl_contacts(b, a, false, q);
  CHECK((n > 0) == overlap && (m > 0) == overlap && n <= CL_CONTACTS_MOST && m <= CL_CONTACTS_MOST);
  if (a->shape->kind == CL_TILES && b->shape->kind == CL_TILES) return; // faces of the second
  CHECK(n == m);
  for (int i = 0; i < n && n == m; i++) {
    bool tie = p[i].nx != -q[i].nx || p[i].ny != -q[i].ny; // of two ways that are as long
    CHECK(tie || (p[i].x == q[i].x && p[i].y == q[i].y && p[i].depth == q[i].depth));
  }
}

static void check_members(const cl_placed *a, const cl_placed *b) {
  cl_alloc alloc = cl_alloc_default();
  cl_member_list p, q;
  if (a->shape->kind == CL_TILES && b->shape->kind == CL_TILES) return;
  CHECK(cl_member_overlaps(&alloc, a, b, false, &p) == CL_OK);
  CHECK(cl_member_overlaps(&alloc, b, a, false, &q) == CL_OK);
  CHECK(p.count == q.count);
  for (size_t i = 0; i < p.count && p.count == q.count; i++) {
    const cl_member_overlap *o = &p.at[i];
    CHECK(o->depth == q.at[i].depth && o->depth >= 0 && (i == 0 || o->depth <= o[-1].depth));
    CHECK(o->member <= cl_shape_member_count(a->shape));
    CHECK(o->other <= cl_shape_member_count(b->shape));
  }
  cl_member_list_free(&alloc, &p);
  cl_member_list_free(&alloc, &q);
}

static void check_cast(const cl_placed *a, cl_vec d, const cl_placed *b) {
  cl_cast c;
  cl_placed end = moved(a, d.x, d.y);
  bool hit = cl_cast_shape(a, d, b, &c);
  double room = CL_CAST_ERROR * 64 *
                (largest(a) + largest(b) + largest(&end) + a->shape->reach + b->shape->reach);
  if (!hit) { // then it does not hit at its end either, except for rounding
    cl_hit left = {0, 0, 0};
    CHECK(!cl_overlaps(a, b, false));
    CHECK(!cl_overlap(&end, b, false, &left) || left.depth <= room);
    return;
  }
  CHECK(c.t >= 0 && c.t <= 1);
  cl_placed there = moved(a, d.x * c.t, d.y * c.t);
  double far = cl_distance(&there, b).distance;
  uint32_t member = cl_cast_member(a, d, b, &c), members = cl_shape_member_count(b->shape);
  CHECK(member <= members && (member > 0) == (members > 0));
  CHECK_MSG(far <= room, "%g apart at %g, room %g", far, c.t, room);
}

static void check_ray(const cl_placed *b, double x1, double y1, double x2, double y2) {
  cl_cast c;
  bool in = cl_placed_contains(b, x1, y1);
  double room = CL_CAST_ERROR * 64 *
                (largest(b) + b->shape->reach + fabs(x1) + fabs(y1) + fabs(x2) + fabs(y2));
  CHECK(in == (cl_distance_point(b, x1, y1) == 0));
  if (!cl_cast_ray(x1, y1, x2, y2, b, &c)) return;
  CHECK(c.t >= 0 && c.t <= 1 && cl_distance_point(b, c.x, c.y) <= room);
}

static cl_placed placed(const cl_shape *s, lattice on) {
  double x = on == EXTREME ? 0 : any_coord(on), y = on == EXTREME ? 0 : any_coord(on);
  return cl_place(s, x, y, test_int(0, 2) ? 0 : test_int(-8, 8) * 0.39269908169872414);
}

static void shapes(void) {
  cl_alloc alloc = cl_alloc_default();
  lattice on = (lattice)test_int(0, LATTICES - 1);
  cl_shape *s = any_shape(&alloc, on, 2), *t = any_shape(&alloc, on, 2);
  for (int i = 0; i < 4 && test_errors == 0 && !input_is_over(); i++) {
    cl_placed a = placed(s, on), b = placed(t, on);
    cl_hit hit = {0, 0, 0};
    bool overlap = check_overlap(&a, &b, &hit);
    if (on == EXTREME) continue; // very different sizes round
    if (overlap) check_way_out(&a, &b, &hit);
    check_distance(&a, &b);
    check_contacts(&a, &b, overlap);
    check_members(&a, &b);
    cl_vec d = {any_coord(on), any_coord(on)};
    if (s->kind != CL_TILES) check_cast(&a, d, &b);
    check_ray(&b, a.x, a.y, a.x + d.x, a.y + d.y);
  }
  cl_shape_release(s);
  cl_shape_release(t);
}

FUZZ(shapes)
