// collide, MIT licence (see LICENSE)
//
// Versions of some bytes, each written as its difference from the one before: what a film has for
// its frames. The bytes are words of 1, 4 and 8 bytes, as an archive with a tape writes them. A
// word is guessed from that of the version before, one of 8 bytes also from how it changed there:
// doubles that change evenly are off by a unit in the last place. What has a key is compared with
// what had that key before; so nothing else is lost where something is new, or gone.
//
// What is written are digits of 4 bits, lowest first, two to a byte. First comes the count of
// words, then for each a code: how far its bits are from the guess, as a number that is small for
// small distances of either sign; or that it is new, and all of it; or how many words of the
// version before are gone. The place in the version before only rises, so what is read has at most
// as many words more than the version before as there are digits. Layer: base.

#ifndef CL_BASE_DELTA_H
#define CL_BASE_DELTA_H

#include "base/bytes.h"

typedef struct cl_word {
  uint64_t value, change; ///< its bits, and how they differ from those it was compared with
  uint64_t key;           ///< or 0; only of what is written
  uint8_t size;           ///< 1, 4 or 8 bytes
} cl_word;

/// A version, with that before it.
typedef struct cl_delta {
  cl_alloc alloc;
  cl_word *now, *before;
  size_t count, before_count, now_cap, before_cap;
  uint32_t *table; ///< of the keys of the version before: where they are, or UINT32_MAX
  size_t table_size, table_cap;
} cl_delta;

void cl_delta_free(cl_delta *d);

/// The next version does not refer to one before.
static inline void cl_delta_restart(cl_delta *d) { d->count = 0; }

/// Appends what has been written to `from`, which is taped, to `to`, as the next version. After a
/// failure of either, which `to` then has, the versions begin anew.
void cl_delta_write(cl_delta *d, const cl_archive *from, cl_archive *to);

/// Reads what that has written, and appends the bytes to `to`, where failures are noted.
void cl_delta_read(cl_delta *d, cl_archive *from, cl_archive *to);

#endif
