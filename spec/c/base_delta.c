// collide, MIT licence (see LICENSE)
//
// Versions of bytes stored as differences (base/delta.h): each is read as it was written, things
// may come, go and change their length, and arbitrary bytes are never read beyond their end.

#include "checked_alloc.h"

#include "base/delta.h"

enum { THINGS = 60, VERSIONS = 30 };

// A thing: a key, words of every size, and the length of its text.
typedef struct thing {
  bool is;
  double x, vx;
  uint32_t id;
  uint8_t length;
} thing;

static void change(thing *t) {
  for (int i = 0; i < THINGS; i++) {
    if (test_int(1, 12) == 1) t[i].is = !t[i].is;
    if (test_int(1, 9) == 1) t[i].vx = test_uniform(-1e3, 1e3);
    if (test_int(1, 9) == 1) t[i].length = (uint8_t)test_int(0, 8);
    if (test_int(1, 20) == 1) t[i].id = (uint32_t)test_bits();
    t[i].x = test_int(1, 50) == 1 ? (double)test_bits() : t[i].x + t[i].vx;
  }
}

static void write_things(cl_archive *a, const thing *t) {
  static const char text[] = "a text of letters";
  uint32_t count = 0;
  for (int i = 0; i < THINGS; i++) count += t[i].is;
  cl_archive_count(a, count, 1);
  for (int i = 0; i < THINGS; i++) {
    thing one = t[i];
    if (!one.is) continue;
    cl_archive_key(a, CL_ACTORS, (uint64_t)i);
    cl_archive_f64(a, &one.x);
    cl_archive_u32(a, &one.id);
    cl_archive_u8(a, &one.length);
    cl_write_bytes(a, text, one.length);
  }
  cl_archive_key(a, CL_ENDED, CL_ACTORS);
  cl_archive_count(a, count, 1);
}

static void clear(cl_archive *a) {
  CL_FREE(&a->alloc, a->at, a->cap);
  CL_FREE(&a->alloc, a->tape, a->tape_cap);
  *a = (cl_archive){.alloc = a->alloc, .taped = a->taped};
}

typedef struct player {
  thing t[THINGS];
  cl_delta to, from;
  cl_archive plain, packed, again;
} player;

static void begin(player *p, heap *h) {
  cl_alloc alloc = heap_alloc(h);
  *p =
      (player){.to.alloc = alloc, .from.alloc = alloc, .plain.alloc = alloc, .packed.alloc = alloc};
  p->again.alloc = alloc;
  p->plain.taped = true;
}

static void end(player *p) {
  clear(&p->plain), clear(&p->packed), clear(&p->again);
  cl_delta_free(&p->to), cl_delta_free(&p->from);
}

static void write_version(player *p) {
  clear(&p->plain), clear(&p->packed), clear(&p->again);
  write_things(&p->plain, p->t);
  cl_delta_write(&p->to, &p->plain, &p->packed);
}

static void write_next(player *p) {
  change(p->t);
  write_version(p);
}

static void versions_return(void) {
  size_t plain = 0, packed = 0;
  heap h = heap_new();
  for (long round = test_rounds(200); round > 0; round--) {
    player p;
    begin(&p, &h);
    for (int v = 0; v < VERSIONS; v++) {
      if (test_int(1, 10) == 1) cl_delta_restart(&p.to), cl_delta_restart(&p.from);
      write_next(&p);
      cl_archive in = {.reading = true, .next = p.packed.at, .left = p.packed.count};
      cl_delta_read(&p.from, &in, &p.again);
      CHECK(p.packed.status == CL_OK && p.again.status == CL_OK && in.left == 0);
      CHECK(p.again.count == p.plain.count);
      CHECK(memcmp(p.again.at, p.plain.at, p.plain.count) == 0);
      plain += p.plain.count, packed += p.packed.count;
    }
    end(&p);
  }
  CHECK_HEAP_EMPTY(h);
  CHECK(packed < plain);
}

