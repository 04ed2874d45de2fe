// collide, MIT licence (see LICENSE)
//
// Asking a world what lies where: as of the last step, but with what was added,
// refreshed or removed since. Touching counts everywhere. Layer: world.

#ifndef CL_WORLD_QUERIES_H
#define CL_WORLD_QUERIES_H

#include "narrow/cast.h"
#include "world/world.h"

/// Whom a query is about: bit g of `groups` for group g; never the actors of the
/// `count` slots `ignored`, which are in ascending order.
typedef struct cl_filter {
  uint64_t groups;
  const uint32_t *ignored;
  size_t count;
} cl_filter;

/// One of a query's answers. `distance` is set by cl_world_nearest (world units),
/// `cast` by the casts.
typedef struct cl_answer {
  uint32_t slot;
  double distance;
  cl_cast cast;
} cl_answer;

/// Answers belong to the world, until the next query. All functions return CL_OK
/// or CL_NOMEM; then they have written nothing.
typedef struct cl_answers {
  const cl_answer *at;
  size_t count;
} cl_answers;

/// All actors that hold the point, or overlap or touch `with`, in the order of
/// adding.
cl_status cl_world_query_point(cl_world *world, double x, double y, cl_filter filter,
                               cl_answers *out);
cl_status cl_world_query_shape(cl_world *world, const cl_placed *with, cl_filter filter,
                               cl_answers *out);

/// All actors whose bounds may touch the box, in the order of adding.
cl_status cl_world_query_bounds(cl_world *world, cl_bounds box, cl_filter filter, cl_answers *out);

/// The `most` actors with the least distance of their shape from a point, the
/// nearest first, of equally near ones the one added earlier.
cl_status cl_world_nearest(cl_world *world, double x, double y, size_t most, cl_filter filter,
                           cl_answers *out);

/// The first actor on a straight way, of several at once the one added earliest;
/// or with `all` every one, in that order. A ray goes from (x1, y1) to (x2, y2);
/// with `mover` that goes by the way between the two, from where it stands.
typedef struct cl_path {
  double x1, y1, x2, y2;
  const cl_placed *mover;
} cl_path;
cl_status cl_world_cast(cl_world *world, const cl_path *path, bool all, cl_filter filter,
                        cl_answers *out);

#endif
