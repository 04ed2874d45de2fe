// collide, MIT licence (see LICENSE)
//
// The overlap of placed shapes: chooses the quickest test that decides. Layer: narrow.
//
// Boxes and circles have tests of their own. Shapes of several parts, tiles among them, overlap if
// two of their parts do, or at a seam (narrow/seams.c); the way out of the whole is that of
// narrow/mtv.c. If they only touch there is no way out: the normal is then that of a touching pair,
// if possible one that leads out of both wholes. Everything is computed in an order of the two that
// depends on them alone, and then reversed if needed.

#include "narrow/overlap.h"

#include "base/config.h"
#include "narrow/pairs.h"
#include "narrow/primitives.h"

// --- an order of two shapes ---

// The sign of the difference of two arrays at the first element that differs.
static int compare(const double *p, const double *q, int n) {
  for (int i = 0; i < n; i++)
    if (p[i] != q[i]) return p[i] < q[i] ? -1 : 1;
  return 0;
}

static int compare_looks(const cl_tile_part *p, const cl_tile_part *q) {
  if (p->count != q->count) return p->count < q->count ? -1 : 1;
  int sign = compare(&p->radius, &q->radius, 1);
  return sign != 0 ? sign : compare(&p->corner[0].x, &q->corner[0].x, 2 * (int)p->count);
}

// For tiles: by their cells, then by the shapes of the cells.
static int compare_tiles(const cl_shape *s, const cl_shape *t) {
  const cl_tile_set *a = s->set, *b = t->set;
  int sign = compare(&s->cell.x, &t->cell.x, 2);
  if (sign != 0) return sign;
  sign = memcmp(s->grid->bytes, t->grid->bytes, cl_grid_count(s->grid)); // as many in both
  if (sign != 0 || a == b) return sign;
  if (!a || !b) return a ? 1 : -1;
  sign = memcmp(a->kind, b->kind, sizeof a->kind);
  for (int i = 0; i < 256 && sign == 0; i++)
    if (a->kind[i] == CL_TILE_PART)
      sign = compare_looks(&a->part[a->index[i]], &b->part[b->index[i]]);
  return sign;
}

// For shapes at one place with the same bounds: by everything that they consist of.
static int compare_shapes(const cl_shape *s, const cl_shape *t) {
  if (s->kind == CL_TILES && t->kind == CL_TILES) return compare_tiles(s, t);
  if (s->part_count != t->part_count) return s->part_count < t->part_count ? -1 : 1;
  for (uint32_t i = 0; i < s->part_count; i++) {
    const cl_part *p = &s->parts[i], *q = &t->parts[i];
    if (p->count != q->count) return p->count < q->count ? -1 : 1;
    int sign = compare(&p->radius, &q->radius, 1);
    if (sign == 0) sign = compare(s->vx + p->first, t->vx + q->first, (int)p->count);
    if (sign == 0) sign = compare(s->vy + p->first, t->vy + q->first, (int)p->count);
    if (sign != 0) return sign;
  }
  return 0;
}

enum { KEYS = 20 };

// The sort keys of a placed shape: first properties of its place and shape that all images share.
static void keys_of(const cl_placed *p, double out[KEYS]) {
  const cl_shape *s = p->shape;
  const cl_bounds *b = &s->bounds;
  double w = b->r - b->l, h = b->b - b->t, x = fabs(b->l + b->r), y = fabs(b->t + b->b);
  double u = fabs(p->x), v = fabs(p->y);
  const double all[KEYS] = {cl_max(u, v), cl_min(u, v), cl_max(w, h),   cl_min(w, h),
                            s->reach,     cl_max(x, y), cl_min(x, y),   (double)s->part_count,
                            s->radius,    p->rot.c,     fabs(p->rot.s), (double)s->kind,
                            p->x,         p->y,         b->l,           b->t,
                            b->r,         b->b,         p->rot.c,       p->rot.s};
  memcpy(out, all, sizeof all);
}

bool cl_comes_first(const cl_placed *a, const cl_placed *b) {
  double one[KEYS], two[KEYS];
  keys_of(a, one);
  keys_of(b, two);
  int sign = compare(one, two, KEYS);
  return (sign != 0 ? sign : compare_shapes(a->shape, b->shape)) <= 0;
}

// --- shapes of several parts: the deepest pair ---

static void begin_meeting(cl_part_pairs *at, const cl_placed *a, const cl_placed *b) {
  cl_part_pairs_begin(at, a, b, (cl_bounds){0, 0, 0, 0}, cl_convex_origin(a, b));
}

// Whether a way out leads along the normal of an edge. Parts of sharp edges have no other.
static bool leads_along_edge(cl_part_pairs *at, const cl_hit *h) {
  cl_part_pairs_place(at);
  for (int of_b = 0; of_b < 2; of_b++) {
    const cl_convex *c = of_b ? &at->q : &at->p;
    for (int i = 0; i < c->n && c->n > 1; i++) {
      cl_vec n = cl_convex_normal(c, i);
      if (fabs(n.x) == fabs(h->nx) && fabs(n.y) == fabs(h->ny)) return true;
    }
  }
  return false;
}

