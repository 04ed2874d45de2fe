// collide, MIT licence (see LICENSE)
//
// Allocation, sorting, and the version of all this. Layer: base.

#include "base/alloc.h"

#if CL_CHECKED
uint64_t cl_work_done = 0;
#endif

const char *cl_version(void) { return CL_VERSION; }

static void *resize_default(void *user, void *p, size_t old, size_t size) {
  (void)user;
  (void)old;
  if (size == 0) {
    free(p);
    return NULL;
  }
  return realloc(p, size);
}

cl_alloc cl_alloc_default(void) { return (cl_alloc){resize_default, NULL}; }

void *cl_new(const cl_alloc *alloc, size_t size) {
  void *p = alloc->resize(alloc->user, NULL, 0, size);
  if (p) memset(p, 0, size);
  return p;
}

bool cl_add_size(size_t *total, uint64_t count, size_t size) {
  if (count > (SIZE_MAX - *total) / size) return false;
  *total += (size_t)count * size;
  return true;
}

void *cl_new_array(const cl_alloc *alloc, uint64_t count, size_t size) {
  size_t bytes = 0;
  return cl_add_size(&bytes, count, size) ? cl_new(alloc, bytes) : NULL;
}

void cl_free(const cl_alloc *alloc, void *p, size_t size) {
  if (p) alloc->resize(alloc->user, p, size, 0);
}

static cl_status grow(const cl_alloc *alloc, void *array, size_t *cap, size_t count, size_t size) {
  if (count < 8) count = 8;
  if (count > SIZE_MAX / size) return CL_NOMEM;
  void *p; // copied, since a pointer to T* may not be read as a void **
  memcpy(&p, array, sizeof p);
  p = alloc->resize(alloc->user, p, *cap * size, count * size);
  if (!p) return CL_NOMEM;
  memcpy(array, &p, sizeof p);
  *cap = count;
  return CL_OK;
}

cl_status cl_grow(const cl_alloc *alloc, void *array, size_t *cap, size_t need, size_t size) {
  size_t count = *cap + *cap / 2;
  return grow(alloc, array, cap, count < need ? need : count, size);
}

cl_status cl_grow_near(const cl_alloc *alloc, void *array, size_t *cap, size_t need, size_t size) {
  size_t count = *cap + *cap / 8;
  return grow(alloc, array, cap, count < need ? need : count, size);
}

// ---- Radix sort

enum { MAX_DIGIT = 11 };

cl_status cl_sorter_reserve(const cl_alloc *alloc, cl_sorter *sorter, size_t count) {
  return CL_RESERVE(alloc, sorter->item, sorter->cap, 2 * count);
}

void cl_sorter_free(const cl_alloc *alloc, cl_sorter *sorter) {
  CL_FREE(alloc, sorter->item, sorter->cap);
  *sorter = (cl_sorter){0};
}

static void sort_by_digit(const cl_keyed *from, cl_keyed *to, size_t count, unsigned shift,
                          unsigned digit) {
  uint32_t start[1 << MAX_DIGIT];
  size_t buckets = (size_t)1 << digit;
  uint64_t mask = buckets - 1;
  memset(start, 0, buckets * sizeof *start);
  for (size_t i = 0; i < count; i++) start[(from[i].key >> shift) & mask]++;
  uint32_t sum = 0;
  for (size_t b = 0; b < buckets; b++) {
    uint32_t n = start[b];
    start[b] = sum;
    sum += n;
  }
  for (size_t i = 0; i < count; i++) to[start[(from[i].key >> shift) & mask]++] = from[i];
}

cl_keyed *cl_sort(cl_sorter *sorter, size_t count, unsigned bits) {
  assert(bits <= 64 && 2 * count <= sorter->cap);
  cl_keyed *from = sorter->item, *to = CL_AT(sorter->item, count);
  unsigned passes = (bits + MAX_DIGIT - 1) / MAX_DIGIT;
  for (unsigned pass = 0, done = 0; pass < passes; pass++) {
    unsigned digit = (bits - done + (passes - pass) - 1) / (passes - pass);
    sort_by_digit(from, to, count, done, digit);
    done += digit;
    cl_keyed *swap = from;
    from = to;
    to = swap;
  }
  return from;
}

