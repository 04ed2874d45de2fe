// collide, MIT licence (see LICENSE)
//
// Two shapes and their images: mirrored, turned by a quarter, with the arguments swapped. Every
// answer of an image must be the image of the answer, to the bit. Where an answer is one of several
// that are images of each other, the order is fixed (collide.h), and an image may have another one.

#include "images.h"

#include "narrow/motion.h"
#include "narrow/overlap.h"

static cl_alloc alloc;

// A pair, and a motion.
typedef struct scene {
  made *a, *b;
  cl_vec at[2], d, to;
  double angle[2];
  bool coarse;
} scene;

static double random_angle(bool coarse) {
  if (test_int(0, 1)) return 0;
  return coarse ? test_int(-4, 4) * 0.7853981633974483 : test_uniform(-4, 4);
}

static void make_scene(scene *s) {
  s->coarse = test_int(0, 3) > 0;
  s->a = make_one(test_int(0, MADE_KINDS - 1), s->coarse);
  s->b = make_one(test_int(0, MADE_KINDS - 1), s->coarse);
  for (int i = 0; i < 2; i++) {
    s->at[i] = made_point(s->coarse, test_int(0, 1) ? 3 : 6);
    s->angle[i] = random_angle(test_int(0, 1));
  }
  if (test_int(0, 9) == 0) s->at[1] = s->at[0];
  do s->d = made_point(s->coarse, 8);
  while (s->d.x == 0 && s->d.y == 0);
  if (test_int(0, 3) == 0)
    s->d =
        test_int(0, 1) ? (cl_vec){s->d.x + (s->d.x == 0), 0} : (cl_vec){0, s->d.y + (s->d.y == 0)};
  s->to = made_point(s->coarse, 8);
}

// All answers about a pair.
typedef struct answers {
  bool overlap[2], cast, ray, sweep, out, swept[2];
  cl_hit hit[2], way_out;
  int contacts[2];
  cl_contact contact[2][CL_CONTACTS_MOST];
  cl_gap gap;
  cl_cast shape_cast, ray_cast;
  cl_sweep stop;
  double exit, point_gap;
  bool holds;
  cl_cast met[2];
  cl_entry entry;
  cl_cast entered;
} answers;

static void ask(const cl_placed *a, const cl_placed *b, cl_vec d, cl_vec to, answers *x) {
  memset(x, 0, sizeof *x);
  for (int k = 0; k < 2; k++) {
    x->overlap[k] = cl_overlap(a, b, k, &x->hit[k]);
    x->contacts[k] = cl_contacts(a, b, k, x->contact[k]);
    x->swept[k] = cl_swept_overlap(a, d, b, k, &x->met[k]);
  }
  x->gap = cl_distance(a, b);
  x->cast = cl_cast_shape(a, d, b, &x->shape_cast);
  x->ray = cl_cast_ray(a->x, a->y, to.x, to.y, b, &x->ray_cast);
  cl_stopper how = {cl_touch_distance(a, d, b), 1L << 40, NULL, NULL};
  long spent = 0;
  x->sweep = cl_sweep_shape(a, d, b, &how, &spent, &x->stop);
  cl_effort effort = cl_full_effort();
  int32_t value;
  x->out = cl_sweep_way_out(a, b, NULL, &effort, &x->way_out, &value);
  effort = cl_full_effort();
  cl_vec u = d;
  cl_vec_normalise(&u);
  x->exit = cl_sweep_exit(a, u, b, NULL, &effort);
  x->point_gap = cl_distance_point(b, to.x, to.y);
  x->holds = cl_placed_contains(b, to.x, to.y);
  x->entry = cl_circle_entry((cl_vec){a->x, a->y}, 0.75, d, NULL, b, &x->entered);
}

// The families of answers, and how often each was asked, differed, and was another of several equal
// ones.
enum { OVERLAP, CONTACT, DISTANCE, CAST, RAY, SWEEP, WAY_OUT, EXIT, POINT, SWEPT, ENTRY, FAMILIES };
static const char *const family_name[FAMILIES] = {"overlap", "contact", "distance", "cast",
                                                  "ray",     "sweep",   "way out",  "exit",
                                                  "point",   "swept",   "entry"};
