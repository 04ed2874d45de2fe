// collide, MIT licence (see LICENSE)
//
// Where structs have their fields, for a host that reads them through pointers and first compares
// its own declarations with these. Layer: base.

#ifndef CL_BASE_LAYOUT_H
#define CL_BASE_LAYOUT_H

#include "base/config.h"

/// A field of a struct: its name for the host, its type as C writes it, and its offset in bytes.
/// Lists end with a field whose name is NULL.
typedef struct cl_field {
  const char *name, *type;
  size_t at;
} cl_field;

/// The field at `path` of a struct. A wrong type does not compile.
#define CL_FIELD(structure, path, name, type)                                                      \
  {                                                                                                \
    name, #type,                                                                                   \
        offsetof(structure, path) +                                                                \
            0 * sizeof(char[_Generic(((structure *)0)->path, type : 1, default                     \
                                     : -1)])                                                       \
  }

#endif
