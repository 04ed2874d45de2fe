// collide, MIT licence (see LICENSE)
//
// Worlds and searches of bump.h. An item lies in columns and rows of bump's cells; a move asks
// about the items that share a cell with it. To find items, a hash table has each at one cell: that
// of its first column and row, in a grid with cells as large as the item. Layer: bump.

#include "bump/bump.h"

#include "base/alloc.h"

// Grids: each has cells 4 times as wide as the one before, and there are enough for the largest
// item in the smallest of bump's cells. An item reaches at most into the next cell.
enum { LEVELS = 28 };

typedef struct item {
  uint64_t column, row; // its place in the hash table, with the level
  cl_bounds cells;      // first and last column and row
  uint32_t next, prev;  // in its bucket; of a free slot, `next` is the next one
  unsigned level;
  uint64_t order; // in which items were added, from 1; 0 in a free slot
  cl_rect at;
} item;

struct cl_bump {
  cl_alloc alloc;
  double cell;
  uint32_t owners; // its maker and its searches
  item *item;
  size_t slots, item_cap;
  uint32_t count, vacant;
  uint64_t added;
  uint32_t changes;
  uint32_t *bucket; // the first item of each
  size_t bucket_cap;
  unsigned bucket_bits;
  uint32_t at_level[LEVELS]; // how many items
  uint32_t levels;           // a bit for each with items
};

// The columns that bump visits in a row of its walk along a segment.
typedef struct span {
  double first, last;
} span;

struct cl_bump_search {
  cl_bump *of;
  cl_bump_found *found;
  size_t count, found_cap;
  uint32_t seen; // the changes of the world until then
  // The last look has found all items that share a cell with `reach`, after `seen` changes, except
  // `own` and those already met.
  cl_bounds reach;
  uint32_t found_after, own;
  bool sorted;
  cl_bump_hit *hit;
  size_t hits, hit_cap, first; // `first`: of those, the one that is met first
  uint64_t *met;               // the orders of items met, ascending
  size_t mets, met_cap;
  // The way: its rectangle and goal, the cells of the box around it, and that box with a margin.
  cl_rect from;
  cl_vec goal;
  cl_bounds cells, box;
  // The walk along the segment, by row from the first on, in the direction of the segment.
  span *span;
  size_t spans, span_cap;
  double first_row, step_row;
  bool walked, far;
};

// ---- Cells

// As floor, which compilers do not make in line for every processor.
static double whole_below(double v) {
  if (!(fabs(v) < 0x1p52)) return v;
  double whole = (double)(int64_t)v;
  return whole > v ? whole - 1 : whole;
}

static double to_cell(double size, double v) { return whole_below(v / size) + 1; }

static cl_bounds cells_of(double size, cl_rect r) {
  cl_bounds c = {to_cell(size, r.x), to_cell(size, r.y), -whole_below(-((r.x + r.w) / size)),
                 -whole_below(-((r.y + r.h) / size))};
  if (c.r < c.l) c.l = INFINITY;
  if (c.b < c.t) c.t = INFINITY;
  return c;
}

// No cells.
static const cl_bounds NOWHERE = {INFINITY, INFINITY, -INFINITY, -INFINITY};

static bool share(const cl_bounds *a, const cl_bounds *b) {
  return a->l <= b->r && b->l <= a->r && a->t <= b->b && b->t <= a->b;
}

// How many columns or rows the cells of a level have.
static double side_of(unsigned level) { return (double)(UINT64_C(1) << 2 * level); }

// The number of a column or row in the grid of a level: not below 0, and ascending. Far outside the
// range of items, all share one number.
static const double FAR = 0x1p60;
static uint64_t number_at(double cell, unsigned level) {
  double v = cell > -FAR ? cell : -FAR; // NaN too
  return ((uint64_t)(int64_t)(v < FAR ? v : FAR) + (UINT64_C(1) << 61)) >> 2 * level;
}