static long asked[FAMILIES], differ[FAMILIES], tie[FAMILIES], last_bits[FAMILIES];
static char note[400];

static int kinds[2];
static const char *const kind_name[MADE_KINDS] = {"rectangle", "circle", "capsule", "segment",
                                                  "polygon",   "chain",  "compound"};

static bool is_union(int kind) { return kind == MADE_CHAIN || kind == MADE_COMPOUND; }

static void count(int family, bool same, bool tied) {
  bool open = family == OVERLAP || family == WAY_OUT || family == CONTACT;
  asked[family]++;
  if (same) return;
  if (tied) tie[family]++;
  else if (open && (is_union(kinds[0]) || is_union(kinds[1]))) last_bits[family]++;
  else
    CHECK_MSG(differ[family]++ < 0, "%s of %s and %s: %s", family_name[family], kind_name[kinds[0]],
              kind_name[kinds[1]], note);
}

// Whether two points are on one surface: then both are correct.
static bool on_one_surface(cl_vec p, cl_vec q, cl_vec n) {
  return same_vec(n, n) && fabs(cl_vec_dot(cl_vec_sub(p, q), n)) < 1e-9;
}

static cl_vec hit_normal(cl_hit h) { return (cl_vec){h.nx, h.ny}; }

static bool compare_hits(int family, int image, bool was, cl_hit h, bool is, cl_hit g,
                         double sign) {
  cl_vec n = image_of(image, hit_normal(h));
  n = (cl_vec){n.x * sign + 0.0, n.y * sign + 0.0};
  cl_vec m = hit_normal(g);
  bool same = was == is && (!was || (same_number(h.depth, g.depth) && same_vec(n, m)));
  bool tied = was == is && h.depth == g.depth && are_equal_ways(n, m);
  snprintf(note, sizeof note, "image %d sign %g: %d %d (%.17g %.17g) %.17g | (%.17g %.17g) %.17g",
           image, sign, was, is, n.x, n.y, h.depth, m.x, m.y, g.depth);
  count(family, same, tied);
  return same;
}

static void compare_contacts(int image, const answers *x, const answers *y, int k, double sign) {
  bool same = x->contacts[k] == y->contacts[k];
  for (int i = 0; i < x->contacts[k] && same; i++) {
    bool any = false;
    for (int j = 0; j < y->contacts[k]; j++) {
      const cl_contact *c = &x->contact[k][i], *e = &y->contact[k][j];
      cl_vec n = image_of(image, (cl_vec){c->nx, c->ny}), p = image_of(image, (cl_vec){c->x, c->y});
      n = (cl_vec){n.x * sign + 0.0, n.y * sign + 0.0};
      any = any || (same_vec(n, (cl_vec){e->nx, e->ny}) && same_vec(p, (cl_vec){e->x, e->y}) &&
                    same_number(c->depth, e->depth));
    }
    same = any;
  }
  const cl_contact *c = &x->contact[k][0], *e = &y->contact[k][0];
  cl_vec p = image_of(image, (cl_vec){c->x, c->y}), n = image_of(image, (cl_vec){c->nx, c->ny});
  n = (cl_vec){n.x * sign + 0.0, n.y * sign + 0.0};
  snprintf(note, sizeof note,
           "image %d sign %g: %d %d (%.17g %.17g) n (%.17g %.17g) %.17g | (%.17g %.17g) n (%.17g "
           "%.17g) %.17g",
           image, sign, x->contacts[k], y->contacts[k], p.x, p.y, n.x, n.y, c->depth, e->x, e->y,
           e->nx, e->ny, e->depth);
  cl_vec m = {e->nx, e->ny};
  bool tied = x->contacts[k] > 0 && y->contacts[k] > 0 && !same_vec(n, m) && are_equal_ways(n, m);
  count(CONTACT, same, tied);
}