// Four at a time: only one addition in four waits for the numbers before.
void cl_sum_up(uint32_t *number, size_t count) {
  uint32_t sum = 0;
  size_t k = 0;
  for (; k + 4 <= count; k += 4) {
    uint32_t a = number[k], b = a + number[k + 1], c = number[k + 2], d = c + number[k + 3];
    number[k] = sum + a;
    number[k + 1] = sum + b;
    number[k + 2] = sum + (b + c);
    number[k + 3] = sum += b + d;
  }
  for (; k < count; k++) number[k] = sum += number[k];
}

// ---- Quicksort, with heapsort where that would take long

// Lists of up to this many are sorted by insertion; elements have at most so many bytes.
enum { FEW = 12, LARGEST = 256 };

typedef struct list {
  char *at;
  size_t size;
  cl_order *order;
} list;

static char *item(const list *l, size_t i) { return l->at + i * l->size; }

static bool item_precedes(const list *l, size_t i, size_t k) {
  return l->order(item(l, i), item(l, k)) < 0;
}

static void swap_items(const list *l, size_t i, size_t k) {
  char kept[LARGEST];
  memcpy(kept, item(l, i), l->size);
  memcpy(item(l, i), item(l, k), l->size);
  memcpy(item(l, k), kept, l->size);
}

static void sort_by_insertion(const list *l, size_t count) {
  char kept[LARGEST];
  for (size_t i = 1; i < count; i++) {
    size_t k = i;
    while (k > 0 && l->order(item(l, i), item(l, k - 1)) < 0) k--;
    if (k == i) continue;
    memcpy(kept, item(l, i), l->size);
    memmove(item(l, k + 1), item(l, k), (i - k) * l->size);
    memcpy(item(l, k), kept, l->size);
  }
}

static void sink(const list *l, size_t i, size_t count) {
  for (size_t k = 2 * i + 1; k < count; k = 2 * i + 1) {
    if (k + 1 < count && item_precedes(l, k, k + 1)) k++;
    if (!item_precedes(l, i, k)) return;
    swap_items(l, i, k);
    i = k;
  }
}

static void sort_by_heap(const list *l, size_t count) {
  for (size_t i = count / 2; i-- > 0;) sink(l, i, count);
  for (size_t i = count; --i > 0;) {
    swap_items(l, 0, i);
    sink(l, 0, i);
  }
}

// Moves elements before the pivot to the front of the others, and returns where it is then. The
// pivot is the middle one of three.
static size_t part(const list *l, size_t count) {
  size_t middle = count / 2, last = count - 1;
  if (item_precedes(l, middle, 0)) swap_items(l, middle, 0);
  if (item_precedes(l, last, middle)) swap_items(l, last, middle);
  if (item_precedes(l, middle, 0)) swap_items(l, middle, 0);
  swap_items(l, 0, middle);
  size_t i = 0, k = count;
  for (;;) {
    do i++;
    while (i < count && item_precedes(l, i, 0));
    do k--;
    while (item_precedes(l, 0, k));
    if (i >= k) break;
    swap_items(l, i, k);
  }
  swap_items(l, 0, k);
  return k;
}

// `depth`: how often the list may still be parted.
static void sort(list l, size_t count, unsigned depth) {
  while (count > FEW) {
    if (depth-- == 0) {
      sort_by_heap(&l, count);
      return;
    }
    size_t k = part(&l, count), after = count - k - 1;
    list rest = {item(&l, k + 1), l.size, l.order};
    if (k < after) {
      sort(l, k, depth);
      l = rest;
      count = after;
    } else {
      sort(rest, after, depth);
      count = k;
    }
  }
  sort_by_insertion(&l, count);
}

void cl_heap_sink(void *at, size_t i, size_t count, size_t size, cl_order *order) {
  sink(&(list){at, size, order}, i, count);
}

void cl_heap_rise(void *at, size_t i, size_t size, cl_order *order) {
  const list l = {at, size, order};
  for (; i > 0 && item_precedes(&l, (i - 1) / 2, i); i = (i - 1) / 2)
    swap_items(&l, i, (i - 1) / 2);
}

void cl_sort_by(void *at, size_t count, size_t size, cl_order *order) {
  assert(size <= LARGEST);
  if (count > 1) sort((list){at, size, order}, count, 2 * cl_bit_length(count));
}
