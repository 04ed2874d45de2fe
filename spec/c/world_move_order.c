// collide, MIT licence (see LICENSE)
//
// Moves among shapes of every kind, most of them flush with others, have the same result in any
// order of adding, and in a mirrored or turned scene the mirrored or turned result, to the bit. A
// move that its responder abandons changes nothing, and a move that waits for answers has the same
// result. With COLLIDE_ROUNDS=20 that is 100 000 scenes.

#include <setjmp.h>

#include "images.h"

#include "narrow/overlap.h"
#include "narrow/motion.h"
#include "world/move.h"

enum { PIECES = 12, POINTS = 8, MOVES = 4, CELLS = 4, ORDERS = 3, SAME = 0 };

static cl_alloc alloc;

enum { BOX, POLYGON, DISC, CAPSULE, CHAIN, COMPOUND, TILES, SOLIDS };

// A shape as points, which are mapped: two for a box, disc or capsule; a pair for each box of a
// compound; for tiles their corners, with a bit for each cell.
typedef struct piece {
  int kind, points;
  cl_vec at, point[POINTS];
  double r;
  uint32_t cells;
  bool sensor, fixed;
  cl_vec one_way;
  cl_response response;
} piece;

typedef struct scene {
  piece piece[PIECES], mover;
  int pieces;
  cl_vec way[MOVES];
  cl_response response;
  bool asks;
} scene;

static void need(bool good) {
  if (!good) abort();
}

static cl_shape *box_shape(cl_vec a, cl_vec b) {
  cl_shape *shape;
  double l = fmin(a.x, b.x), t = fmin(a.y, b.y);
  need(cl_shape_rectangle(&alloc, l, t, fmax(a.x, b.x) - l, fmax(a.y, b.y) - t, &shape) == CL_OK);
  return shape;
}

static cl_shape *tiles_shape(const piece *p, int image) {
  cl_vec a = image_of(image, p->point[0]), b = image_of(image, p->point[1]);
  double l = fmin(a.x, b.x), t = fmin(a.y, b.y), cell = fabs(b.x - a.x) / CELLS;
  cl_grid *grid;
  cl_shape *shape;
  need(cl_grid_new(&alloc, 2, (int64_t[]){CELLS, CELLS}, (double[]){cell, cell}, (double[]){l, t},
                   &grid) == CL_OK);
  for (int i = 0; i < CELLS * CELLS; i++) {
    if (!(p->cells >> i & 1)) continue;
    double half = (p->point[1].x - p->point[0].x) / CELLS / 2;
    cl_vec middle = {p->point[0].x + (2 * (i % CELLS) + 1) * half,
                     p->point[0].y + (2 * (i / CELLS) + 1) * half};
    middle = image_of(image, middle);
    cl_grid_set(grid,
                (int64_t[]){(int64_t)((middle.x - l) / cell), (int64_t)((middle.y - t) / cell), 0},
                1);
  }
  need(cl_shape_tiles(&alloc, grid, NULL, 0, &shape) == CL_OK);
  cl_grid_release(grid);
  return shape;
}

static cl_shape *shape_of(const piece *p, int image) {
  cl_shape *shape, *member[POINTS];
  cl_fault fault;
  cl_vec v[POINTS];
  double xy[2 * POINTS];
  for (int i = 0; i < p->points; i++) {
    v[i] = image_of(image, p->point[i]);
    xy[2 * i] = v[i].x, xy[2 * i + 1] = v[i].y;
  }
  switch (p->kind) {
  case BOX: return box_shape(v[0], v[1]);
  case TILES: return tiles_shape(p, image);
  case POLYGON:
    need(cl_shape_polygon(&alloc, xy, (uint32_t)p->points, &fault, &shape) == CL_OK);
    return shape;
  case DISC: need(cl_shape_circle(&alloc, v[0].x, v[0].y, p->r, &shape) == CL_OK); return shape;
  case CAPSULE:
    need(cl_shape_capsule(&alloc, v[0].x, v[0].y, v[1].x, v[1].y, p->r, &shape) == CL_OK);
    return shape;
  case CHAIN:
    need(cl_shape_chain(&alloc, xy, (uint32_t)p->points, false, &fault, &shape) == CL_OK);
    return shape;
  default: break;
  }
  for (int i = 0; i < p->points; i += 2) member[i / 2] = box_shape(v[i], v[i + 1]);
  need(cl_shape_compound(&alloc, member, (uint32_t)p->points / 2, &shape) == CL_OK);
  for (int i = 0; i < p->points; i += 2) cl_shape_release(member[i / 2]);
  return shape;
}