static void compare_casts(int family, int image, bool was, cl_cast c, bool is, cl_cast e) {
  cl_vec p = image_of(image, (cl_vec){c.x, c.y}), n = image_of(image, (cl_vec){c.nx, c.ny});
  bool same = was == is && (!was || (same_number(c.t, e.t) && same_vec(p, (cl_vec){e.x, e.y}) &&
                                     same_vec(n, (cl_vec){e.nx, e.ny})));
  bool tied = was == is && c.t == e.t && are_images(n, (cl_vec){e.nx, e.ny});
  snprintf(note, sizeof note,
           "image %d: %d %d t %.17g (%.17g %.17g) n (%.17g %.17g) | t %.17g (%.17g %.17g) n (%.17g "
           "%.17g)",
           image, was, is, c.t, p.x, p.y, n.x, n.y, e.t, e.x, e.y, e.nx, e.ny);
  cl_vec m = {e.nx, e.ny};
  count(family, same,
        tied && (!same_vec(n, m) || (on_one_surface(p, (cl_vec){e.x, e.y}, n) && family == CAST)));
}

static void compare(int image, const answers *x, const answers *y) {
  for (int k = 0; k < 2; k++) {
    bool same = compare_hits(OVERLAP, image, x->overlap[k], x->hit[k], y->overlap[k], y->hit[k], 1);
    if (same) compare_contacts(image, x, y, k, 1);
    cl_vec n = image_of(image, (cl_vec){x->met[k].nx, x->met[k].ny}),
           m = {y->met[k].nx, y->met[k].ny};
    bool alike = x->swept[k] == y->swept[k];
    snprintf(note, sizeof note, "image %d: %d %d t %.17g (%.17g %.17g) | %.17g (%.17g %.17g)",
             image, x->swept[k], y->swept[k], x->met[k].t, n.x, n.y, y->met[k].t, m.x, m.y);
    count(SWEPT,
          alike && (!x->swept[k] || (same_number(x->met[k].t, y->met[k].t) && same_vec(n, m))),
          alike && x->met[k].t == y->met[k].t && are_images(n, m));
  }
  cl_vec p = image_of(image, x->gap.a), q = image_of(image, x->gap.b);
  snprintf(note, sizeof note,
           "image %d: %.17g %.17g (%.17g %.17g) (%.17g %.17g) | (%.17g %.17g) (%.17g %.17g)", image,
           x->gap.distance, y->gap.distance, p.x, p.y, q.x, q.y, y->gap.a.x, y->gap.a.y, y->gap.b.x,
           y->gap.b.y);
  bool far = same_number(x->gap.distance, y->gap.distance);
  count(DISTANCE, far && same_vec(p, y->gap.a) && same_vec(q, y->gap.b), far);
  compare_casts(CAST, image, x->cast, x->shape_cast, y->cast, y->shape_cast);
  compare_casts(RAY, image, x->ray, x->ray_cast, y->ray, y->ray_cast);
  compare_casts(ENTRY, image, x->entry == CL_ENTRY_TOUCH, x->entered, y->entry == CL_ENTRY_TOUCH,
                y->entered);
  cl_vec n = image_of(image, (cl_vec){x->stop.nx, x->stop.ny}),
         at = image_of(image, (cl_vec){x->stop.x, x->stop.y});
  cl_vec m = {y->stop.nx, y->stop.ny}, to = {y->stop.x, y->stop.y};
  bool alike = x->sweep == y->sweep && x->stop.t == y->stop.t;
  snprintf(note, sizeof note,
           "image %d: %d %d t %.17g n (%.17g %.17g) at (%.17g %.17g) lift %.17g | t %.17g n (%.17g "
           "%.17g) at (%.17g %.17g) lift %.17g",
           image, x->sweep, y->sweep, x->stop.t, n.x, n.y, at.x, at.y, x->stop.lift, y->stop.t, m.x,
           m.y, to.x, to.y, y->stop.lift);
  count(SWEEP,
        alike && (!x->sweep ||
                  (same_vec(n, m) && same_vec(at, to) && same_number(x->stop.lift, y->stop.lift))),
        alike && (same_vec(n, m) ? x->stop.lift == y->stop.lift : are_images(n, m)));
  compare_hits(WAY_OUT, image, x->out, x->way_out, y->out, y->way_out, 1);
  snprintf(note, sizeof note, "image %d: %.17g %.17g", image, x->exit, y->exit);
  count(EXIT, same_number(x->exit, y->exit), false);
  snprintf(note, sizeof note, "image %d: %.17g %.17g, %d %d", image, x->point_gap, y->point_gap,
           x->holds, y->holds);
  count(POINT, same_number(x->point_gap, y->point_gap) && x->holds == y->holds, false);
}