// Whether a way out goes before another, as ways out of the first shape.
static bool frees_first(const cl_hit *h, const cl_hit *k) {
  return cl_vec_goes_first((cl_vec){-h->nx, -h->ny}, (cl_vec){-k->nx, -k->ny});
}

static bool is_same_line(const cl_hit *h, const cl_hit *k) {
  return (h->nx == k->nx && h->ny == k->ny) || (h->nx == -k->nx && h->ny == -k->ny);
}

// Whether a way out is at least as deep as those in the list, and not in it.
static bool is_new(const cl_deepest *list, const cl_hit *h) {
  if (list->count > 0 && h->depth != list->way[0].out.depth)
    return h->depth > list->way[0].out.depth;
  for (int i = 0; i < list->count; i++)
    if (is_same_line(h, &list->way[i].out)) return frees_first(h, &list->way[i].out);
  return true;
}

// Puts a new way out into the list, replacing its reverse, or all that are less deep.
static void insert(cl_deepest *list, const cl_hit *h, unsigned images) {
  if (list->count > 0 && h->depth > list->way[0].out.depth) list->count = 0;
  int n = 0;
  for (int i = 0; i < list->count; i++)
    if (!is_same_line(h, &list->way[i].out)) list->way[n++] = list->way[i];
  if (n == CL_DEEPEST) n--;
  for (list->count = n + 1; n > 0 && frees_first(h, &list->way[n - 1].out); n--)
    list->way[n] = list->way[n - 1];
  list->way[n] = (cl_deep_way){*h, images};
}

// The images of a way out that are equally short for the current pair, except for rounding: if a
// part is in the middle of another, or at its corner.
static unsigned tied_images(const cl_part_pairs *at, const cl_hit *h, double margin) {
  const cl_convex *p = &at->p, *q = &at->q;
  cl_vec way = {-h->nx, -h->ny};
  unsigned images = 0;
  for (int k = 0; k < 8; k++) {
    cl_vec n = cl_mtv_image(way, k); // the way of p
    double apart = cl_convex_least(p, n) + cl_convex_least(q, (cl_vec){-n.x, -n.y});
    images |= (unsigned)(p->r + q->r - apart <= h->depth + margin) << k;
  }
  return images;
}

// The deepest pairs by their own shortest ways out, of those that overlap. Over a seam the corner
// of one part and the edge of the next are equally deep except for rounding: the edge counts.
// Examines as many pairs as the effort allows.
static void find_deepest(const cl_placed *a, const cl_placed *b, cl_effort *effort,
                         cl_deepest *deepest) {
  cl_part_pairs at;
  cl_hit h;
  cl_deepest edges;
  int overlaps = 0;
  double margin = CL_SEPARATION_ERROR * (((fabs(a->x) + fabs(a->y)) + (fabs(b->x) + fabs(b->y))) +
                                         (a->shape->reach + b->shape->reach));
  long most = effort->spent + effort->work;
  deepest->count = edges.count = 0;
  begin_meeting(&at, a, b);
  while (cl_part_pairs_next(&at) && overlaps < effort->pairs) {
    if (overlaps > 0 && effort->spent > most) {
      deepest->overlaps = effort->pairs;
      return;
    }
    long steps = cl_part_pairs_spent(&at);
    CL_WORK(steps);
    effort->spent += steps;
    if (!cl_part_pairs_overlap(&at, false, &h)) continue;
    overlaps++;
    if (is_new(deepest, &h)) insert(deepest, &h, 0);
    if (h.depth < deepest->way[0].out.depth - margin || !is_new(&edges, &h)) continue;
    if (leads_along_edge(&at, &h)) insert(&edges, &h, tied_images(&at, &h, margin));
  }
  bool by_edge = edges.count > 0 && edges.way[0].out.depth >= deepest->way[0].out.depth - margin;
  if (by_edge) *deepest = edges;
  deepest->overlaps = overlaps;
}

// Whether any two parts overlap, or with `touching` touch.
static bool any_meet(const cl_placed *a, const cl_placed *b, bool touching) {
  cl_part_pairs at;
  cl_hit h;
  begin_meeting(&at, a, b);
  while (cl_part_pairs_next(&at)) {
    CL_WORK(cl_part_pairs_spent(&at));
    if (cl_part_pairs_overlap(&at, touching, &h)) return true;
  }
  return false;
}

// cl_seams_overlap, for tiles in blocks that share their borders, so that all cells that meet at a
// point are in one block.
static bool crosses(const cl_placed *a, const cl_placed *b) {
  if (!cl_placed_is_tiles(a)) return cl_seams_overlap(a, b);
  cl_cell_blocks w;
  cl_cell_blocks_begin(&w, a, cl_tiles_near(a, cl_placed_bounds(b)), true);
  while (cl_cell_blocks_next(&w))
    if (cl_seams_overlap(&w.placed, b)) return true;
  return false;
}

