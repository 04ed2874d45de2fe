// collide, MIT licence (see LICENSE)
//
// Bytes as their difference from the previous version. Layer: base.

#include "base/delta.h"

// The codes, which are digits: the guess is right, for one word or several; it is off by a small
// distance, from 1 on; by a larger one, in a fixed number of digits or as many as the next digit
// says; a new word; words that are gone.
enum { RIGHT, ALL_RIGHT, NEAR, FAR = NEAR + 8, MANY = FAR + 3, NEW, GONE };
enum { LEAST_FAR = 9, FEWEST_DIGITS = 2 };

// ---- digits -----------------------------------------------------------------------------------

typedef struct digits {
  cl_archive *a;
  unsigned held;
  bool half; // a digit is held
} digits;

static void put(digits *d, unsigned digit) {
  if (d->half) cl_write_bits(d->a, d->held | digit << 4, 1);
  d->held = digit;
  d->half = !d->half;
}

static unsigned take(digits *d) {
  if (!d->half) d->held = (unsigned)cl_read_bits(d->a, 1);
  d->half = !d->half;
  return d->half ? d->held & 15 : d->held >> 4;
}

static void put_digits(digits *d, uint64_t v, unsigned count) {
  for (unsigned i = 0; i < count; i++) put(d, (unsigned)(v >> 4 * i) & 15);
}

static uint64_t take_digits(digits *d, unsigned count) {
  uint64_t v = 0;
  for (unsigned i = 0; i < count; i++) v |= (uint64_t)take(d) << 4 * i;
  return v;
}

// A count, 3 bits to a digit; the fourth says that more follow.
static void put_count(digits *d, uint64_t v) {
  for (; v > 7; v >>= 3) put(d, 8 | (v & 7));
  put(d, (unsigned)v);
}

static uint64_t take_count(digits *d) {
  uint64_t v = 0;
  for (unsigned i = 0, digit = 8; digit & 8 && i < 64; i += 3) {
    digit = take(d);
    v |= (uint64_t)(digit & 7) << i;
  }
  return v;
}

static unsigned length_of(uint64_t v) {
  unsigned n = 0;
  for (; v > 0; v >>= 4) n++;
  return n;
}

// ---- words ------------------------------------------------------------------------------------

static uint64_t mask_of(unsigned size) { return size == 8 ? UINT64_MAX : (1ull << 8 * size) - 1; }

static uint64_t guess_of(const cl_word *before) {
  return before->size == 8 ? before->value + before->change : before->value;
}

// How far a word is from the guess: 0, -1, 1, -2, 2, … as 0, 1, 2, 3, 4, …
static uint64_t distance_of(const cl_word *before, const cl_word *word) {
  uint64_t off = (word->value - guess_of(before)) & mask_of(word->size);
  uint64_t sign = off >> (8 * word->size - 1);
  return sign ? (~off & mask_of(word->size)) << 1 | 1 : off << 1;
}

static uint64_t at_distance(const cl_word *before, uint64_t distance) {
  uint64_t off = distance >> 1;
  return (guess_of(before) + (distance & 1 ? ~off : off)) & mask_of(before->size);
}

static void put_distance(digits *d, uint64_t distance) {
  if (distance < LEAST_FAR) {
    put(d, NEAR + (unsigned)distance - 1);
    return;
  }
  unsigned n = length_of(distance -= LEAST_FAR);
  if (n < FEWEST_DIGITS) n = FEWEST_DIGITS;
  bool many = n - FEWEST_DIGITS >= MANY - FAR;
  put(d, many ? MANY : FAR + n - FEWEST_DIGITS);
  if (many) put(d, n - 1);
  put_digits(d, distance, n);
}

static uint64_t take_distance(digits *d, unsigned code) {
  if (code < FAR) return code - NEAR + 1;
  unsigned n = code == MANY ? take(d) + 1 : code - FAR + FEWEST_DIGITS;
  return take_digits(d, n) + LEAST_FAR;
}