static void compare_swapped(const answers *x, const cl_placed *a, const cl_placed *b, cl_vec d) {
  for (int k = 0; k < 2; k++) {
    answers y = {0};
    y.overlap[k] = cl_overlap(b, a, k, &y.hit[k]);
    y.contacts[k] = cl_contacts(b, a, k, y.contact[k]);
    y.swept[k] = cl_swept_overlap(b, (cl_vec){0.0 - d.x, 0.0 - d.y}, a, k, &y.met[k]);
    if (compare_hits(OVERLAP, 0, x->overlap[k], x->hit[k], y.overlap[k], y.hit[k], -1))
      compare_contacts(0, x, &y, k, -1);
    cl_vec n = {0.0 - x->met[k].nx, 0.0 - x->met[k].ny}, m = {y.met[k].nx, y.met[k].ny};
    snprintf(note, sizeof note, "swapped: %d %d t %.17g (%.17g %.17g) | %.17g (%.17g %.17g)",
             x->swept[k], y.swept[k], x->met[k].t, n.x, n.y, y.met[k].t, m.x, m.y);
    count(SWEPT,
          x->swept[k] == y.swept[k] &&
              (!x->swept[k] || (same_number(x->met[k].t, y.met[k].t) && same_vec(n, m))),
          false);
  }
  cl_gap g = cl_distance(b, a);
  snprintf(note, sizeof note,
           "swapped: %.17g %.17g (%.17g %.17g) (%.17g %.17g) | (%.17g %.17g) (%.17g %.17g)",
           x->gap.distance, g.distance, x->gap.a.x, x->gap.a.y, x->gap.b.x, x->gap.b.y, g.b.x,
           g.b.y, g.a.x, g.a.y);
  count(DISTANCE,
        same_number(x->gap.distance, g.distance) && same_vec(x->gap.a, g.b) &&
            same_vec(x->gap.b, g.a),
        false);
}

static void images_of_pairs(void) {
  for (long i = 0; i < test_rounds(20000); i++) {
    scene s;
    make_scene(&s);
    kinds[0] = s.a->kind, kinds[1] = s.b->kind;
    answers first, x;
    for (int image = 0; image < IMAGES; image++) {
      int other = image == 0 ? 0 : test_int(0, 1000);
      cl_shape *a = made_shape(&alloc, s.a, image, other),
               *b = made_shape(&alloc, s.b, image, other / 7);
      cl_vec at = image_of(image, s.at[0]), to = image_of(image, s.at[1]), d = image_of(image, s.d);
      cl_placed p = cl_place(a, at.x, at.y, image_angle(image, s.angle[0]));
      cl_placed q = cl_place(b, to.x, to.y, image_angle(image, s.angle[1]));
      ask(&p, &q, d, image_of(image, s.to), image == 0 ? &first : &x);
      if (image == 0) compare_swapped(&first, &p, &q, d);
      else compare(image, &first, &x);
      cl_shape_release(a);
      cl_shape_release(b);
    }
    made_free(s.a);
    made_free(s.b);
  }
  // The search for the way out of many parts at once may still reach the same place from another
  // side.
  for (int f = 0; f < FAMILIES; f++) {
    printf("%-8s %8ld asked, %ld tie, %ld in the last bits, %ld differ\n", family_name[f], asked[f],
           tie[f], last_bits[f], differ[f]);
    CHECK(last_bits[f] <= asked[f] / 10000 + 10);
  }
}

// ---- the choice where images of an answer are equally good

static cl_placed box_at(double x, double y, double w, double h) {
  cl_shape *s;
  if (cl_shape_rectangle(&alloc, -w / 2, -h / 2, w, h, &s) != CL_OK) abort();
  return cl_place(s, x, y, 0);
}

static cl_placed diamond_at(double x, double y, double r) {
  const double xy[8] = {x + r, y, x, y + r, x - r, y, x, y - r};
  cl_fault fault;
  cl_shape *s;
  if (cl_shape_polygon(&alloc, xy, 4, &fault, &s) != CL_OK) abort();
  return cl_place(s, 0, 0, 0);
}