// The first column or row of bump's with that number.
static double first_with(uint64_t number, unsigned level) {
  return (double)((int64_t)(number << 2 * level) - (INT64_C(1) << 61));
}

static uint32_t *bucket_of(const cl_bump *b, uint64_t column, uint64_t row, unsigned level) {
  uint64_t mixed = column * UINT64_C(0x9E3779B97F4A7C15) + row * UINT64_C(0xC2B2AE3D27D4EB4F);
  return &b->bucket[(mixed + level * UINT64_C(0x165667B19E3779F9)) >> (64 - b->bucket_bits)];
}

static void link_item(cl_bump *b, uint32_t slot) {
  item *it = &b->item[slot];
  uint32_t *first = bucket_of(b, it->column, it->row, it->level);
  it->prev = CL_BUMP_NONE, it->next = *first;
  if (*first != CL_BUMP_NONE) b->item[*first].prev = slot;
  *first = slot;
}

static void unlink_item(cl_bump *b, uint32_t slot) {
  item *it = &b->item[slot];
  if (it->prev != CL_BUMP_NONE) b->item[it->prev].next = it->next;
  else *bucket_of(b, it->column, it->row, it->level) = it->next;
  if (it->next != CL_BUMP_NONE) b->item[it->next].prev = it->prev;
}

// Counts items at a level.
static void count_at(cl_bump *b, unsigned level, uint32_t more) {
  b->at_level[level] += more;
  if (b->at_level[level]) b->levels |= UINT32_C(1) << level;
  else b->levels &= ~(UINT32_C(1) << level);
}

// Writes where an item is, but links it nowhere.
static void set_place(const cl_bump *b, item *it, cl_rect at) {
  cl_bounds c = cells_of(b->cell, at);
  double wide = c.r - c.l, high = c.b - c.t;
  it->at = at, it->cells = c, it->level = 0;
  while (it->level < LEVELS - 1 && (wide > side_of(it->level) || high > side_of(it->level)))
    it->level++;
  it->column = number_at(to_cell(b->cell, at.x), it->level);
  it->row = number_at(to_cell(b->cell, at.y), it->level);
}

// ---- Worlds

enum { FEWEST_BITS = 4 };

cl_bump *cl_bump_new(const cl_alloc *alloc, double cell) {
  cl_bump *b = cl_new(alloc, sizeof *b);
  if (!b) return NULL;
  b->alloc = *alloc, b->cell = cell, b->owners = 1, b->vacant = CL_BUMP_NONE;
  return b;
}

void cl_bump_release(cl_bump *b) {
  if (!b || --b->owners > 0) return;
  cl_alloc alloc = b->alloc;
  CL_FREE(&alloc, b->item, b->item_cap);
  CL_FREE(&alloc, b->bucket, b->bucket_cap);
  cl_free(&alloc, b, sizeof *b);
}

cl_status cl_bump_reserve(cl_bump *b, uint32_t *slot) {
  *slot = b->vacant != CL_BUMP_NONE ? b->vacant : (uint32_t)b->slots;
  if (*slot >= INT32_MAX) return CL_NOMEM;
  if (CL_RESERVE(&b->alloc, b->item, b->item_cap, (size_t)*slot + 1) != CL_OK) return CL_NOMEM;
  if (b->count < b->bucket_cap) return CL_OK;
  unsigned bits = b->bucket_bits ? b->bucket_bits + 1 : FEWEST_BITS;
  uint32_t *bucket = cl_new_array(&b->alloc, UINT64_C(1) << bits, sizeof *bucket);
  if (!bucket) return CL_NOMEM;
  CL_FREE(&b->alloc, b->bucket, b->bucket_cap);
  b->bucket = bucket, b->bucket_bits = bits, b->bucket_cap = (size_t)1 << bits;
  memset(bucket, 0xFF, b->bucket_cap * sizeof *bucket); // CL_BUMP_NONE
  for (uint32_t i = 0; i < b->slots; i++)
    if (b->item[i].order) link_item(b, i);
  return CL_OK;
}