// ---- random scenes --------------------------------------------------------------------------

static double quarter(double low, double high) { return round(test_uniform(low, high) * 4) / 4; }

static void set_box(piece *p, double l, double t, double r, double b) {
  p->kind = BOX, p->points = 2;
  p->point[0] = (cl_vec){l, t}, p->point[1] = (cl_vec){r, b};
}

static void set_polygon(piece *p, int n, const double *xy) {
  p->kind = POLYGON, p->points = n;
  for (int i = 0; i < n; i++) p->point[i] = (cl_vec){xy[2 * i], xy[2 * i + 1]};
}

// A solid of a kind, with the upper side from x0 to x1 at y.
static void set_floor(piece *p, int kind, double x0, double x1, double y) {
  double x = (x0 + x1) / 2, w = x1 - x0;
  set_box(p, x0, y, x1, y + 4);
  switch (kind) {
  case POLYGON: set_polygon(p, 5, (double[]){x0, y, x1, y, x1, y + 3, x, y + 5, x0, y + 3}); break;
  case DISC:
    p->kind = DISC, p->r = w / 2, p->point[0] = (cl_vec){x, y + w / 2}, p->points = 1;
    break;
  case CAPSULE:
    p->kind = CAPSULE, p->r = 1;
    p->point[0] = (cl_vec){x0, y + 1}, p->point[1] = (cl_vec){x1, y + 1};
    break;
  case CHAIN:
    p->kind = CHAIN, p->points = 3;
    p->point[0] = (cl_vec){x0, y}, p->point[1] = (cl_vec){x, y}, p->point[2] = (cl_vec){x1, y};
    break;
  case COMPOUND:
    p->kind = COMPOUND, p->points = 4;
    p->point[0] = (cl_vec){x0, y}, p->point[1] = (cl_vec){x, y + 3};
    p->point[2] = (cl_vec){x, y}, p->point[3] = (cl_vec){x1, y + 5};
    break;
  case TILES:
    p->kind = TILES;
    p->point[0] = (cl_vec){x0, y}, p->point[1] = (cl_vec){x1, y + w};
    p->cells = 0xf | (uint32_t)test_int(0, 0xfff) << 4;
    break;
  default: break;
  }
}

// Flush pieces in a row, some of them missing.
static void add_row(scene *s, double x, double y) {
  for (int n = test_int(2, 4); n > 0 && s->pieces < PIECES; n--) {
    double w = 4 * test_int(1, 4);
    if (test_int(0, 5)) set_floor(&s->piece[s->pieces++], test_int(0, SOLIDS - 1), x, x + w, y);
    x += w;
  }
}

static void add_slope(scene *s, double x, double y, double w, double h) {
  if (s->pieces == PIECES) return;
  piece *p = &s->piece[s->pieces++];
  if (test_int(0, 2)) set_polygon(p, 3, (double[]){x, y, x + w, y - h, x + w, y});
  else {
    p->kind = CHAIN, p->points = 2;
    p->point[0] = (cl_vec){x, y}, p->point[1] = (cl_vec){x + w, y - h};
  }
}

static void add_clutter(scene *s) {
  if (s->pieces == PIECES) return;
  piece *p = &s->piece[s->pieces++];
  double x = quarter(-20, 20), y = quarter(-20, 20);
  set_floor(p, test_int(0, SOLIDS - 1), x, x + 4 * test_int(1, 3), y);
}