// Writes a new word without its low zero digits: most doubles have many. In place of a size, AGAIN
// means that this many words equal the one before them.
enum { AGAIN, MOST_AGAIN = 64 };

static void put_new(digits *d, const cl_word *word) {
  unsigned n = 2u * word->size, zeros = 0;
  while (zeros + 1 < n && !(word->value >> 4 * zeros & 15)) zeros++;
  put(d, word->size);
  put(d, zeros);
  put_digits(d, word->value >> 4 * zeros, n - zeros);
}

static cl_word take_new(digits *d, unsigned size) {
  unsigned zeros = take(d), n = 2 * size;
  bool right = (size == 1 || size == 4 || size == 8) && zeros < n;
  if (!cl_archive_check(d->a, right)) return (cl_word){.size = 1};
  return (cl_word){.value = take_digits(d, n - zeros) << 4 * zeros, .size = (uint8_t)size};
}

// ---- keys -------------------------------------------------------------------------------------

static size_t hash_of(const cl_delta *d, uint64_t key) {
  return (size_t)cl_hash_end(key) & (d->table_size - 1);
}

// Fills the table with the keys of the previous version: open addressing, at most half full.
static cl_status make_table(cl_delta *d) {
  size_t keys = 1, size = 2;
  for (size_t i = 0; i < d->before_count; i++) keys += d->before[i].key != 0;
  while (size < 2 * keys) size *= 2;
  cl_status status = CL_RESERVE(&d->alloc, d->table, d->table_cap, size);
  if (status != CL_OK) return status;
  d->table_size = size;
  memset(d->table, 0xff, size * sizeof *d->table);
  for (size_t i = 0; i < d->before_count; i++) {
    if (d->before[i].key == 0) continue;
    size_t at = hash_of(d, d->before[i].key);
    while (d->table[at] != UINT32_MAX) at = (at + 1) & (size - 1);
    d->table[at] = (uint32_t)i;
  }
  return CL_OK;
}

// Where the previous version has a key, from word k on; UINT32_MAX if it does not.
static uint32_t find_key(const cl_delta *d, uint64_t key, size_t k) {
  uint32_t found;
  for (size_t at = hash_of(d, key);; at = (at + 1) & (d->table_size - 1)) {
    found = d->table[at];
    if (found == UINT32_MAX || (found >= k && d->before[found].key == key)) return found;
  }
}

// ---- versions ---------------------------------------------------------------------------------

void cl_delta_free(cl_delta *d) {
  CL_FREE(&d->alloc, d->now, d->now_cap);
  CL_FREE(&d->alloc, d->before, d->before_cap);
  CL_FREE(&d->alloc, d->table, d->table_cap);
  *d = (cl_delta){.alloc = d->alloc};
}

// The present version becomes the one before; the next is empty.
static void advance(cl_delta *d) {
  cl_word *words = d->before;
  size_t cap = d->before_cap;
  d->before = d->now, d->before_cap = d->now_cap, d->before_count = d->count;
  d->now = words, d->now_cap = cap, d->count = 0;
}

// A run not yet written: how many words are as guessed, or how many new ones equal the last.
typedef struct waiting {
  size_t right, again;
} waiting;

static void put_waiting(digits *to, waiting *w) {
  if (w->right == 1) put(to, RIGHT);
  if (w->right > 1) put(to, ALL_RIGHT);
  if (w->right > 1) put_count(to, w->right - 2);
  if (w->again > 0) put(to, NEW);
  if (w->again > 0) put(to, AGAIN);
  if (w->again > 0) put_count(to, w->again - 1);
  *w = (waiting){0, 0};
}

// Writes word i as a new one.
static void put_fresh(const cl_delta *d, size_t i, digits *to, waiting *w) {
  const cl_word *word = &d->now[i];
  bool again = i > 0 && word[-1].size == word->size && word[-1].value == word->value;
  if (w->right > 0 || w->again == MOST_AGAIN || !again) put_waiting(to, w);
  w->again += again;
  if (again) return;
  put(to, NEW);
  put_new(to, word);
}