void cl_bump_add(cl_bump *b, uint32_t slot, cl_rect at) {
  item *it = &b->item[slot];
  if (slot == b->slots) b->slots++;
  else b->vacant = it->next;
  it->order = ++b->added;
  b->changes++;
  set_place(b, it, at);
  link_item(b, slot);
  count_at(b, it->level, 1);
  b->count++;
}

void cl_bump_place(cl_bump *b, uint32_t slot, cl_rect at) {
  item *it = &b->item[slot], to = *it;
  b->changes++;
  set_place(b, &to, at);
  if (to.column == it->column && to.row == it->row && to.level == it->level) {
    it->at = at, it->cells = to.cells;
    return;
  }
  unlink_item(b, slot);
  count_at(b, it->level, UINT32_MAX);
  count_at(b, to.level, 1);
  *it = to;
  link_item(b, slot);
}

void cl_bump_remove(cl_bump *b, uint32_t slot) {
  item *it = &b->item[slot];
  unlink_item(b, slot);
  count_at(b, it->level, UINT32_MAX);
  b->count--;
  b->changes++;
  it->order = 0, it->next = b->vacant, b->vacant = slot;
}

bool cl_bump_has(const cl_bump *b, uint32_t slot) { return slot < b->slots && b->item[slot].order; }

cl_bounds cl_bump_cells(const cl_bump *b, uint32_t slot) { return b->item[slot].cells; }

uint32_t cl_bump_count(const cl_bump *b) { return b->count; }

const uint32_t *cl_bump_changes(const cl_bump *b) { return &b->changes; }

// ---- Finding items

cl_bump_search *cl_bump_search_new(cl_bump *of) {
  cl_bump_search *s = cl_new(&of->alloc, sizeof *s);
  if (s) s->of = of, of->owners++;
  return s;
}

void cl_bump_search_free(cl_bump_search *s) {
  if (!s) return;
  cl_bump *of = s->of;
  CL_FREE(&of->alloc, s->found, s->found_cap);
  CL_FREE(&of->alloc, s->hit, s->hit_cap);
  CL_FREE(&of->alloc, s->met, s->met_cap);
  CL_FREE(&of->alloc, s->span, s->span_cap);
  cl_free(&of->alloc, s, sizeof *s);
  cl_bump_release(of);
}

cl_bump *cl_bump_of(const cl_bump_search *s) { return s->of; }

const cl_bump_found *cl_bump_items(const cl_bump_search *s, size_t *count) {
  *count = s->count;
  return s->found;
}

const cl_bump_hit *cl_bump_hits(const cl_bump_search *s, size_t *count) {
  *count = s->hits;
  return s->hit;
}

static cl_status add_found(cl_bump_search *s, uint32_t slot) {
  if (s->count == s->found_cap &&
      CL_RESERVE(&s->of->alloc, s->found, s->found_cap, s->count + 1) != CL_OK)
    return CL_NOMEM;
  s->found[s->count++] = (cl_bump_found){s->of->item[slot].order, slot};
  return CL_OK;
}

// Where to look: among items that share one of these cells, or among those near a segment.
typedef struct region {
  cl_bounds cells;
  uint32_t except; // a slot
  bool is_segment;
  cl_vec from, to;
} region;

// Numbers of columns and rows.
typedef struct range {
  uint64_t left, top, right, bottom;
} range;

// The cells of a level where items of the region may be, from those of level 0.
static range range_at(const range *r, unsigned level) {
  unsigned bits = 2 * level;
  return (range){(r->left >> bits) - 1, (r->top >> bits) - 1, r->right >> bits, r->bottom >> bits};
}