// A thing that gets a word more leaves those after it as they were, so that they take no bytes.
static void a_word_more_is_one_word(void) {
  heap h = heap_new();
  player p;
  begin(&p, &h);
  for (int i = 0; i < THINGS; i++)
    p.t[i] = (thing){.is = true, .x = i + 0.1, .id = (uint32_t)i, .length = 3};
  write_version(&p);
  p.t[5].length++;
  write_version(&p);
  CHECK_MSG(p.packed.count < 12, "%zu bytes", p.packed.count);
  end(&p);
  CHECK_HEAP_EMPTY(h);
}

// The input begins with a count of words. A run of words beyond it is an error: here there is one
// word, which two more equal.
static void a_run_beyond_the_count_is_refused(void) {
  enum { NEW = 14, AGAIN = 0 };
  heap h = heap_new();
  for (uint8_t count = 2; count <= 3; count++) {
    const uint8_t bytes[] = {count | NEW << 4, 1 | 0 << 4, 5 | 6 << 4, NEW | AGAIN << 4, 1};
    cl_delta d = {.alloc = heap_alloc(&h)};
    cl_archive in = {.reading = true, .next = bytes, .left = sizeof bytes};
    cl_archive out = {.alloc = d.alloc};
    cl_delta_read(&d, &in, &out);
    CHECK((out.status == CL_OK) == (count == 3));
    CHECK(d.count == (count == 3 ? 3 : 0));
    clear(&out);
    cl_delta_free(&d);
  }
  CHECK_HEAP_EMPTY(h);
}

// The previous version and the size of the input limit how much is read.
static void anything_is_read(void) {
  heap h = heap_new();
  for (long round = test_rounds(3000); round > 0; round--) {
    player p;
    begin(&p, &h);
    for (int v = 0; v < 4; v++) {
      size_t before = p.from.count;
      write_next(&p);
      for (int i = test_int(0, 2); i > 0 && p.packed.count > 0; i--) {
        p.packed.at[test_int(0, (int)p.packed.count - 1)] = (uint8_t)test_bits();
      }
      size_t size =
          p.packed.count - (test_int(1, 4) == 1 ? (size_t)test_int(0, (int)p.packed.count) : 0);
      uint8_t *copy = malloc(size + 1); // so that memory checkers notice reads beyond it
      memcpy(copy, p.packed.at, size);
      cl_archive in = {.reading = true, .next = copy, .left = size};
      cl_delta_read(&p.from, &in, &p.again);
      CHECK(p.again.status == CL_OK || p.from.count == 0);
      CHECK(p.from.count <= before + 128 * size);
      free(copy);
    }
    end(&p);
  }
  CHECK_HEAP_EMPTY(h);
}

// Without memory the versions start over, on both sides.
static void memory_may_run_out(void) {
  heap h = heap_new();
  long failed = 0;
  for (long round = test_rounds(300); round > 0; round--) {
    player p;
    begin(&p, &h);
    for (int v = 0; v < 8; v++) {
      h.one_in = 40;
      write_next(&p);
      if (p.packed.status == CL_OK) {
        cl_archive in = {.reading = true, .next = p.packed.at, .left = p.packed.count};
        cl_delta_read(&p.from, &in, &p.again);
      }
      h.one_in = 0;
      bool fails = p.packed.status != CL_OK || p.again.status != CL_OK;
      CHECK(fails || memcmp(p.again.at, p.plain.at, p.plain.count) == 0);
      failed += fails;
      if (fails) cl_delta_restart(&p.to), cl_delta_restart(&p.from);
    }
    end(&p);
  }
  CHECK(failed > 0);
  CHECK_HEAP_EMPTY(h);
}

int main(void) {
  RUN(versions_return);
  RUN(a_word_more_is_one_word);
  RUN(a_run_beyond_the_count_is_refused);
  RUN(anything_is_read);
  RUN(memory_may_run_out);
  return test_end();
}