static void put_words(cl_delta *d, digits *to) {
  size_t k = 0;
  bool fresh = false; // the present thing is new
  waiting w = {0};
  put_count(to, d->count);
  for (size_t i = 0; i < d->count; i++) {
    cl_word *word = &d->now[i];
    uint32_t found = word->key ? find_key(d, word->key, k) : UINT32_MAX;
    if (word->key) fresh = found == UINT32_MAX;
    if (word->key && !fresh && found > k) {
      put_waiting(to, &w);
      put(to, GONE);
      put_count(to, found - k - 1);
      k = found;
    }
    const cl_word *before = k < d->before_count ? &d->before[k] : NULL;
    if (fresh || !before || before->size != word->size || before->key != word->key) {
      put_fresh(d, i, to, &w);
      continue;
    }
    uint64_t distance = distance_of(before, word);
    word->change = word->value - before->value;
    if (distance > 0 || w.again > 0) put_waiting(to, &w);
    w.right += distance == 0;
    if (distance > 0) put_distance(to, distance);
    k++;
  }
  put_waiting(to, &w);
  if (to->half) put(to, 0);
}

void cl_delta_write(cl_delta *d, const cl_archive *from, cl_archive *to) {
  advance(d);
  cl_archive_note(to, from->status);
  cl_archive_note(to, CL_RESERVE(&d->alloc, d->now, d->now_cap, from->words));
  if (cl_archive_note(to, make_table(d)) == false) return;
  cl_archive words = {.reading = true, .next = from->at, .left = from->count};
  for (d->count = 0; d->count < from->words; d->count++) {
    cl_taped t = from->tape[d->count];
    d->now[d->count] = (cl_word){cl_read_bits(&words, t.size), 0, t.key, t.size};
  }
  put_words(d, &(digits){.a = to});
  if (to->status != CL_OK) d->count = 0;
}

static void add_word(cl_delta *d, cl_word word, cl_archive *to) {
  cl_archive_note(to, CL_RESERVE(&d->alloc, d->now, d->now_cap, d->count + 1));
  if (to->status != CL_OK) return;
  d->now[d->count++] = word;
  cl_write_bits(to, word.value, word.size);
}

// Reads a new word, or several.
static void read_new(cl_delta *d, digits *in, uint64_t room, cl_archive *to) {
  unsigned size = take(in);
  uint64_t n = size == AGAIN ? take_count(in) + 1 : 1;
  bool right = n <= MOST_AGAIN && n <= room && (size != AGAIN || d->count > 0);
  if (!cl_archive_check(in->a, right)) return;
  cl_word word = size == AGAIN ? d->now[d->count - 1] : take_new(in, size);
  word.change = 0;
  for (uint64_t i = 0; i < n; i++) add_word(d, word, to);
}

void cl_delta_read(cl_delta *d, cl_archive *from, cl_archive *to) {
  digits in = {.a = from};
  advance(d);
  uint64_t count = take_count(&in), left;
  for (size_t k = 0; d->count < count && from->status == CL_OK && to->status == CL_OK;) {
    unsigned code = take(&in);
    left = d->before_count - k;
    if (code == NEW) {
      read_new(d, &in, count - d->count, to);
      continue;
    }
    uint64_t n = code == GONE ? take_count(&in) + 1 : code == ALL_RIGHT ? take_count(&in) + 2 : 1;
    if (!cl_archive_check(from, n <= left && (code == GONE || n <= count - d->count))) break;
    uint64_t distance = code == GONE || code <= ALL_RIGHT ? 0 : take_distance(&in, code);
    for (uint64_t i = 0; i < n && code != GONE; i++) {
      const cl_word *before = &d->before[k + i];
      uint64_t value = at_distance(before, distance);
      add_word(d, (cl_word){value, value - before->value, 0, before->size}, to);
    }
    k += n;
  }
  cl_archive_note(to, from->status);
  if (to->status != CL_OK) d->count = 0;
}