static void random_mover(scene *s) {
  piece *p = &s->mover;
  double w = test_int(1, 6), h = test_int(1, 6);
  switch (test_int(0, 7)) {
  case 0:
  case 1: set_box(p, -w, -h, w, h); break;
  case 2: p->kind = DISC, p->points = 1, p->r = h, p->point[0] = (cl_vec){0, 0}; break;
  case 3: set_polygon(p, 4, (double[]){0, -h, w, 0, 0, h, -w, 0}); break;
  case 4: set_polygon(p, 3, (double[]){0, h, w, -h, -w, -h}); break;
  case 5:
    p->kind = CAPSULE, p->points = 2, p->r = w / 2;
    p->point[0] = (cl_vec){0, -h}, p->point[1] = (cl_vec){0, h - w / 2};
    break;
  case 6:
    p->kind = CHAIN, p->points = 2;
    p->point[0] = (cl_vec){0, -h}, p->point[1] = (cl_vec){test_int(0, 1) ? 0 : w, h};
    break;
  default:
    p->kind = COMPOUND, p->points = 4;
    p->point[0] = (cl_vec){-w, -h}, p->point[1] = (cl_vec){0, h};
    p->point[2] = (cl_vec){0, -h / 2}, p->point[3] = (cl_vec){w, h};
  }
  // Its lowest point is at y 0, and its right or left end, or its middle, at a multiple of 4.
  double x = 4 * test_int(-4, 4);
  int side = test_int(0, 3);
  p->at.x = side == 0 ? x : side == 1 ? x - w : side == 2 ? x + w : quarter(-16, 16);
  p->at.y = test_int(0, 3) ? -h : -h - test_int(0, 8);
}

static void random_scene(scene *s) {
  *s = (scene){0};
  int what = test_int(0, 4);
  if (what < 4) add_row(s, 4 * test_int(-5, 0), 0);
  if (what == 0 || what == 4)
    for (int i = test_int(1, 5); i > 0; i--) add_clutter(s);
  if (what == 1) add_row(s, 4 * test_int(-5, 0), test_int(0, 1) ? -16 : -12);
  if (what == 2 || test_int(0, 3) == 0)
    add_slope(s, 4 * test_int(-3, 3), 0, 4 * test_int(-4, 4) + 2, 4 * test_int(1, 4));
  if (what == 2)
    add_slope(s, 4 * test_int(-3, 3), 0, 4 * test_int(-4, 4) + 2, 4 * test_int(-2, 6) + 2);
  if (what == 3 && s->pieces < PIECES) {
    double x = 4 * test_int(-4, 4), w = 4 * test_int(1, 2);
    set_box(&s->piece[s->pieces++], x, -4.0 * test_int(1, 6), x + w, 0);
  }
  random_mover(s);
  static const cl_response how[] = {CL_RESPONSE_SLIDE, CL_RESPONSE_TOUCH, CL_RESPONSE_BOUNCE,
                                    CL_RESPONSE_PUSH,  CL_RESPONSE_CROSS, CL_RESPONSE_NONE};
  s->response = test_int(0, 2) ? CL_RESPONSE_SLIDE : how[test_int(0, 3)];
  s->asks = test_int(0, 3) == 0;
  static const cl_vec looks[] = {{0, -1}, {0, 1}, {-1, 0}, {1, 0}, {3, -4}, {-0.5, -1}, {5, 1}};
  bool one_way = test_int(0, 4) == 0;
  for (int i = 0; i < s->pieces; i++) {
    piece *p = &s->piece[i];
    p->sensor = test_int(0, 8) == 0;
    if (one_way && test_int(0, 1)) p->one_way = looks[test_int(0, 2) ? 0 : test_int(0, 6)];
    p->fixed = p->kind == TILES || s->response != CL_RESPONSE_PUSH || test_int(0, 1);
    // Another position, with the points relative to it.
    p->at = (cl_vec){quarter(-9, 9), quarter(-9, 9)};
    for (int k = 0; k < p->points; k++) p->point[k] = cl_vec_sub(p->point[k], p->at);
    p->response = test_int(0, 1) ? CL_RESPONSE_SLIDE : how[test_int(0, 5)];
  }
  for (int i = 0; i < MOVES; i++) {
    s->way[i] = (cl_vec){test_uniform(-20, 20), test_uniform(-8, 20)};
    if (test_int(0, 3) == 0) s->way[i] = (cl_vec){quarter(-20, 20), quarter(-20, 20)};
    if (test_int(0, 5) == 0) s->way[i].x = 0;
    if (test_int(0, 5) == 0) s->way[i].y = 0;
  }
}