// Narrows the columns of a row to those where the segment may touch an item of that row, with a
// cell more at each side for rounding.
static void narrow(const cl_bump *b, const region *g, uint64_t row, unsigned level, range *r) {
  double side = side_of(level), first = first_with(row, level);
  double dx = g->to.x - g->from.x, dy = g->to.y - g->from.y;
  if (dy == 0) return;
  double t1 = ((first - 2) * b->cell - g->from.y) / dy;
  double t2 = ((first + 2 * side) * b->cell - g->from.y) / dy;
  double in = t1 < t2 ? t1 : t2, out = t1 < t2 ? t2 : t1;
  double x1 = g->from.x + (in > 0 ? in : 0) * dx, x2 = g->from.x + (out < 1 ? out : 1) * dx;
  double left = to_cell(b->cell, x1 < x2 ? x1 : x2), right = to_cell(b->cell, x1 < x2 ? x2 : x1);
  uint64_t from = number_at(left - 1 - side, level), to = number_at(right + 1, level);
  if (from > r->left) r->left = from;
  if (to < r->right) r->right = to;
}

// How many cells a search in all grids visits, at least about.
static double cells_visited(const cl_bump *b, const region *g, const range *of) {
  double sum = 0;
  for (uint32_t left = b->levels; left; left &= left - 1) {
    range r = range_at(of, cl_first_bit(left));
    double wide = (double)(int64_t)(r.right - r.left) + 1;
    double high = (double)(int64_t)(r.bottom - r.top) + 1;
    sum += g->is_segment ? wide + 4 * high : wide * high;
  }
  return sum;
}

static cl_status find_in_cell(cl_bump_search *s, const region *g, uint64_t column, uint64_t row,
                              unsigned level) {
  const cl_bump *b = s->of;
  for (uint32_t i = *bucket_of(b, column, row, level); i != CL_BUMP_NONE; i = b->item[i].next) {
    const item *it = &b->item[i];
    if (it->column != column || it->row != row || it->level != level || i == g->except) continue;
    if (!g->is_segment && !share(&it->cells, &g->cells)) continue;
    if (add_found(s, i) != CL_OK) return CL_NOMEM;
  }
  return CL_OK;
}

static cl_status find_at_level(cl_bump_search *s, const region *g, const range *r, unsigned level) {
  for (uint64_t row = r->top; row <= r->bottom; row++) {
    range of_row = *r;
    if (g->is_segment) narrow(s->of, g, row, level, &of_row);
    for (uint64_t column = of_row.left; column <= of_row.right; column++)
      if (find_in_cell(s, g, column, row, level) != CL_OK) return CL_NOMEM;
  }
  return CL_OK;
}

// This many items are looked at in the time of one cell. Looking at all items also leaves them
// mostly in order.
static const double ITEMS_A_CELL = 4;

// Finds the items of the region, in any order: through cells, or by looking at each item if that is
// faster. For a segment the result may have items that it does not touch.
static cl_status find(cl_bump_search *s, const region *g) {
  const cl_bump *b = s->of;
  const cl_bounds *c = &g->cells;
  s->count = s->hits = 0;
  s->seen = b->changes, s->reach = NOWHERE;
  if (!(c->l <= c->r && c->t <= c->b)) return CL_OK;
  const range of = {number_at(c->l, 0), number_at(c->t, 0), number_at(c->r, 0), number_at(c->b, 0)};
  if (ITEMS_A_CELL * cells_visited(b, g, &of) < b->count) {
    for (uint32_t left = b->levels; left; left &= left - 1) {
      unsigned level = cl_first_bit(left);
      range r = range_at(&of, level);
      if (find_at_level(s, g, &r, level) != CL_OK) return CL_NOMEM;
    }
    return CL_OK;
  }
  for (uint32_t i = 0; i < b->slots; i++) {
    const item *it = &b->item[i];
    if (!it->order || i == g->except) continue;
    if (!g->is_segment && !share(&it->cells, &g->cells)) continue;
    if (add_found(s, i) != CL_OK) return CL_NOMEM;
  }
  return CL_OK;
}

static int by_order(const void *a, const void *b) {
  const cl_bump_found *f = a, *g = b;
  return f->order < g->order ? -1 : f->order > g->order;
}