static cl_placed circle_at(double x, double y, double r) {
  cl_shape *s;
  if (cl_shape_circle(&alloc, 0, 0, r, &s) != CL_OK) abort();
  return cl_place(s, x, y, 0);
}

static void drop_shape(cl_placed p) { cl_shape_release((cl_shape *)(uintptr_t)p.shape); }

// Checks both orders of the arguments.
static void check_way(cl_placed a, cl_placed b, double nx, double ny, double depth) {
  cl_hit h;
  CHECK(cl_overlap(&a, &b, false, &h));
  CHECK_MSG(h.nx == nx && h.ny == ny && h.depth == depth, "(%g, %g) %g", h.nx, h.ny, h.depth);
  CHECK(cl_overlap(&b, &a, false, &h) && h.nx == -nx && h.ny == -ny && h.depth == depth);
  drop_shape(a);
  drop_shape(b);
}

static void ways_out_in_order(void) {
  check_way(box_at(8, 8, 10, 10), box_at(0, 0, 10, 10), 1, 0, 2);   // along x before y
  check_way(box_at(5, 5, 10, 10), box_at(5, 5, 20, 20), -1, 0, 15); // the narrower to the left
  check_way(box_at(5, 5, 10, 8), box_at(5, 5, 40, 20), 0, -1, 14);  // or up
  check_way(box_at(0, 1, 10, 40), box_at(0, -1, 10, 40), 1, 0, 10); // as wide: the upper one
  check_way(circle_at(3, 4, 2), circle_at(3, 4, 5), -1, 0, 7);      // the smaller to the left
  check_way(diamond_at(1, 1, 2), box_at(1, 1, 2, 8), -1, 0, 3);     // the one nearer to 0, 0
  check_way(circle_at(0, 0, 1), box_at(0, 0, 4, 4), -1, 0, 3);      // the smaller
  cl_placed a = box_at(7, 7, 4, 4), b = box_at(7, 7, 4, 4);
  cl_hit h;
  CHECK(cl_overlap(&a, &b, false, &h) && h.nx == -1 && h.ny == 0 &&
        h.depth == 4); // equal: the first
  drop_shape(a);
  drop_shape(b);
}

static void corners_in_order(void) {
  cl_placed box = box_at(0, 0, 10, 10), mover = box_at(20, 20, 10, 10);
  const cl_vec d = {-20, -20};
  cl_cast c;
  cl_sweep s;
  long spent = 0;
  cl_stopper how = {cl_touch_distance(&mover, d, &box), 1L << 40, NULL, NULL};
  CHECK(cl_cast_ray(10, 10, -10, -10, &box, &c) && c.nx == 1 && c.ny == 0);
  CHECK(cl_cast_shape(&mover, d, &box, &c) && c.nx == 1 && c.ny == 0);
  CHECK(cl_sweep_shape(&mover, d, &box, &how, &spent, &s) && s.nx == 1 && s.ny == 0);
  drop_shape(box);
  drop_shape(mover);
}

// The ends of the stretch that two sides share.
static void points_in_order(void) {
  cl_placed a = diamond_at(0, 0, 4), b = box_at(0, 12, 6, 4), c = box_at(0, 3, 20, 4);
  cl_gap gap = cl_distance(&b, &c), back = cl_distance(&c, &b);
  CHECK(gap.distance == 5 && gap.a.x == -3 && gap.a.y == 10 && gap.b.x == -3 && gap.b.y == 5);
  CHECK(back.a.x == gap.b.x && back.a.y == gap.b.y && back.b.x == gap.a.x && back.b.y == gap.a.y);
  cl_sweep s;
  long spent = 0;
  const cl_vec d = {0, -10};
  cl_stopper how = {cl_touch_distance(&b, d, &c), 1L << 40, NULL, NULL};
  CHECK(cl_sweep_shape(&b, d, &c, &how, &spent, &s) && s.x == -3 && s.y == 5);
  drop_shape(a);
  drop_shape(b);
  drop_shape(c);
}

int main(void) {
  alloc = cl_alloc_default();
  RUN(ways_out_in_order);
  RUN(corners_in_order);
  RUN(points_in_order);
  RUN(images_of_pairs);
  return test_end();
}