// ---- playing --------------------------------------------------------------------------------

enum { HITS = 80 };

// The results of the moves of a scene, by the numbers of pieces.
typedef struct answer {
  bool tired; // a limit of work was reached
  int hits, moves;
  cl_move_hit hit[HITS];
  cl_vec to[MOVES], piece[PIECES];
} answer;

static uint32_t add(cl_world *world, const piece *p, int image) {
  uint32_t slot;
  cl_shape *shape = shape_of(p, image);
  cl_vec at = image_of(image, p->at);
  cl_actor_def def = {.shape = shape,
                      .x = at.x,
                      .y = at.y,
                      .fixed = p->fixed,
                      .sensor = p->sensor,
                      .one_way = image_of(image, p->one_way)};
  need(cl_world_add(world, &def, &slot) == CL_OK);
  cl_shape_release(shape);
  return slot;
}

// A scene in a world: the piece of each slot.
typedef struct stage {
  const scene *scene;
  int piece_of[PIECES + 1];
} stage;

static bool later; // moves wait for the answers
static cl_move_ask asked;

static cl_response response_of(void *context, const cl_move_ask *ask) {
  const stage *at = context;
  if (later && ask != &asked) {
    asked = *ask;
    return CL_RESPONSE_LATER;
  }
  int p = at->piece_of[ask->other];
  return p < PIECES ? at->scene->piece[p].response : CL_RESPONSE_SLIDE;
}

static jmp_buf left;

static cl_response leave(void *context, const cl_move_ask *ask) {
  int *questions = context;
  (void)ask;
  if ((*questions)-- == 0) longjmp(left, 1);
  return CL_RESPONSE_SLIDE;
}

// Begins a move whose responder jumps out at the first or second question.
static void abandon(cl_world *world, cl_move_def def) {
  int questions = test_int(0, 1);
  def.responder = leave;
  def.context = &questions;
  if (setjmp(left) == 0) need(cl_world_move(world, &def) == CL_OK);
}

// A mover that starts free moves no farther than the length of its way.
static void check_length(cl_vec from, cl_vec way, cl_move_result r) {
  for (size_t k = 0; k < r.hits; k++)
    if (r.hit[k].inside) return;
  double went = cl_vec_length(cl_vec_sub(r.moved[0].to, from)), most = cl_vec_length(way);
  CHECK_MSG(went <= most + 1e-9, "%.17g of %.17g", went, most);
}

static bool abandons; // before each move that asks, one is abandoned, which changes nothing

// Adds the pieces in the order `order`, and moves.
static void play(const scene *s, int image, const int *order, answer *out) {
  cl_io io;
  cl_world_def def = {.alloc = alloc, .broad = &cl_broad_auto};
  cl_world *world = cl_world_new(&def, &io);
  uint32_t slot[PIECES], mover = 0;
  stage on = {.scene = s};
  cl_vec at = image_of(image, s->mover.at);
  for (int i = 0; i <= s->pieces; i++) {
    if (order[i] == s->pieces) mover = add(world, &s->mover, image), on.piece_of[mover] = PIECES;
    else {
      slot[order[i]] = add(world, &s->piece[order[i]], image);
      on.piece_of[slot[order[i]]] = order[i];
    }
  }
  *out = (answer){0};
  for (int i = 0; i < MOVES; i++) {
    cl_vec d = image_of(image, s->way[i]);
    cl_move_def md = {.slot = mover,
                      .x = at.x,
                      .y = at.y,
                      .dx = d.x,
                      .dy = d.y,
                      .filter = {UINT64_MAX, NULL, 0},
                      .response = s->response,
                      .responder = s->asks ? response_of : NULL,
                      .context = &on};
    if (abandons && s->asks) abandon(world, md);
    later = test_int(0, 1);
    need(cl_world_move(world, &md) == CL_OK);
    while (cl_world_move_waits(world))
      need(cl_world_move_on(world, response_of(&on, &asked)) == CL_OK);
    cl_move_result r = cl_world_move_result(world);
    for (size_t k = 0; k < r.hits && out->hits < HITS; k++) {
      cl_move_hit *h = &out->hit[out->hits++];
      *h = r.hit[k];
      h->slot = (uint32_t)on.piece_of[r.hit[k].slot];
    }
    out->tired |= cl_move_is_over(world->movement, CL_MOVE_INSIDE_SHARE);
    check_length(at, d, r);
    at = out->to[i] = r.moved[0].to;
    out->moves++;
    need(cl_world_move_commit(world) == CL_OK);
  }
  for (int i = 0; i < s->pieces; i++) {
    cl_placed p = cl_actor_place(&world->actors, slot[i]);
    out->piece[i] = (cl_vec){p.x, p.y};
  }
  cl_world_free(world);
}