// Whether the shapes overlap though no pair of parts does. Only shapes that touch can.
static bool overlap_at_seam(const cl_placed *a, const cl_placed *b) {
  bool thin = (a->shape->flags | b->shape->flags) & CL_SHAPE_THIN;
  return thin && any_meet(a, b, true) && crosses(a, b);
}

// The steps that a search for the way out may take, after those that found the deepest pair.
static long left_of(const cl_effort *effort, long spent) {
  long left = effort->work - spent, least = effort->work / 3;
  return left > least ? left : least;
}

// Whether two shapes, at least one of several parts, overlap, and how b gets free. If one of them
// is tiles, it is `a`.
static bool union_overlap(const cl_placed *a, const cl_placed *b, cl_effort *effort, cl_hit *out) {
  assert(cl_placed_is_tiles(a) || !cl_placed_is_tiles(b));
  cl_deepest deepest;
  long before = effort->spent;
  find_deepest(a, b, effort, &deepest);
  if (deepest.overlaps == 0 && !overlap_at_seam(a, b)) return false;
  bool far = deepest.count > 0 && deepest.way[0].out.depth > effort->enough;
  if (far) *out = deepest.way[0].out; // no way out is shorter
  else cl_mtv(a, b, &deepest, left_of(effort, effort->spent - before), effort, out);
  return true;
}

// Whether two shapes as in union_overlap overlap, or with `touching` touch.
static bool union_meet(const cl_placed *a, const cl_placed *b, bool touching) {
  return any_meet(a, b, touching) || (!touching && overlap_at_seam(a, b));
}

// --- the outline of a whole ---

// A direction is in the normal cone of a union at a point exactly if it is in the cones of all
// parts that contain the point, that is, if none of them reaches farther along it.

// How far a point (local frame) is outside a part, below 0 inside; past a corner, slightly less
// than that.
static double outside(const cl_shape *s, const cl_part *part, cl_vec at) {
  const double *x = s->vx + part->first, *y = s->vy + part->first;
  const double *nx = s->nx + part->first, *ny = s->ny + part->first;
  cl_vec v = {at.x - x[0], at.y - y[0]};
  if (part->count == 1) return cl_vec_length(v) - part->radius;
  double most = -DBL_MAX;
  for (uint32_t i = 0; i < part->count; i++)
    most = cl_max(most, nx[i] * (at.x - x[i]) + ny[i] * (at.y - y[i]));
  if (part->count == 2) { // beside a flat part only between its ends
    cl_vec w = {at.x - x[1], at.y - y[1]}, e = {x[1] - x[0], y[1] - y[0]};
    if (cl_vec_dot(v, e) < 0) most = cl_vec_length(v);
    if (cl_vec_dot(w, e) > 0) most = cl_vec_length(w);
  }
  return most - part->radius;
}

static double reach_of_part(const cl_shape *s, const cl_part *part, cl_vec d) {
  double most = -DBL_MAX;
  for (uint32_t i = part->first; i < part->first + part->count; i++)
    most = cl_max(most, d.x * s->vx[i] + d.y * s->vy[i]);
  return most + part->radius;
}

bool cl_outline_leads(const cl_shape *s, uint32_t part, cl_vec at, cl_vec out) {
  double margin = CL_MEET * s->reach, along = cl_vec_dot(at, out) + margin;
  cl_bounds near = {at.x - margin, at.y - margin, at.x + margin, at.y + margin};
  cl_within w = cl_within_box(s, near);
  for (uint32_t k; cl_within_next(&w, &k);) {
    const cl_part *other = &s->parts[k];
    if (k == part) continue;
    if (outside(s, other, at) <= margin && reach_of_part(s, other, out) > along) return false;
  }
  return true;
}

static cl_vec vertex_of(const cl_shape *s, uint32_t part, int i) {
  uint32_t k = s->parts[part].first + (uint32_t)i;
  return (cl_vec){s->vx[k], s->vy[k]};
}

// Whether `out` (a unit vector, world frame) is in the normal cone of the whole shape's outline at
// vertex `vertex` of a part: no other part that meets this one there reaches farther along it.
static bool is_out_at_vertex(const cl_placed *p, uint32_t part, int vertex, cl_vec out) {
  assert(part < p->shape->part_count);
  const cl_shape *s = p->shape;
  if (s->part_count == 1) return true;
  cl_vec d = cl_rot_undo(p->rot, out);
  cl_vec v = vertex_of(s, part, vertex);
  return cl_outline_leads(s, part, cl_vec_add(v, cl_vec_mul(d, s->parts[part].radius)), d);
}

