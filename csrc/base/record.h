// collide, MIT licence (see LICENSE)
//
// Records that are saved: one list of the fields of a record, from which its arrays are reserved,
// copied (so snapshots are taken and restored), freed, packed and unpacked, checked and compared.
// A field is in an array that a struct points to, or in the struct itself. So a row is an element
// of an array of structs, or one element of each of several arrays, or the struct:
//
//   typedef struct trail {
//     cl_vec *at;
//     uint8_t *flags;
//     size_t at_cap, flags_cap; // each array NAME has its NAME_cap
//     uint32_t count;
//     bool ended;
//   } trail;
//
//   enum { HAS_FLAGS = 1 }; // an optional field: a walk without this bit leaves it out
//   static const cl_saved trail_fields[] = {
//       {"x", CL_F64, CL_COLUMN(trail, at), offsetof(cl_vec, x), -CL_MAX_COORD, CL_MAX_COORD, 0},
//       {"y", CL_F64, CL_COLUMN(trail, at), offsetof(cl_vec, y), -CL_MAX_COORD, CL_MAX_COORD, 0},
//       {"flags", CL_BITS, CL_COLUMN(trail, flags), 0, 0, 7, HAS_FLAGS},
//       {0},
//   };
//   static const cl_saved end_fields[] = {
//       {"ended", CL_BOOL, CL_OWN, offsetof(trail, ended), 0, 0, 0},
//       {0},
//   };
//
//   t.count = cl_rows_archive(trail_fields, HAS_FLAGS, &t, t.count, a); // the count, then the rows
//   cl_row_archive(end_fields, 0, &t, 0, a);                            // its own row 0
//
// To pack only some rows, the owner writes their number, and each with cl_row_archive; to pack a
// value as another, it writes a changed copy of the row. After reading, the owner checks everything
// beyond ranges, such as an order of rows, with the function that also checks live data. Even if
// reading fails, all values are in their ranges or 0. Layer: base.

#ifndef CL_BASE_RECORD_H
#define CL_BASE_RECORD_H

#include "base/bytes.h"

/// The type of a field in memory, and how it is packed.
typedef enum cl_saved_kind {
  CL_BITS,    ///< uint8_t with no bits but those of `most`
  CL_BOOL,    ///< bool
  CL_U8,      ///< uint8_t
  CL_ENUM,    ///< uint32_t or enum, packed as a byte
  CL_SLOT,    ///< uint32_t, the slot of an actor, packed as its number; or above INT32_MAX
  CL_U32,     ///< uint32_t
  CL_SLOT_64, ///< uint64_t, like CL_SLOT
  CL_U64,     ///< uint64_t
  CL_F64,     ///< double; it and what follows are doubles
  CL_WHOLE,   ///< double that is a whole number
  CL_ANY_F64, ///< double without a range, perhaps NaN
} cl_saved_kind;

/// `at`, `cap` and `stride` are CL_COLUMN(struct, array), or CL_OWN for a field of the struct
/// itself; `offset` is where the field is in the element or the struct. `least` and `most` are the
/// range of its values in a pack; `has` is 0, or the bit of an optional field. A list ends with
/// {0}. The fields of one array follow each other.
typedef struct cl_saved {
  const char *name;
  cl_saved_kind kind;
  uint32_t at, cap, stride, offset;
  double least, most;
  unsigned has;
} cl_saved;

#define CL_COLUMN(structure, array)                                                                \
  offsetof(structure, array), offsetof(structure, array##_cap), sizeof *((structure *)0)->array
#define CL_OWN 0, 0, 0

/// Room for `count` rows in the arrays. CL_NOMEM: the contents are unchanged.
cl_status cl_rows_reserve(const cl_saved *fields, unsigned has, const cl_alloc *alloc, void *of,
                          size_t count);
/// Copies the first `count` rows to another struct of the same type, with room.
void cl_rows_copy(const cl_saved *fields, unsigned has, void *to, const void *from, size_t count);
/// Frees the arrays.
void cl_rows_free(const cl_saved *fields, const cl_alloc *alloc, void *of);

/// How many bytes the arrays take in memory.
size_t cl_rows_bytes(const cl_saved *fields, const void *of);

/// How many bytes a row takes when packed.
size_t cl_row_size(const cl_saved *fields, unsigned has);
/// Packs or reads row `i`, field by field.
void cl_row_archive(const cl_saved *fields, unsigned has, void *of, size_t i, cl_archive *a);
/// Makes room for `count` rows to be read, of optional fields too. All are 0.
void cl_rows_make(const cl_saved *fields, void *of, uint32_t count, cl_archive *a);
/// Packs or reads the number of rows, which it returns, and makes room for rows that are read. 0 if
/// that fails.
uint32_t cl_rows_begin(const cl_saved *fields, unsigned has, void *of, uint32_t count,
                       cl_archive *a);
/// The same with the rows.
uint32_t cl_rows_archive(const cl_saved *fields, unsigned has, void *of, uint32_t count,
                         cl_archive *a);
/// The same rows array by array: the first field of all rows, then the second, and without a count.
/// There is room for what is read. On a tape, `a->rows` has the key of each row.
void cl_columns_archive(const cl_saved *fields, unsigned has, void *of, uint32_t count,
                        cl_archive *a);

/// Whether all values are in their ranges.
bool cl_row_is_valid(const cl_saved *fields, unsigned has, const void *of, size_t i);

/// A difference: whose field it is, its name, and both values.
typedef struct cl_difference {
  double subject[3];
  const char *name;
  double values[2];
} cl_difference;

/// A row of some arrays. Whether two rows differ; writes the name and values of the first field
/// that does. Slots are compared by the numbers of their actors, if `number` has these by slot.
typedef struct cl_row {
  const void *of;
  size_t i;
  const uint32_t *number;
} cl_row;
bool cl_row_differ(const cl_saved *fields, unsigned has, cl_row a, cl_row b, cl_difference *out);

#endif