static bool is_same(cl_vec a, cl_vec b) { return a.x == b.x && a.y == b.y; }

static int by_hit(const void *a, const void *b) {
  const cl_move_hit *s = a, *t = b;
  if (s->t != t->t) return s->t < t->t ? -1 : 1;
  return (s->slot > t->slot) - (s->slot < t->slot);
}

// Actors that are crossed at one moment, or in which the mover starts, are listed in the order of
// adding.
static void sort_listed(answer *a) {
  for (int i = 0, k; i < a->hits; i = k) {
    for (k = i + 1;
         k < a->hits && a->hit[k].t == a->hit[i].t && a->hit[k].inside == a->hit[i].inside &&
         (a->hit[i].inside ||
          (a->hit[i].response == CL_RESPONSE_CROSS && a->hit[k].response == CL_RESPONSE_CROSS));)
      k++;
    qsort(a->hit + i, (size_t)(k - i), sizeof *a->hit, by_hit);
  }
}

// Whether hits i and i + 1 of one are those of the other, swapped: the two surfaces of a corner
// that the way leads into equally.
static bool are_swapped(const answer *a, const answer *b, int image, int i) {
  return i + 1 < a->hits && is_same(a->hit[i].at, a->hit[i + 1].at) &&
         a->hit[i].t == a->hit[i + 1].t &&
         is_same(image_of(image, a->hit[i].normal), b->hit[i + 1].normal) &&
         is_same(image_of(image, a->hit[i + 1].normal), b->hit[i].normal);
}

static bool agree(const scene *s, const answer *a, const answer *b, int image) {
  bool same = a->hits == b->hits;
  // Searches that reached a limit of work may end elsewhere.
  if (a->tired || b->tired) return true;
  for (int i = 0; i < MOVES; i++) same &= is_same(image_of(image, a->to[i]), b->to[i]);
  for (int i = 0; i < s->pieces; i++) same &= is_same(image_of(image, a->piece[i]), b->piece[i]);
  for (int i = 0; i < a->hits && same; i++) {
    const cl_move_hit *h = &a->hit[i], *g = &b->hit[i];
    if (are_swapped(a, b, image, i)) {
      i++;
      continue;
    }
    // At a corner that is crossed, any face may be named.
    bool crossed = h->response == CL_RESPONSE_CROSS;
    same &= (crossed || is_same(image_of(image, h->normal), g->normal)) &&
            is_same(image_of(image, h->at), g->at) && h->t == g->t && h->response == g->response &&
            h->inside == g->inside && h->crushed == g->crushed;
  }
  return same;
}

// Whether the mover had to be pushed out: on these lattices, often in one of two equal ways.
static bool starts_inside(const answer *a) {
  for (int i = 0; i < a->hits; i++)
    if (a->hit[i].inside && a->hit[i].response != CL_RESPONSE_CROSS) return true;
  return false;
}

// Whether two pieces were pushed at once: they move in the order of x and y.
static bool pushes_two(const answer *a) {
  for (int i = 0; i < a->hits; i++)
    for (int k = 0; k < i; k++)
      if (a->hit[i].response == CL_RESPONSE_PUSH && a->hit[k].t == a->hit[i].t) return true;
  return false;
}

// Whether a piece that may be pushed overlaps another one, so that it also has to be pushed out.
static bool piles(const scene *s) {
  bool any = false;
  for (int i = 0; i < s->pieces && s->response == CL_RESPONSE_PUSH; i++) {
    for (int k = 0; k < s->pieces && !any; k++) {
      const piece *p = &s->piece[i], *q = &s->piece[k];
      if (i == k || p->fixed || p->sensor || p->kind == TILES) continue;
      cl_shape *a = shape_of(p, SAME), *b = shape_of(q, SAME);
      cl_placed one = cl_place(a, p->at.x, p->at.y, 0), two = cl_place(b, q->at.x, q->at.y, 0);
      any = cl_overlaps(&one, &two, false);
      cl_shape_release(a);
      cl_shape_release(b);
    }
  }
  return any;
}