// The same for the edge that begins at a vertex, whose normal is `out`: false if a cut made the
// edge or other parts cover it. `near` (relative to the shape's place, world frame) is the point on
// the edge that matters most.
static bool is_out_at_edge(const cl_placed *p, uint32_t part, int edge, cl_vec out, cl_vec near) {
  assert(part < p->shape->part_count);
  const cl_shape *s = p->shape;
  if (s->part_count == 1) return true;
  if (s->inner[s->parts[part].first + (uint32_t)edge]) return false;
  if (s->kind != CL_COMPOUND) return true; // a cut edge or the outline, never both
  int n = (int)s->parts[part].count;
  cl_vec d = cl_rot_undo(p->rot, out), at = cl_rot_undo(p->rot, near);
  cl_vec v = vertex_of(s, part, edge), e = cl_vec_sub(vertex_of(s, part, (edge + 1) % n), v);
  double t = cl_vec_dot(cl_vec_sub(at, v), e) / cl_vec_dot(e, e);
  // Beside the ends, not at them: there the neighbours decide.
  const double places[3] = {cl_min(cl_max(t, 1e-3), 1 - 1e-3), 1e-3, 1 - 1e-3};
  for (int i = 0; i < 3; i++) {
    cl_vec q = cl_vec_add(v, cl_vec_mul(e, places[i]));
    if (cl_outline_leads(s, part, cl_vec_add(q, cl_vec_mul(d, s->parts[part].radius)), d))
      return true;
  }
  return false;
}

// --- shapes of several parts that touch ---

// The best direction found for a pair of parts, as how b gets free.
typedef struct touching_pair {
  const cl_convex *a, *b;
  uint32_t i, k;
  cl_hit best;
} touching_pair;

// Whether a direction leads out at a part's farthest vertex along it, or at an equally far one.
static bool vertex_leads(const cl_convex *c, uint32_t part, cl_vec out) {
  if (c->placed->shape->part_count == 1) return true;
  int far = cl_convex_support(c, out);
  double along = cl_vec_dot(cl_convex_vertex(c, far), out) - CL_MEET * c->placed->shape->reach;
  for (int i = 0; i < c->n; i++)
    if ((i == far || cl_vec_dot(cl_convex_vertex(c, i), out) >= along) &&
        is_out_at_vertex(c->placed, part, i, out))
      return true;
  return false;
}

// Whether b gets free by a shorter way, or by an equal one that goes first.
static bool is_shorter(const cl_hit *h, const cl_hit *than) {
  return h->depth != than->depth ? h->depth < than->depth : frees_first(h, than);
}

// Tries the normals of the edges of one part (a's, or b's with `of_b`).
static void search_edges(touching_pair *s, bool of_b) {
  const cl_convex *c = of_b ? s->b : s->a, *d = of_b ? s->a : s->b;
  uint32_t part = of_b ? s->k : s->i, other = of_b ? s->i : s->k;
  int far = 0;
  for (int i = 0; i < c->n && c->n > 1; i++) {
    cl_vec n = cl_convex_normal(c, i), back = {-n.x, -n.y};
    far = cl_convex_support_near(d, back, far);
    cl_vec q = cl_convex_vertex(d, far);
    double depth = c->r + d->r - cl_convex_outside(c, i, q);
    cl_hit found = {of_b ? back.x : n.x, of_b ? back.y : n.y, depth};
    if (!is_shorter(&found, &s->best)) continue;
    cl_vec near = {(q.x + c->origin.x) - c->placed->x, (q.y + c->origin.y) - c->placed->y};
    if (!is_out_at_edge(c->placed, part, i, n, near) || !vertex_leads(d, other, back)) continue;
    s->best = found;
  }
}

// The direction between two vertices. They touch, so the distance is r; rounding may have left
// nothing of it.
static void search_corner(touching_pair *s) {
  cl_closest c;
  double r = s->a->r + s->b->r;
  if (!cl_convex_corner(s->a, s->b, &c) || c.distance == 0 || !(r - c.distance < s->best.depth))
    return;
  cl_vec back = {-c.normal.x, -c.normal.y};
  if (!is_out_at_vertex(s->a->placed, s->i, c.i, c.normal)) return;
  if (!is_out_at_vertex(s->b->placed, s->k, c.k, back)) return;
  s->best = (cl_hit){c.normal.x, c.normal.y, r - c.distance};
}

// Whether two such shapes, none of them tiles, touch without overlapping. The normal frees b and is
// that of a touching pair of parts, the first that leads out of both wholes if there is one.
static bool union_touch(const cl_placed *a, const cl_placed *b, cl_hit *out) {
  assert(!cl_placed_is_tiles(a) && !cl_placed_is_tiles(b));
  cl_part_pairs at;
  cl_hit least;
  bool any = false, led = false;
  begin_meeting(&at, a, b);
  while (cl_part_pairs_next(&at)) {
    const cl_convex *p = &at.p, *q = &at.q;
    cl_part_pairs_place(&at);
    if (!cl_convex_overlap(p, q, true, &least)) continue;
    touching_pair s = {p, q, at.at.i, at.at.k, {0, 0, DBL_MAX}};
    search_edges(&s, false);
    search_edges(&s, true);
    search_corner(&s);
    double margin = CL_MEET * (least.depth + p->r + q->r) + cl_convex_error(p, q);
    bool leads = s.best.depth <= least.depth + margin;
    cl_hit found = leads ? s.best : least;
    found.depth = 0;
    if (!any || (leads && !led) || (leads == led && is_shorter(&found, out))) *out = found;
    led = led || leads;
    any = true;
  }
  return any;
}