// Source of the gaps: Ciura, Best Increments for the Average Case of Shellsort (2001).
static void sort_found(cl_bump_search *s) {
  enum { FEW = 64 };
  static const size_t gaps[] = {23, 10, 4, 1};
  cl_bump_found *f = s->found;
  size_t sorted = 1;
  while (sorted < s->count && f[sorted - 1].order < f[sorted].order) sorted++;
  if (sorted >= s->count) return;
  if (s->count > FEW) {
    cl_sort_by(f, s->count, sizeof *f, by_order);
    return;
  }
  for (int g = 0; g < 4; g++) {
    size_t gap = gaps[g];
    if (gap > 1 && s->count < 2 * gap) continue;
    for (size_t i = gap; i < s->count; i++) {
      cl_bump_found moved = f[i];
      size_t k = i;
      for (; k >= gap && f[k - gap].order > moved.order; k -= gap) f[k] = f[k - gap];
      f[k] = moved;
    }
  }
}

// ---- Moves

void cl_bump_begin(cl_bump_search *s) { s->mets = 0, s->reach = NOWHERE; }

// The index of the first of those met that was added no earlier.
static size_t met_from(const cl_bump_search *s, uint64_t order) {
  size_t low = 0, high = s->mets;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (s->met[middle] < order) low = middle + 1;
    else high = middle;
  }
  return low;
}

static bool has_met(const cl_bump_search *s, uint64_t order) {
  if (s->mets == 0 || order > s->met[s->mets - 1]) return false;
  size_t i = met_from(s, order);
  return i < s->mets && s->met[i] == order;
}

bool cl_bump_was_met(const cl_bump_search *s, uint32_t slot) {
  return has_met(s, s->of->item[slot].order);
}

static cl_status set_met(cl_bump_search *s, uint64_t order) {
  if (has_met(s, order)) return CL_OK;
  if (CL_RESERVE(&s->of->alloc, s->met, s->met_cap, s->mets + 1) != CL_OK) return CL_NOMEM;
  size_t i = met_from(s, order);
  memmove(&s->met[i + 1], &s->met[i], (s->mets++ - i) * sizeof *s->met);
  s->met[i] = order;
  return CL_OK;
}

cl_status cl_bump_set_met(cl_bump_search *s, uint32_t slot) {
  return set_met(s, s->of->item[slot].order);
}

// As math.min and math.max of Lua compare.
static double least(double a, double b) { return b < a ? b : a; }
static double most(double a, double b) { return b > a ? b : a; }

static void set_way(cl_bump_search *s, const cl_rect *from, cl_vec goal) {
  double l = least(goal.x, from->x), t = least(goal.y, from->y);
  double wide = most(goal.x + from->w, from->x + from->w) - l;
  double high = most(goal.y + from->h, from->y + from->h) - t;
  s->from = *from, s->goal = goal;
  s->cells = cells_of(s->of->cell, (cl_rect){l, t, wide, high});
  // No item outside this box is met. The margin covers rounding, and gaps below 1e-10, in units or
  // as a fraction of the way, which count as touching.
  double r = l + wide, b = t + high;
  double margin = (most(most(fabs(l), fabs(t)), most(fabs(r), fabs(b))) + 1) * 0x1p-29;
  s->box = (cl_bounds){l - margin, t - margin, r + margin, b + margin};
}

static int by_adding(const void *a, const void *b) {
  const cl_bump_hit *f = a, *g = b;
  return f->order < g->order ? -1 : f->order > g->order;
}

static int by_time(const void *a, const void *b) {
  const cl_bump_hit *f = a, *g = b;
  if (f->how.ti != g->how.ti) return f->how.ti < g->how.ti ? -1 : 1;
  if (f->distance != g->distance) return f->distance < g->distance ? -1 : 1;
  return by_adding(a, b);
}