static void shuffle(int *order, int n) {
  for (int i = 0; i < n; i++) order[i] = i;
  for (int i = n - 1; i > 0; i--) {
    int k = test_int(0, i), o = order[i];
    order[i] = order[k], order[k] = o;
  }
}

static void the_order_of_adding_changes_nothing(void) {
  long hits = 0;
  for (long round = 0; round < test_rounds(5000); round++) {
    scene s;
    answer first, other;
    int order[PIECES + 1];
    random_scene(&s);
    shuffle(order, s.pieces + 1);
    play(&s, SAME, order, &first);
    sort_listed(&first);
    hits += first.hits;
    for (int i = 1; i < ORDERS; i++) {
      shuffle(order, s.pieces + 1);
      abandons = i == 1;
      play(&s, SAME, order, &other);
      abandons = false;
      sort_listed(&other);
      bool same = agree(&s, &first, &other, SAME);
      CHECK_MSG(same, "round %ld", round);
    }
  }
  printf("%ld hits\n", hits);
}

// Whether there are only boxes: then a way along an axis meets no two faces equally.
static bool is_of_boxes(const scene *s) {
  bool all = s->mover.kind == BOX;
  for (int i = 0; i < s->pieces; i++)
    all &= s->piece[i].kind == BOX || s->piece[i].kind == TILES || s->piece[i].kind == COMPOUND;
  return all;
}

// Changes ways that lead into two faces equally.
static void make_oblique(scene *s) {
  for (int i = 0; i < MOVES; i++) {
    cl_vec *way = &s->way[i];
    if (fabs(way->x) != fabs(way->y) && (is_of_boxes(s) || (way->x != 0 && way->y != 0))) continue;
    *way = (cl_vec){way->x + test_uniform(0.01, 0.1), way->y + test_uniform(0.01, 0.1)};
  }
}

// Whether a shape without an inside moves: where its end meets a corner exactly, faces tie.
static bool moves_thin(const scene *s) {
  bool any = s->mover.kind == CHAIN;
  for (int i = 0; i < s->pieces; i++)
    any |= s->response == CL_RESPONSE_PUSH && s->piece[i].kind == CHAIN && !s->piece[i].fixed;
  return any;
}

static void images_agree(void) {
  long played = 0, ties = 0;
  for (long round = 0; round < test_rounds(5000); round++) {
    scene s;
    answer first, other;
    int order[PIECES + 1];
    random_scene(&s);
    make_oblique(&s);
    shuffle(order, s.pieces + 1);
    play(&s, SAME, order, &first);
    for (int i = 1; i < IMAGES; i++) {
      play(&s, i, order, &other);
      bool same =
          starts_inside(&first) || piles(&s) || pushes_two(&first) || agree(&s, &first, &other, i);
      bool tie = !same && moves_thin(&s);
      CHECK_MSG(same || tie, "round %ld, image %d", round, i);
      played++;
      ties += tie;
    }
  }
  printf("%ld images, %ld differ at the end of a segment\n", played, ties);
  CHECK(ties * 10000 <= played);
}

// ---- joints ---------------------------------------------------------------------------------

// A mover that stands on y 0: a box, a tip, a disc, a segment on its end or its side.
enum { STANDERS = 8 };