// --- shapes of parts ---

static bool overlap_convex(const cl_placed *a, const cl_placed *b, bool touching, cl_hit *out) {
  cl_vec origin = cl_convex_origin(a, b);
  cl_convex p, q;
  cl_convex_room of_a, of_b;
  cl_convex_place_in(a, 0, origin, &of_a, &p);
  cl_convex_place_in(b, 0, origin, &of_b, &q);
  return cl_convex_overlap(&p, &q, touching, out);
}

static bool is_single(const cl_placed *p) { return p->shape->part_count == 1; }

// cl_overlap of two shapes that are not tiles: chooses the quickest test that decides.
static bool parts_overlap(const cl_placed *a, const cl_placed *b, bool touching, cl_effort *effort,
                          cl_hit *out) {
  assert(!cl_placed_is_tiles(a) && !cl_placed_is_tiles(b));
  const cl_part *p = a->shape->parts, *q = b->shape->parts;
  bool single = is_single(a) && is_single(b);
  if (single && cl_placed_part_is_box(a, 0) && cl_placed_part_is_box(b, 0))
    return cl_overlap_boxes(cl_placed_part_bounds(a, 0), cl_placed_part_bounds(b, 0), touching,
                            out);
  if (single && p->count == 1 && q->count == 1) {
    cl_vec v = cl_placed_vertex(a, p->first), w = cl_placed_vertex(b, q->first);
    return cl_overlap_circles((cl_disc){v.x, v.y, p->radius}, (cl_disc){w.x, w.y, q->radius},
                              touching, out);
  }
  bool ordered = cl_comes_first(a, b);
  const cl_placed *first = ordered ? a : b, *second = ordered ? b : a;
  cl_hit h;
  if (!(single ? overlap_convex(first, second, touching, &h)
               : union_overlap(first, second, effort, &h) ||
                     (touching && union_touch(first, second, &h))))
    return false;
  // Rounding may give a depth to parts that only touch.
  double size = (fabs(a->x) + fabs(a->y)) + (fabs(b->x) + fabs(b->y));
  double error = CL_SEPARATION_ERROR * (size + (a->shape->reach + b->shape->reach));
  bool doubtful = touching && h.depth > 0 && h.depth <= error;
  if (doubtful && !cl_overlaps(a, b, false)) h.depth = 0;
  double sign = ordered ? -1 : 1;
  *out = (cl_hit){h.nx * sign + 0.0, h.ny * sign + 0.0, h.depth}; // + 0 turns -0 into 0
  return true;
}

// --- an upright box in tiles ---

// The usual case in games. Cell indices decide the overlap, and the way out leads along an axis, or
// to an inner corner, where two lines of cells meet. The nearest free place of the box has sides at
// its own place or at lines between cells: the answer is the nearest of all such places. A gap
// exactly as wide as the box counts as free, since a side at a line is identified by the line's
// number.

// One axis of the search: the box from low to high, and the lines 0 … count.
typedef struct axis {
  const cl_placed *tiles;
  bool vertical; // lines between columns
  int32_t count;
  double low, high, tolerance;
} axis;

// A place where the box may go along an axis: by `way`, over the cells `first` to `last`.
typedef struct stop {
  double way;
  int32_t first, last;
} stop;

static double line(const axis *a, int32_t i) {
  return a->vertical ? cl_tiles_x(a->tiles, i) : cl_tiles_y(a->tiles, i);
}

static int32_t clamp(int32_t i, int32_t low, int32_t high) {
  return i < low ? low : i > high ? high : i;
}

// The box beside line i, before it or `beyond`. It counts as over the cells that it covers by more
// than the tolerance.
static stop beside_line(const axis *a, int32_t i, bool beyond) {
  double way = line(a, i) - (beyond ? a->low : a->high);
  stop s = {way, beyond ? i : 0, beyond ? a->count - 1 : i - 1};
  if (s.first > s.last) return s;
  double end = beyond ? a->high + way - a->tolerance : a->low + way + a->tolerance;
  int32_t cell = clamp(cl_tiles_lines(a->tiles, a->vertical, end, !beyond) - 1, s.first, s.last);
  if (beyond) s.last = cell;
  else s.first = cell;
  return s;
}

// Iterates over the stops of an axis, nearest first: those before lines from `back` down, those
// beyond lines from `on` up.
typedef struct stops {
  axis along;
  int32_t back, on;
} stops;

static stops stops_of(const axis *along, int32_t first, int32_t last) {
  return (stops){*along, last, first + 1};
}

static bool next_stop(stops *s, stop *out) {
  bool can_back = s->back >= 0, can_on = s->on <= s->along.count;
  if (!can_back && !can_on) return false;
  double back = can_back ? s->along.high - line(&s->along, s->back) : INFINITY;
  double on = can_on ? line(&s->along, s->on) - s->along.low : INFINITY;
  bool beyond = back > on;
  *out = beside_line(&s->along, beyond ? s->on++ : s->back--, beyond);
  return true;
}

