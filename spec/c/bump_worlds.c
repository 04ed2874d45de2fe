// collide, MIT licence (see LICENSE)
//
// Worlds by bump's rules: a search finds the same as a loop over all items, in the order of adding;
// on a segment, the same as searches in worlds of one item each. An item that was met is not met
// again. A call that runs out of memory changes nothing.

#include "test.h"

#include "checked_alloc.h"

#include "bump/bump.h"

enum { MOST = 150 };

// A world, and its items in the order of adding.
typedef struct play {
  double cell, scale;
  cl_bump *world;
  cl_bump_search *search;
  uint32_t count, slot[MOST];
  cl_rect at[MOST];
} play;

static double some(const play *p, int low, int high) {
  double v = test_int(low, high) * p->scale;
  return test_int(0, 9) ? v : v + test_uniform(0, p->scale);
}

static cl_rect any_rect(const play *p) {
  double far = test_int(0, 19) ? 1 : test_uniform(1, 100);
  return (cl_rect){some(p, -40, 40), some(p, -40, 40), some(p, 1, 9) * far, some(p, 1, 9) * far};
}

static cl_bounds cells_of(const play *p, cl_rect r) {
  return (cl_bounds){floor(r.x / p->cell) + 1, floor(r.y / p->cell) + 1,
                     ceil((r.x + r.w) / p->cell), ceil((r.y + r.h) / p->cell)};
}

static bool share(cl_bounds a, cl_bounds b) {
  return a.l <= a.r && b.l <= b.r && a.t <= a.b && b.t <= b.b && a.l <= b.r && b.l <= a.r &&
         a.t <= b.b && b.t <= a.b;
}

static bool add(play *p, cl_rect at) {
  uint32_t slot;
  if (cl_bump_reserve(p->world, &slot) != CL_OK) return false;
  cl_bump_add(p->world, slot, at);
  p->slot[p->count] = slot, p->at[p->count++] = at;
  return true;
}

static void drop(play *p, uint32_t i) {
  cl_bump_remove(p->world, p->slot[i]);
  p->count--;
  for (; i < p->count; i++) p->slot[i] = p->slot[i + 1], p->at[i] = p->at[i + 1];
}

static void change(play *p) {
  uint32_t i = p->count ? (uint32_t)test_int(0, (int)p->count - 1) : 0;
  int what = test_int(0, 5);
  if (p->count == 0 || (what == 0 && p->count < MOST)) {
    CHECK(add(p, any_rect(p)));
  } else if (what == 1) {
    drop(p, i);
  } else {
    p->at[i].x += some(p, -9, 9), p->at[i].y += some(p, -9, 9);
    if (test_int(0, 9) == 0) p->at[i] = any_rect(p);
    cl_bump_place(p->world, p->slot[i], p->at[i]);
  }
}

// Compares what was found with the marked items, in the order of adding.
static void check_found(play *p, const bool *expected) {
  size_t count, k = 0;
  const cl_bump_found *f = cl_bump_items(p->search, &count);
  for (uint32_t i = 0; i < p->count; i++) {
    if (!expected[i]) continue;
    REQUIRE(k < count);
    CHECK(f[k++].slot == p->slot[i]);
  }
  CHECK(k == count);
}

static void query(play *p) {
  bool all[MOST], in_rect[MOST], at_point[MOST];
  cl_rect r = any_rect(p);
  cl_vec v = {some(p, -40, 40), some(p, -40, 40)};
  cl_bounds cells = cells_of(p, r);
  cl_bounds cell = {floor(v.x / p->cell) + 1, floor(v.y / p->cell) + 1, 0, 0};
  cell.r = cell.l, cell.b = cell.t;
  for (uint32_t i = 0; i < p->count; i++) {
    all[i] = true;
    in_rect[i] = share(cells, cells_of(p, p->at[i])) && cl_rect_overlaps(&r, &p->at[i]);
    at_point[i] = share(cell, cells_of(p, p->at[i])) && cl_rect_holds(&p->at[i], v);
  }
  CHECK(cl_bump_all(p->search) == CL_OK);
  check_found(p, all);
  CHECK(cl_bump_query_rect(p->search, &r) == CL_OK);
  check_found(p, in_rect);
  CHECK(cl_bump_query_point(p->search, v) == CL_OK);
  check_found(p, at_point);
}

// The index of the first item that is met and is not in `met`; count if there is none.
static uint32_t first_of(const play *p, const cl_rect *from, cl_vec goal, const bool *asked,
                         cl_rect_meeting *m) {
  uint32_t first = p->count;
  for (uint32_t i = 0; i < p->count; i++) {
    cl_rect_meeting one;
    if (!asked[i] || !cl_rect_meet(from, &p->at[i], goal, &one)) continue;
    double d = cl_rect_distance(from, &p->at[i]);
    if (first < p->count &&
        (one.ti > m->ti || (one.ti == m->ti && d >= cl_rect_distance(from, &p->at[first]))))
      continue;
    first = i, *m = one;
  }
  return first;
}