// Whether an item is met on the way: then it becomes a hit.
static bool meet(cl_bump_search *s, const cl_bump_found *f) {
  const cl_rect *r = &s->of->item[f->slot].at;
  const cl_bounds *box = &s->box;
  cl_bump_hit *h = &s->hit[s->hits];
  bool near = r->x <= box->r && r->y <= box->b && r->x + r->w >= box->l && r->y + r->h >= box->t;
  if (!near || !cl_rect_meet(&s->from, r, s->goal, &h->how)) return false;
  h->distance = cl_rect_distance(&s->from, r);
  h->order = f->order, h->slot = f->slot, h->at = (uint32_t)s->hits++;
  if (h->at == 0 || by_time(h, &s->hit[s->first]) < 0) s->first = h->at;
  return true;
}

// Keeps only the items that share a cell with the way and were not met.
static void keep_unmet(cl_bump_search *s) {
  size_t kept = 0;
  for (size_t i = 0; i < s->count; i++) {
    cl_bump_found f = s->found[i];
    s->found[kept] = f;
    kept += share(&s->of->item[f.slot].cells, &s->cells) && !has_met(s, f.order);
  }
  s->count = kept;
}

// Finds the items that may be met, in any order. After a response the rest of the way mostly lies
// within the last look: then the items are among those already found.
static cl_status look(cl_bump_search *s, const cl_rect *from, cl_vec goal, uint32_t own) {
  set_way(s, from, goal);
  const cl_bounds *c = &s->cells, *in = &s->reach;
  bool known = own == s->own && s->of->changes == s->found_after && c->l >= in->l &&
               c->t >= in->t && c->r <= in->r && c->b <= in->b;
  if (!known) {
    if (find(s, &(region){*c, own, false, {0, 0}, {0, 0}}) != CL_OK) return CL_NOMEM;
    if (CL_RESERVE(&s->of->alloc, s->hit, s->hit_cap, s->count) != CL_OK) return CL_NOMEM;
    s->found_after = s->seen, s->own = own, s->sorted = false;
  }
  if (known || s->mets > 0) keep_unmet(s);
  s->hits = 0, s->reach = *c;
  return CL_OK;
}

cl_status cl_bump_look(cl_bump_search *s, const cl_rect *from, cl_vec goal, uint32_t own) {
  if (look(s, from, goal, own) != CL_OK) return CL_NOMEM;
  if (!s->sorted) sort_found(s);
  s->sorted = true;
  return CL_OK;
}

cl_status cl_bump_meet_all(cl_bump_search *s, const cl_rect *from, cl_vec goal, uint32_t own) {
  if (look(s, from, goal, own) != CL_OK) return CL_NOMEM;
  for (size_t i = 0; i < s->count; i++) meet(s, &s->found[i]);
  return CL_OK;
}

// Items from the i-th on that are gone get the slot CL_BUMP_NONE.
static void look_again(cl_bump_search *s, size_t i) {
  const cl_bump *b = s->of;
  for (; i < s->count; i++) {
    cl_bump_found *f = &s->found[i];
    if (f->slot == CL_BUMP_NONE) continue;
    const item *it = &b->item[f->slot];
    if (it->order != f->order || !share(&it->cells, &s->cells)) f->slot = CL_BUMP_NONE;
  }
  s->seen = b->changes;
}

uint32_t cl_bump_candidate(cl_bump_search *s, size_t i) {
  if (s->seen != s->of->changes) look_again(s, i);
  return s->found[i].slot;
}

bool cl_bump_meet(cl_bump_search *s, size_t i, bool *first) {
  const cl_bump_found *f = &s->found[i];
  if (f->slot == CL_BUMP_NONE) return false;
  uint64_t order = s->of->item[f->slot].order; // 0 after removal, until the slot has another
  if ((order != f->order && order != 0) || !meet(s, f)) return false;
  *first = s->first == s->hits - 1;
  return true;
}

cl_status cl_bump_first(cl_bump_search *s, const cl_bump_hit **first) {
  *first = s->hits ? &s->hit[s->first] : NULL;
  return *first ? set_met(s, (*first)->order) : CL_OK;
}

void cl_bump_rank(cl_bump_search *s) { cl_sort_by(s->hit, s->hits, sizeof *s->hit, by_time); }