// Whether a full cell blocks a stop between columns; writes the column and row of the first one.
static bool find_solid(const axis *x, const stop *column, const stop *row, int32_t *at,
                       int32_t *in) {
  int32_t last = x->count - 1, right = column->last < last ? column->last : last;
  for (*in = row->first; *in <= row->last; ++*in) {
    *at = cl_tiles_next(x->tiles->shape, *in, column->first, right, CL_TILES_FULL);
    if (*at <= right) return true;
  }
  return false;
}

// The nearest free stop over some rows, nearer than `limit`: before line i or lines farther back,
// or `beyond` it and lines farther on. A solid run of cells is skipped as a whole.
static bool find_free(const axis *x, const stop *row, int32_t i, bool beyond, double limit,
                      stop *out) {
  const cl_shape *s = x->tiles->shape;
  int32_t at, in;
  while (i >= 0 && i <= x->count && fabs(line(x, i) - (beyond ? x->low : x->high)) < limit) {
    *out = beside_line(x, i, beyond);
    if (!find_solid(x, out, row, &at, &in)) return true;
    i = beyond ? cl_tiles_next(s, in, at, x->count - 1, CL_TILES_NOT_FULL)
               : cl_tiles_run(s, in, at);
  }
  return false;
}

static bool find_column(const axis *x, const stop *row, cl_cell_rect under, double limit,
                        stop *out) {
  stop back, on;
  bool backs = find_free(x, row, under.right, false, limit, &back);
  if (backs) limit = -back.way;
  bool ons = find_free(x, row, under.left + 1, true, limit, &on);
  *out = ons ? on : back;
  return backs || ons;
}

// Finds the nearest free place: along a row, along a column, or along both if that is nearer.
static void find_way_out(const axis *x, const axis *y, cl_cell_rect under, cl_hit *best) {
  const stop here = {0, under.left, under.right};
  stop column, row = {0, under.top, under.bottom};
  stops rows = stops_of(y, under.top, under.bottom);
  int32_t at, in;
  bool by_both = false;
  find_column(x, &row, under, INFINITY, &column);
  *best = (cl_hit){column.way > 0 ? 1 : -1, 0, fabs(column.way)};
  while (next_stop(&rows, &row) && fabs(row.way) <= best->depth) {
    bool nearer = fabs(row.way) < best->depth || by_both;
    if (nearer && !find_solid(x, &here, &row, &at, &in)) {
      *best = (cl_hit){0, row.way > 0 ? 1 : -1, fabs(row.way)};
      return; // the other rows are farther
    }
    double reach = sqrt(best->depth * best->depth - row.way * row.way);
    if (!find_column(x, &row, under, reach, &column)) continue;
    double far = sqrt(column.way * column.way + row.way * row.way);
    if (far >= best->depth) continue;
    *best = (cl_hit){column.way / far, row.way / far, far};
    by_both = true;
  }
}

// The outward normal if a box only touches: that of the side along solid cells, or if corners
// touch, of either side of the cell.
static void find_normal(const cl_placed *tiles, cl_bounds box, cl_hit *out) {
  cl_cell_rect near = cl_tiles_under(tiles, box, false), in = cl_tiles_under(tiles, box, true);
  const cl_shape *s = tiles->shape;
  const cl_cell_rect sides[4] = {
      {in.right + 1, in.top, near.right, in.bottom},
      {near.left, in.top, in.left - 1, in.bottom},
      {in.left, in.bottom + 1, in.right, near.bottom},
      {in.left, near.top, in.right, in.top - 1},
  };
  const cl_hit ways[4] = {{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}};
  for (int i = 0; i < 4; i++) {
    *out = ways[i];
    if (cl_tiles_any(s, sides[i], CL_TILES_FULL)) return;
  }
  *out = ways[!cl_tiles_any(s, (cl_cell_rect){in.right + 1, near.top, near.right, near.bottom},
                            CL_TILES_FULL)];
}

// tiles_overlap for an upright box by its placed edges.
static bool tiles_overlap_box(const cl_placed *tiles, cl_bounds box, bool touching, cl_hit *out) {
  assert(cl_placed_is_tiles(tiles) && box.l <= box.r && box.t <= box.b);
  cl_cell_rect under = cl_tiles_under(tiles, box, true);
  if (!cl_tiles_any(tiles->shape, under, CL_TILES_FULL)) {
    if (!touching || !cl_tiles_any(tiles->shape, cl_tiles_under(tiles, box, false), CL_TILES_FULL))
      return false;
    find_normal(tiles, box, out);
    return true;
  }
  const cl_shape *s = tiles->shape;
  double size = fabs(tiles->x) + fabs(tiles->y) + s->reach;
  double tolerance = CL_SEPARATION_ERROR * (size + (box.r - box.l) + (box.b - box.t));
  axis x = {tiles, true, (int32_t)s->grid->size[0], box.l, box.r, tolerance};
  axis y = {tiles, false, (int32_t)s->grid->size[1], box.t, box.b, tolerance};
  find_way_out(&x, &y, under, out);
  return true;
}