// Meets the found items in turn; returns the slot of the first of them that was reported.
static uint32_t meet_found(play *p) {
  size_t count, hits = 0;
  uint32_t first = CL_BUMP_NONE;
  cl_bump_items(p->search, &count);
  for (size_t i = 0; i < count; i++) {
    uint32_t slot = cl_bump_candidate(p->search, i);
    bool is_first;
    if (!cl_bump_meet(p->search, i, &is_first)) continue;
    const cl_bump_hit *h = cl_bump_hits(p->search, &hits);
    CHECK(h[hits - 1].slot == slot && h[hits - 1].at == hits - 1);
    if (is_first) first = slot;
  }
  return first;
}

// Meets one item after another, on new ways from the same place.
static void move(play *p) {
  bool met[MOST] = {false}, asked[MOST];
  uint32_t own = (uint32_t)test_int(0, (int)p->count), first = 0;
  cl_rect from = own < p->count ? p->at[own] : any_rect(p);
  cl_bump_begin(p->search);
  for (int k = 0; k < 6 && first < p->count; k++) {
    cl_vec goal = {from.x + some(p, -30, 30), from.y + some(p, -30, 30)};
    double l = fmin(from.x, goal.x), t = fmin(from.y, goal.y);
    cl_rect around = {l, t, fmax(goal.x + from.w, from.x + from.w) - l,
                      fmax(goal.y + from.h, from.y + from.h) - t};
    for (uint32_t i = 0; i < p->count; i++)
      asked[i] = i != own && !met[i] && share(cells_of(p, around), cells_of(p, p->at[i]));
    uint32_t slot = own < p->count ? p->slot[own] : CL_BUMP_NONE;
    cl_rect_meeting m = {false, 0, {0, 0}, {0, 0}};
    const cl_bump_hit *f;
    bool in_turn = test_int(0, 1);
    uint32_t told = CL_BUMP_NONE;
    if (in_turn) {
      CHECK(cl_bump_look(p->search, &from, goal, slot) == CL_OK);
      check_found(p, asked);
      told = meet_found(p);
    } else {
      CHECK(cl_bump_meet_all(p->search, &from, goal, slot) == CL_OK);
    }
    first = first_of(p, &from, goal, asked, &m);
    CHECK(cl_bump_first(p->search, &f) == CL_OK);
    REQUIRE((f != NULL) == (first < p->count));
    CHECK(!in_turn || told == (f ? f->slot : CL_BUMP_NONE));
    if (!f) return;
    CHECK(f->slot == p->slot[first] && f->how.ti == m.ti && f->how.overlaps == m.overlaps);
    CHECK(f->how.touch.x == m.touch.x && f->how.touch.y == m.touch.y);
    CHECK(cl_bump_was_met(p->search, p->slot[first]));
    met[first] = true;
  }
}

// Any place, or a corner of an item.
static cl_vec corner(const play *p) {
  if (p->count == 0 || test_int(0, 1)) return (cl_vec){some(p, -60, 60), some(p, -60, 60)};
  const cl_rect *r = &p->at[test_int(0, (int)p->count - 1)];
  return (cl_vec){test_int(0, 1) ? r->x : r->x + r->w, test_int(0, 1) ? r->y : r->y + r->h};
}

static void pass(play *p) {
  bool passed[MOST];
  cl_vec a = corner(p), b = corner(p);
  if (test_int(0, 4) == 0) b.y = a.y;
  if (test_int(0, 9) == 0) a.x -= 100 * (b.x - a.x), a.y -= 100 * (b.y - a.y);
  for (uint32_t i = 0; i < p->count; i++) {
    cl_alloc alloc = cl_alloc_default();
    size_t count;
    play one = {.cell = p->cell, .world = cl_bump_new(&alloc, p->cell)};
    one.search = cl_bump_search_new(one.world);
    add(&one, p->at[i]);
    CHECK(cl_bump_query_segment(one.search, a, b) == CL_OK);
    cl_bump_hits(one.search, &count);
    passed[i] = count == 1;
    cl_bump_release(one.world);
    cl_bump_search_free(one.search);
  }
  size_t count, k = 0;
  CHECK(cl_bump_query_segment(p->search, a, b) == CL_OK);
  const cl_bump_hit *h = cl_bump_hits(p->search, &count);
  for (uint32_t i = 0; i < p->count; i++) {
    if (!passed[i]) continue;
    REQUIRE(k < count);
    CHECK(h[k].slot == p->slot[i] && h[k].at == k);
    k++;
  }
  CHECK(k == count);
}