static void set_stander(piece *p, int which, double w, double h) {
  *p = (piece){.kind = BOX};
  switch (which) {
  case 0: set_box(p, -w, -2 * h, w, 0); break;
  case 1: set_polygon(p, 4, (double[]){0, -2 * h, w, -h, 0, 0, -w, -h}); break;
  case 2: set_polygon(p, 3, (double[]){0, 0, w, -2 * h, -w, -2 * h}); break;
  case 3: p->kind = DISC, p->points = 1, p->r = h, p->point[0] = (cl_vec){0, -h}; break;
  case 4:
    p->kind = CAPSULE, p->points = 2, p->r = 1;
    p->point[0] = (cl_vec){-w, -1}, p->point[1] = (cl_vec){w, -1};
    break;
  case 5:
    p->kind = CHAIN, p->points = 2;
    p->point[0] = (cl_vec){0, 0}, p->point[1] = (cl_vec){test_int(0, 1) ? 0 : w, -2 * h};
    break;
  case 6:
    p->kind = CHAIN, p->points = 2;
    p->point[0] = (cl_vec){-w, 0}, p->point[1] = (cl_vec){w, 0};
    break;
  default:
    p->kind = COMPOUND, p->points = 4;
    p->point[0] = (cl_vec){-w, -h}, p->point[1] = (cl_vec){0, 0};
    p->point[2] = (cl_vec){0, -2 * h}, p->point[3] = (cl_vec){w, 0};
  }
}

static const int flat[] = {BOX, POLYGON, CHAIN, COMPOUND, TILES};
enum { FLATS = 5, LONG = 32 };

// A floor from x0 to x1 with its upper side at 0, or as a chain.
static void set_flat(piece *p, int kind, double x0, double x1) {
  *p = (piece){.fixed = true};
  set_floor(p, kind, x0, x1, 0);
  if (kind == TILES) p->cells = 0xffff;
}

// The last hit of a move against the pieces, and where it ends.
static cl_vec go(const piece *floors, int n, const piece *mover, cl_vec at, cl_vec way, int image,
                 cl_move_hit *first, size_t *hits, double *touch) {
  cl_io io;
  cl_world_def def = {.alloc = alloc, .broad = &cl_broad_auto};
  cl_world *world = cl_world_new(&def, &io);
  for (int i = 0; i < n; i++) add(world, &floors[i], image);
  uint32_t slot = add(world, mover, image);
  cl_vec from = image_of(image, at), d = image_of(image, way);
  cl_move_def md = {.slot = slot,
                    .x = from.x,
                    .y = from.y,
                    .dx = d.x,
                    .dy = d.y,
                    .filter = {UINT64_MAX, NULL, 0},
                    .response = CL_RESPONSE_SLIDE};
  need(cl_world_move(world, &md) == CL_OK);
  cl_move_result r = cl_world_move_result(world);
  *hits = r.hits;
  if (r.hits > 0) *first = r.hit[0];
  cl_vec to = r.moved[0].to;
  *touch = CL_TOUCH_SHARE * 200;
  cl_world_free(world);
  return to;
}

static long joints;

// On two floors that meet at x 0, a mover ends where it ends on a single floor. Its left or right
// end, or its middle, is at the joint.
static void try_joint(int a, int b, int stander, int side, int which) {
  piece two[2], one, mover;
  // A segment passes through a chain that it is in line with.
  if (stander == 6 && (a == CHAIN || b == CHAIN)) return;
  set_flat(&two[0], a, -LONG, 0);
  set_flat(&two[1], b, 0, LONG);
  set_flat(&one, a == CHAIN || b == CHAIN ? CHAIN : BOX, -LONG, LONG);
  if (one.kind == CHAIN) one.points = 2, one.point[1] = (cl_vec){LONG, 0};
  double w = test_int(1, 4), h = test_int(1, 4);
  set_stander(&mover, stander, w, h);
  cl_vec at = {side == 0 ? 0 : side == 1 ? -w : w, 0};
  cl_vec way = {test_uniform(-12, 12), test_uniform(0.1, 30)};
  if (test_int(0, 3) == 0) way.y = 0;
  cl_move_hit hit[3];
  size_t hits[3];
  double touch;
  piece swapped[2] = {two[1], two[0]};
  cl_vec alone = go(&one, 1, &mover, at, way, which, &hit[0], &hits[0], &touch);
  cl_vec first = go(two, 2, &mover, at, way, which, &hit[1], &hits[1], &touch);
  cl_vec second = go(swapped, 2, &mover, at, way, which, &hit[2], &hits[2], &touch);
  joints++;
  double off = fmax(hypot(first.x - alone.x, first.y - alone.y),
                    hypot(second.x - first.x, second.y - first.y));
  bool same = off <= 4 * touch && hits[1] == hits[0] && hits[2] == hits[0];
  for (int i = 1; i < 3 && hits[0] > 0 && same; i++)
    same = cl_vec_dot(hit[i].normal, hit[0].normal) > 1 - 1e-9;
  CHECK_MSG(same,
            "kinds %d and %d, mover %d, side %d, image %d: %.9g, %.9g and %.9g, %.9g, not %.9g, "
            "%.9g by %.9g, %.9g",
            a, b, stander, side, which, first.x, first.y, second.x, second.y, alone.x, alone.y,
            image_of(which, way).x, image_of(which, way).y);
}