// --- tiles ---

// The point of full cells nearest to the centre of a circle of radius r, relative to that centre;
// its distance is 0 if the centre is in a cell.
static cl_vec nearest_of(const cl_placed *tiles, double x, double y, double r, double *distance) {
  cl_cell_rect s = cl_tiles_under(tiles, (cl_bounds){x - r, y - r, x + r, y + r}, false);
  cl_vec best = {0, 0};
  double least = INFINITY;
  for (int32_t row = s.top; row <= s.bottom; row++) {
    double t = cl_tiles_y(tiles, row), b = cl_tiles_y(tiles, row + 1);
    double v = y < t ? t - y : y > b ? b - y : 0;
    for (int32_t column = s.left; column <= s.right; column++) {
      if (!cl_tiles_is(tiles->shape, column, row, CL_TILES_FULL)) continue;
      double l = cl_tiles_x(tiles, column), right = cl_tiles_x(tiles, column + 1);
      double u = x < l ? l - x : x > right ? right - x : 0;
      if (u * u + v * v < least) least = u * u + v * v, best = (cl_vec){u, v};
    }
  }
  *distance = sqrt(least);
  return best;
}

// Whether cells that may touch a box have parts of their own.
static bool has_parts_near(const cl_placed *tiles, cl_bounds box) {
  return cl_tiles_has_parts(tiles->shape) &&
         cl_tiles_any(tiles->shape, cl_tiles_near(tiles, box), CL_TILES_PART);
}

static bool has_parts_round(const cl_placed *tiles, cl_vec c, double r) {
  return has_parts_near(tiles, (cl_bounds){c.x - r, c.y - r, c.x + r, c.y + r});
}

// For a circle with its centre outside all cells: whether moving it straight away from the nearest
// point of the cells frees it.
static cl_verdict overlap_circle(const cl_placed *tiles, cl_vec c, double r, cl_hit *out) {
  double size = fabs(tiles->x) + fabs(tiles->y) + tiles->shape->reach + fabs(c.x) + fabs(c.y) + r;
  double margin = CL_SEPARATION_ERROR * size, away, after;
  if (has_parts_round(tiles, c, r)) return CL_DOUBT;
  cl_vec near = nearest_of(tiles, c.x, c.y, r, &away);
  if (away > r + margin) return CL_APART;
  if (away <= margin || away >= r - margin) return CL_DOUBT;
  *out = (cl_hit){-near.x / away, -near.y / away, r - away};
  c = (cl_vec){c.x + out->nx * out->depth, c.y + out->ny * out->depth};
  nearest_of(tiles, c.x, c.y, r, &after);
  return after >= r - margin && !has_parts_round(tiles, c, r) ? CL_HIT : CL_DOUBT;
}

// An upright box hits if it overlaps full cells and the shortest way out of these alone leads to a
// place where no cell has a part of its own: then no way is shorter.
static cl_verdict overlap_box(const cl_placed *tiles, cl_bounds box, bool touching, cl_hit *out) {
  bool near = has_parts_near(tiles, box);
  if (!tiles_overlap_box(tiles, box, touching && !near, out)) return near ? CL_DOUBT : CL_APART;
  cl_bounds there = cl_bounds_moved(box, (cl_vec){out->nx * out->depth, out->ny * out->depth});
  return has_parts_near(tiles, there) ? CL_DOUBT : CL_HIT;
}

// Finds the normal of the first cell that touches the other shape, if no cell overlaps it.
static bool find_touch(const cl_placed *tiles, const cl_placed *b, cl_hit *out) {
  cl_effort effort = {.work = CL_MTV_WORK, .enough = INFINITY}; // straight ways out are enough
  cl_cell_blocks w;
  cl_cell_blocks_begin(&w, tiles, cl_tiles_near(tiles, cl_placed_bounds(b)),
                       (b->shape->flags & CL_SHAPE_THIN) != 0);
  while (cl_cell_blocks_next(&w)) {
    if (!cl_overlap_within(b, &w.placed, true, &effort, out)) continue;
    out->depth = 0;
    return true;
  }
  return false;
}

// cl_overlap of tiles and another shape; the vector is how the other gets free. Indices decide for
// upright boxes, the nearest point of the cells for circles outside them. Otherwise tiles are a
// shape of many parts, one block at a time.
static bool tiles_overlap(const cl_placed *tiles, const cl_placed *b, bool touching,
                          cl_effort *effort, cl_hit *out) {
  assert(cl_placed_is_tiles(tiles));
  const cl_part *part = b->shape->parts;
  bool single = b->shape->part_count == 1;
  cl_verdict found = CL_DOUBT;
  if (single && cl_placed_part_is_box(b, 0))
    found = overlap_box(tiles, cl_placed_part_bounds(b, 0), touching, out);
  else if (single && part->count == 1)
    found = overlap_circle(tiles, cl_placed_vertex(b, part->first), part->radius, out);
  if (found != CL_DOUBT) return found == CL_HIT;
  return union_overlap(tiles, b, effort, out) || (touching && find_touch(tiles, b, out));
}

