// collide, MIT licence (see LICENSE)
//
// Versions of some bytes, each written as its difference from the previous one. A film stores its
// frames in this form. The bytes are words of 1, 4 and 8 bytes, as an archive with a tape writes
// them. Each word is guessed from its word in the previous version. For 8 bytes the guess adds the
// last change, so doubles that change evenly are off by a unit in the last place. A thing with a
// key is compared with the previous thing of that key, so a new or removed thing costs only its own
// words.
//
// The output is digits of 4 bits, lowest first, two to a byte. It begins with the count of words.
// Then each word has a code: its distance from the guess, which is small for small distances of
// either sign; or that it is new, followed by the word; or how many words of the previous version
// are gone. The reader only moves forward in the previous version. A digit adds at most 64 words
// that the previous version does not have, so damaged input cannot take much memory. Layer: base.

#ifndef CL_BASE_DELTA_H
#define CL_BASE_DELTA_H

#include "base/bytes.h"

typedef struct cl_word {
  uint64_t value, change; ///< its bits, and how they differ from those it was compared with
  uint64_t key;           ///< or 0; only when writing
  uint8_t size;           ///< 1, 4 or 8 bytes
} cl_word;

/// A version, with the previous one.
typedef struct cl_delta {
  cl_alloc alloc;
  cl_word *now, *before;
  size_t count, before_count, now_cap, before_cap;
  uint32_t *table; ///< where the keys of the previous version are, or UINT32_MAX
  size_t table_size, table_cap;
} cl_delta;

void cl_delta_free(cl_delta *d);

/// The next version does not refer to a previous one.
static inline void cl_delta_restart(cl_delta *d) { d->count = 0; }

/// Appends the contents of `from`, which is taped, to `to` as the next version. If either has
/// failed, `to` has that status, and the versions start over.
void cl_delta_write(cl_delta *d, const cl_archive *from, cl_archive *to);

/// Reads a version that cl_delta_write wrote, and appends its bytes to `to`, which also gets the
/// status of a failure.
void cl_delta_read(cl_delta *d, cl_archive *from, cl_archive *to);

#endif