static void a_joint_is_no_surface(void) {
  for (long round = 0; round < test_rounds(2); round++)
    for (int a = 0; a < FLATS; a++)
      for (int b = 0; b < FLATS; b++)
        for (int stander = 0; stander < STANDERS; stander++)
          for (int side = 0; side < 3; side++)
            for (int image = 0; image < IMAGES; image++)
              try_joint(flat[a], flat[b], stander, side, image);
  printf("%ld joints\n", joints);
}

// ---- planks ---------------------------------------------------------------------------------

// Cuts a one-way box into rows of one-way pieces, each row at different joints.
static int cut_plank(piece *out, const piece *whole, int most) {
  cl_vec a = whole->point[0], b = whole->point[1];
  int n = 0, height = test_int(1, 3);
  for (double y = a.y; y < b.y; y += height) {
    for (double x = a.x, to; x < b.x && n < most; x = to) {
      to = y + height < b.y && test_int(0, 2) == 0 ? b.x : fmin(x + 4 * test_int(1, 6), b.x);
      piece *p = &out[n++];
      double low = fmin(y + height, b.y);
      *p = (piece){.fixed = true, .one_way = {0, -1}};
      set_box(p, x, y, to, low);
      if (test_int(0, 1)) set_polygon(p, 4, (double[]){x, y, to, y, to, low, x, low});
    }
  }
  return n;
}

static void a_plank_may_be_in_pieces(void) {
  enum { MOST = 64 };
  long played = 0, met = 0;
  for (long round = 0; round < test_rounds(5000); round++) {
    piece whole = {.fixed = true, .one_way = {0, -1}}, pieces[MOST], mover;
    set_box(&whole, -8, 0, 8, test_int(1, 8));
    int n = cut_plank(pieces, &whole, MOST);
    set_stander(&mover, test_int(0, STANDERS - 1), test_int(1, 4), test_int(1, 4));
    cl_vec at = {4 * test_int(-5, 5), test_int(-16, 16)}, way = {quarter(-20, 20), quarter(-9, 20)};
    if (test_int(0, 1)) way = (cl_vec){test_uniform(-20, 20), test_uniform(-9, 20)};
    cl_shape *a = shape_of(&mover, SAME), *b = shape_of(&whole, SAME);
    cl_placed one = cl_place(a, at.x, at.y, 0), two = cl_place(b, 0, 0, 0);
    bool outside = !cl_overlaps(&one, &two, true);
    cl_shape_release(a);
    cl_shape_release(b);
    if (!outside) continue;
    cl_move_hit hit[2];
    size_t hits[2];
    double touch;
    cl_vec want = go(&whole, 1, &mover, at, way, SAME, &hit[0], &hits[0], &touch);
    for (int i = 0; i < IMAGES; i++) {
      cl_vec to = go(pieces, n, &mover, at, way, i, &hit[1], &hits[1], &touch);
      cl_vec off = cl_vec_sub(to, image_of(i, want));
      CHECK_MSG(cl_vec_length(off) <= 4 * touch && hits[0] == hits[1],
                "round %ld: %d pieces, %.17g, %.17g, not %.17g, %.17g", round, n, to.x, to.y,
                image_of(i, want).x, want.y);
      played++;
      met += hits[1] > 0;
    }
  }
  printf("%ld moves about planks, %ld met one\n", played, met);
  CHECK(met > played / 20);
}

int main(void) {
  alloc = cl_alloc_default();
  RUN(the_order_of_adding_changes_nothing);
  RUN(images_agree);
  RUN(a_joint_is_no_surface);
  RUN(a_plank_may_be_in_pieces);
  return test_end();
}