static void finds_what_a_loop_finds(void) {
  static const double scales[] = {1, 0.1, 1.0 / 3, 16, 1e6, 3e-3};
  for (long round = 0; round < test_rounds(300) && test_errors == 0; round++) {
    heap h = heap_new();
    cl_alloc alloc = heap_alloc(&h);
    play p = {.scale = scales[test_int(0, 5)]};
    p.cell = p.scale * (test_int(0, 4) ? test_int(1, 32) : test_uniform(0.5, 300));
    p.world = cl_bump_new(&alloc, p.cell);
    p.search = cl_bump_search_new(p.world);
    for (int i = test_int(0, test_int(0, MOST - 1)); i > 0; i--) CHECK(add(&p, any_rect(&p)));
    for (int i = 0; i < 30 && test_errors == 0; i++) {
      change(&p);
      query(&p);
      move(&p);
      if (i % 10 == 0) pass(&p);
    }
    cl_bump_release(p.world); // the search keeps it
    CHECK(cl_bump_all(p.search) == CL_OK);
    cl_bump_search_free(p.search);
    CHECK_HEAP_EMPTY(h);
  }
}

// Items found before a change: an item that moved is met where it is now, and one that was removed
// is skipped. An item that its own filter call removes is still met.
static void looks_again_after_a_change(void) {
  cl_alloc alloc = cl_alloc_default();
  size_t count;
  bool is_first;
  play p = {.cell = 10, .world = cl_bump_new(&alloc, 10)};
  p.search = cl_bump_search_new(p.world);
  for (int i = 0; i < 4; i++) add(&p, (cl_rect){20 + 20 * i, 0, 10, 10});
  CHECK(cl_bump_look(p.search, &(cl_rect){0, 0, 10, 10}, (cl_vec){100, 0}, CL_BUMP_NONE) == CL_OK);
  CHECK(cl_bump_candidate(p.search, 0) == p.slot[0]);
  cl_bump_place(p.world, p.slot[0], (cl_rect){25, 0, 10, 10});
  cl_bump_place(p.world, p.slot[1], (cl_rect){500, 500, 10, 10});
  cl_bump_remove(p.world, p.slot[2]);
  CHECK(cl_bump_meet(p.search, 0, &is_first) && is_first);
  CHECK(cl_bump_candidate(p.search, 1) == CL_BUMP_NONE && !cl_bump_meet(p.search, 1, &is_first));
  CHECK(cl_bump_candidate(p.search, 2) == CL_BUMP_NONE && !cl_bump_meet(p.search, 2, &is_first));
  CHECK(cl_bump_candidate(p.search, 3) == p.slot[3]);
  cl_bump_remove(p.world, p.slot[3]);
  CHECK(cl_bump_meet(p.search, 3, &is_first) && !is_first);
  cl_bump_rank(p.search);
  const cl_bump_hit *h = cl_bump_hits(p.search, &count);
  REQUIRE(count == 2);
  CHECK(h[0].how.touch.x == 15 && h[1].how.touch.x == 70);
  cl_bump_search_free(p.search);
  cl_bump_release(p.world);
}

static void without_memory_nothing_changes(void) {
  for (long round = 0; round < test_rounds(200) && test_errors == 0; round++) {
    heap h = heap_new();
    cl_alloc alloc = heap_alloc(&h);
    play p = {.scale = 1, .cell = test_int(4, 64)};
    h.one_in = 3;
    while (!p.world) p.world = cl_bump_new(&alloc, p.cell);
    while (!p.search) p.search = cl_bump_search_new(p.world);
    for (int i = 0; i < 60; i++) {
      uint32_t before = p.count;
      while (!add(&p, any_rect(&p))) CHECK(cl_bump_count(p.world) == before);
      cl_rect r = any_rect(&p);
      cl_vec a = {r.x, r.y}, b = corner(&p);
      while (cl_bump_query_segment(p.search, a, b) != CL_OK) {
      }
      while (cl_bump_look(p.search, &r, b, CL_BUMP_NONE) != CL_OK) {
      }
      while (cl_bump_set_met(p.search, p.slot[i]) != CL_OK) {
      }
    }
    h.one_in = 0;
    query(&p);
    cl_bump_search_free(p.search);
    cl_bump_release(p.world);
    CHECK_HEAP_EMPTY(h);
  }
}

int main(void) {
  RUN(finds_what_a_loop_finds);
  RUN(looks_again_after_a_change);
  RUN(without_memory_nothing_changes);
  return test_end();
}