// ---- Queries

cl_status cl_bump_all(cl_bump_search *s) {
  const cl_bump *b = s->of;
  s->count = s->hits = 0, s->reach = NOWHERE;
  if (CL_RESERVE(&b->alloc, s->found, s->found_cap, b->count) != CL_OK) return CL_NOMEM;
  for (uint32_t i = 0; i < b->slots; i++)
    if (b->item[i].order) s->found[s->count++] = (cl_bump_found){b->item[i].order, i};
  sort_found(s);
  return CL_OK;
}

// Finds the items in cells; those of one column and row if `at` has no size.
static cl_status query(cl_bump_search *s, cl_bounds cells, const cl_rect *at, bool is_point) {
  if (find(s, &(region){cells, CL_BUMP_NONE, false, {0, 0}, {0, 0}}) != CL_OK) return CL_NOMEM;
  size_t kept = 0;
  for (size_t i = 0; i < s->count; i++) {
    const cl_rect *r = &s->of->item[s->found[i].slot].at;
    bool found = is_point ? cl_rect_holds(r, (cl_vec){at->x, at->y}) : cl_rect_overlaps(at, r);
    if (found) s->found[kept++] = s->found[i];
  }
  s->count = kept;
  sort_found(s);
  return CL_OK;
}

cl_status cl_bump_query_rect(cl_bump_search *s, const cl_rect *r) {
  return query(s, cells_of(s->of->cell, *r), r, false);
}

cl_status cl_bump_query_point(cl_bump_search *s, cl_vec p) {
  double column = to_cell(s->of->cell, p.x), row = to_cell(s->of->cell, p.y);
  return query(s, (cl_bounds){column, row, column, row}, &(cl_rect){p.x, p.y, 0, 0}, true);
}

// ---- Segments

// Bump tests only the items in the cells that it visits along a segment: all cells that it passes
// through, except for rounding. That matters if the segment only touches an item, at a corner or
// along a side on a border of cells: then bump's walk is repeated.

// A walk over more cells is not repeated: bump would take longer than a frame.
enum { MOST_WALKED = 1 << 16 };

static cl_status visit(cl_bump_search *s, double column, double row) {
  size_t i = (size_t)((row - s->first_row) * s->step_row);
  if (i == s->spans) {
    if (CL_RESERVE(&s->of->alloc, s->span, s->span_cap, i + 1) != CL_OK) return CL_NOMEM;
    s->span[s->spans++] = (span){column, column};
  }
  s->span[i].first = least(s->span[i].first, column);
  s->span[i].last = most(s->span[i].last, column);
  return CL_OK;
}

// The direction in which a column or row goes; the fraction of the way from one border to the next,
// and the share at the first border, to which bump adds the size of a cell.
typedef struct stride {
  double step, share, next;
} stride;

static stride stride_of(double size, double cell, double from, double to) {
  double way = to - from;
  if (way > 0) return (stride){1, size / way, ((cell + way) * size - from) / way};
  if (way < 0) return (stride){-1, -size / way, ((cell + way - 1) * size - from) / way};
  return (stride){0, INFINITY, INFINITY};
}

// Notes the cells that bump visits along a segment, or that they are too many.
static cl_status walk(cl_bump_search *s, cl_vec from, cl_vec to) {
  double size = s->of->cell, column = to_cell(size, from.x), row = to_cell(size, from.y);
  double last_column = to_cell(size, to.x), last_row = to_cell(size, to.y);
  stride x = stride_of(size, column, from.x, to.x), y = stride_of(size, row, from.y, to.y);
  s->walked = true, s->far = false, s->spans = 0;
  s->first_row = row, s->step_row = y.step;
  if (visit(s, column, row) != CL_OK) return CL_NOMEM;
  for (int cells = 2; fabs(column - last_column) + fabs(row - last_row) > 1;) {
    if (x.next < y.next) {
      x.next += x.share, column += x.step;
    } else {
      bool corner = x.next == y.next;
      if (corner && visit(s, column + x.step, row) != CL_OK) return CL_NOMEM;
      cells += corner;
      y.next += y.share, row += y.step;
    }
    if (visit(s, column, row) != CL_OK) return CL_NOMEM;
    s->far = ++cells > MOST_WALKED;
    if (s->far) return CL_OK;
  }
  return visit(s, last_column, last_row);
}

