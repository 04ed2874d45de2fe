// collide, MIT licence (see LICENSE)
//
// An allocator for tests. It checks that every block is freed with the size of its request and that
// nothing was written beyond it, moves a block whenever its size changes and overwrites the old
// one, counts the memory in use, and runs out of memory on demand.

#ifndef CL_SPEC_CHECKED_ALLOC_H
#define CL_SPEC_CHECKED_ALLOC_H

#include "test.h"

#include "base/alloc.h"

typedef struct heap {
  uint64_t state; // a separate random source, so that failures do not change the play
  int one_in;     // one in so many requests fails; 0: none
  long allowed;   // after this many requests all fail; below 0: never
  size_t bytes;   // in use now
  long blocks;
  long requests, refused, mistakes;
} heap;

// Before each block, at a distance that keeps it aligned for any type.
typedef struct heap_head {
  size_t size;
  uint64_t mark;
} heap_head;

// After it are guard bytes; a sanitizer detects more without them.
#ifdef __SANITIZE_ADDRESS__
enum { HEAP_ROOM = 64, HEAP_FENCE = 0 };
#else
enum { HEAP_ROOM = 64, HEAP_FENCE = 16 };
#endif
enum { HEAP_NEW = 0xa5, HEAP_OLD = 0xdd };
#define HEAP_MARK UINT64_C(0x636f6c6c696465)

static inline bool heap_refuses(heap *h) {
  h->requests++;
  bool refuses = h->allowed == 0;
  if (h->allowed > 0) h->allowed--;
  h->state = h->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  if (h->one_in > 0 && (h->state >> 33) % (unsigned)h->one_in == 0) refuses = true;
  h->refused += refuses;
  return refuses;
}

static inline void heap_give_back(heap *h, unsigned char *start, size_t size) {
  const unsigned char *fence = start + HEAP_ROOM + size;
  for (int i = 0; i < HEAP_FENCE; i++) h->mistakes += fence[i] != HEAP_NEW;
  h->bytes -= size;
  h->blocks--;
  memset(start, HEAP_OLD, HEAP_ROOM + size);
  free(start);
}

static inline void *heap_resize(void *user, void *p, size_t old, size_t size) {
  heap *h = user;
  unsigned char *start = p ? (unsigned char *)p - HEAP_ROOM : NULL;
  heap_head head = {0, HEAP_MARK};
  if (p) memcpy(&head, start, sizeof head);
  if (head.size != old || head.mark != HEAP_MARK || (size == 0 && !p)) h->mistakes++;
  if (size == 0) {
    if (p) heap_give_back(h, start, head.size);
    return NULL;
  }
  if (size > head.size && heap_refuses(h)) return NULL;
  unsigned char *fresh = malloc(HEAP_ROOM + size + HEAP_FENCE);
  if (!fresh) return NULL;
  memset(fresh, HEAP_NEW, HEAP_ROOM + size + HEAP_FENCE);
  if (p) memcpy(fresh + HEAP_ROOM, p, head.size < size ? head.size : size);
  if (p) heap_give_back(h, start, head.size);
  memcpy(fresh, &(heap_head){size, HEAP_MARK}, sizeof head);
  h->bytes += size;
  h->blocks++;
  return fresh + HEAP_ROOM;
}

// A heap that never runs out of memory.
static inline heap heap_new(void) { return (heap){.state = test_bits(), .allowed = -1}; }

static inline cl_alloc heap_alloc(heap *h) { return (cl_alloc){heap_resize, h}; }

// No memory is in use, every size was right, and no block was overrun.
#define CHECK_HEAP_EMPTY(h)                                                                        \
  CHECK_MSG((h).bytes == 0 && (h).blocks == 0 && (h).mistakes == 0,                                \
            "%zu bytes in %ld blocks are out, %ld mistakes", (h).bytes, (h).blocks, (h).mistakes)

#endif