// Whether a round part, whose core is a box, meets full cells: tests runs of cells, row by row.
static bool cells_meet(const cl_placed *tiles, cl_bounds core, double r, bool touching) {
  const cl_shape *shape = tiles->shape;
  cl_cell_rect s = cl_tiles_clip(shape, cl_tiles_near(tiles, cl_bounds_grown(core, r)));
  for (int32_t row = s.top; row <= s.bottom; row++) {
    cl_bounds run = {.t = cl_tiles_y(tiles, row), .b = cl_tiles_y(tiles, row + 1)};
    for (int32_t from = s.left, to; from <= s.right; from = to) {
      from = cl_tiles_next(shape, row, from, s.right, CL_TILES_FULL);
      if (from > s.right) break;
      to = cl_tiles_next(shape, row, from, s.right, CL_TILES_NOT_FULL);
      run.l = cl_tiles_x(tiles, from), run.r = cl_tiles_x(tiles, to);
      if (cl_compare_cores(core, run, r, 0) < touching) return true;
    }
  }
  return false;
}

// The same without a way out.
static bool tiles_meet(const cl_placed *tiles, const cl_placed *b, bool touching) {
  assert(cl_placed_is_tiles(tiles));
  const cl_part *part = b->shape->parts;
  cl_bounds core;
  if (b->shape->part_count == 1 && cl_placed_part_is_box(b, 0)) {
    cl_bounds box = cl_placed_part_bounds(b, 0);
    if (cl_tiles_any(tiles->shape, cl_tiles_under(tiles, box, !touching), CL_TILES_FULL))
      return true;
    if (!has_parts_near(tiles, box)) return false;
  } else if (b->shape->part_count == 1 && part->radius > 0 && cl_core_is_box(b, part, &core) &&
             !has_parts_near(tiles, cl_bounds_grown(core, part->radius))) {
    return cells_meet(tiles, core, part->radius, touching);
  }
  return union_meet(tiles, b, touching);
}

// --- any two shapes ---

// Whether b comes first: tiles come before other shapes, else the order is the canonical one.
static bool is_second(const cl_placed *a, const cl_placed *b) {
  bool tiles = cl_placed_is_tiles(b);
  return tiles != cl_placed_is_tiles(a) ? tiles : !cl_comes_first(a, b);
}

bool cl_overlap_within(const cl_placed *a, const cl_placed *b, bool touching, cl_effort *effort,
                       cl_hit *out) {
  if (!cl_placed_is_tiles(a) && !cl_placed_is_tiles(b))
    return parts_overlap(a, b, touching, effort, out);
  bool back = is_second(a, b);
  cl_hit h;
  if (!tiles_overlap(back ? b : a, back ? a : b, touching, effort, &h)) return false;
  *out = back ? h : (cl_hit){0.0 - h.nx, 0.0 - h.ny, h.depth}; // in the direction the caller wants
  return true;
}

// For a map with layers: the way out of all cells but sensors, or of the sensors if only those
// overlap or touch; for two such maps, then out of all cells.
static bool overlap_layers(const cl_placed *a, const cl_placed *b, bool touching, cl_hit *out) {
  cl_effort effort = cl_full_effort();
  bool both = a->shape->views && b->shape->views;
  cl_placed body_a = cl_placed_view(a, CL_VIEW_BODY), body_b = cl_placed_view(b, CL_VIEW_BODY);
  uint32_t rest = both ? CL_NO_VIEW : CL_VIEW_SENSORS;
  cl_placed rest_a = cl_placed_view(a, rest), rest_b = cl_placed_view(b, rest);
  bool touches = cl_overlap_within(&body_a, &body_b, touching, &effort, out);
  if (touches && out->depth > 0) return true;
  effort = cl_full_effort();
  return cl_overlap_within(&rest_a, &rest_b, touching && !touches, &effort, out) || touches;
}

bool cl_overlap(const cl_placed *a, const cl_placed *b, bool touching, cl_hit *out) {
  if (a->shape->views || b->shape->views) return overlap_layers(a, b, touching, out);
  cl_effort effort = cl_full_effort();
  return cl_overlap_within(a, b, touching, &effort, out);
}

bool cl_overlaps(const cl_placed *a, const cl_placed *b, bool touching) {
  cl_hit h;
  cl_effort effort = cl_full_effort(); // single parts take none
  if (is_single(a) && is_single(b)) {
    const cl_part *p = a->shape->parts, *q = b->shape->parts;
    cl_bounds one, two;
    if (p->radius + q->radius > 0 && cl_core_is_box(a, p, &one) && cl_core_is_box(b, q, &two))
      return cl_compare_cores(one, two, p->radius, q->radius) < touching;
    return parts_overlap(a, b, touching, &effort, &h);
  }
  bool back = is_second(a, b);
  const cl_placed *first = back ? b : a, *second = back ? a : b;
  return cl_placed_is_tiles(first) ? tiles_meet(first, second, touching)
                                   : union_meet(first, second, touching);
}