// Whether bump visits a cell of these on the walk.
static bool visits(const cl_bump_search *s, const cl_bounds *c) {
  if (s->far) return true;
  bool up = s->step_row < 0;
  double from = up ? s->first_row - c->b : c->t - s->first_row;
  double to = up ? s->first_row - c->t : c->b - s->first_row;
  for (double i = most(from, 0); i <= to && i < (double)s->spans; i++) {
    const span *of = &s->span[(size_t)i];
    if (c->l <= of->last && of->first <= c->r) return true;
  }
  return false;
}

// How far bump's walk may be off, by rounding.
static double rounding(double size, cl_vec a, cl_vec b) {
  double way = fabs(b.x - a.x) + fabs(b.y - a.y);
  double far = most(most(fabs(a.x), fabs(a.y)), most(fabs(b.x), fabs(b.y))) + size;
  return way * (way / size + 4) * (1 + size) * 0x1p-50 + far * 0x1p-46;
}

// Whether the segment passes through an item, and where.
static bool pass(const item *it, cl_vec from, cl_vec to, cl_bump_hit *f, double *depth) {
  const cl_rect *r = &it->at;
  cl_clip part = {0, 1, {0, 0}, {0, 0}}, line = {-INFINITY, INFINITY, {0, 0}, {0, 0}};
  if (!cl_rect_clip(r, from, to, &part)) return false;
  if (!((0 < part.t1 && part.t1 < 1) || (0 < part.t2 && part.t2 < 1))) return false;
  cl_rect_clip(r, from, to, &line);
  f->distance = 0;
  f->how = (cl_rect_meeting){false, line.t1, {part.t1, part.t2}, {0, 0}};
  // Where the middle of the part inside is deep, bump visits its cell.
  double t = (part.t1 + part.t2) / 2;
  double x = from.x + t * (to.x - from.x), y = from.y + t * (to.y - from.y);
  *depth = least(least(x - r->x, y - r->y), least(r->x + r->w - x, r->y + r->h - y));
  return true;
}

cl_status cl_bump_query_segment(cl_bump_search *s, cl_vec from, cl_vec to) {
  double size = s->of->cell, margin = rounding(size, from, to), depth;
  region g = {{0, 0, 0, 0}, CL_BUMP_NONE, true, from, to};
  g.cells.l = to_cell(size, least(from.x, to.x)) - 1;
  g.cells.t = to_cell(size, least(from.y, to.y)) - 1;
  g.cells.r = to_cell(size, most(from.x, to.x)) + 1;
  g.cells.b = to_cell(size, most(from.y, to.y)) + 1;
  if (find(s, &g) != CL_OK) return CL_NOMEM;
  if (CL_RESERVE(&s->of->alloc, s->hit, s->hit_cap, s->count) != CL_OK) return CL_NOMEM;
  s->walked = false;
  for (size_t i = 0; i < s->count; i++) {
    uint32_t slot = s->found[i].slot;
    const item *it = &s->of->item[slot];
    cl_bump_hit *h = &s->hit[s->hits];
    if (!pass(it, from, to, h, &depth)) continue;
    if (depth <= margin && !s->walked && walk(s, from, to) != CL_OK) return CL_NOMEM;
    if (depth <= margin && !visits(s, &it->cells)) continue;
    h->order = it->order, h->slot = slot;
    s->hits++;
  }
  cl_sort_by(s->hit, s->hits, sizeof *s->hit, by_adding);
  for (size_t i = 0; i < s->hits; i++) s->hit[i].at = (uint32_t)i;
  return CL_OK;
}
