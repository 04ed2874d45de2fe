// collide, MIT licence (see LICENSE)
//
// Lasers: capsules along a polyline, relative to its first point. A pool has few.
// Layer: bullets.

#include "geom/shape.h"
#include "bullets/hash.h"

// The capsules of a polyline, as one shape.
static cl_status make_shape(const cl_alloc *alloc, const cl_laser_def *def, double radius,
                            cl_shape **out) {
  const double *p = def->xy;
  uint32_t count = def->count < 2 ? 1 : def->count - 1;
  cl_shape **member = cl_new_array(alloc, count, sizeof *member);
  if (!member) return CL_NOMEM;
  cl_status status = CL_OK;
  for (uint32_t i = 0; i < count && status == CL_OK; i++) {
    size_t from = 2 * (size_t)i, to = def->count < 2 ? 0 : from + 2;
    status = cl_shape_capsule(alloc, p[from] - p[0], p[from + 1] - p[1], p[to] - p[0],
                              p[to + 1] - p[1], radius, &member[i]);
  }
  if (status == CL_OK && count > 1) {
    status = cl_shape_compound(alloc, member, count, out);
  } else if (status == CL_OK) {
    *out = member[0];
    cl_shape_retain(*out);
  }
  for (uint32_t i = 0; i < count; i++) {
    if (member[i]) cl_shape_release(member[i]);
  }
  CL_FREE(alloc, member, count);
  return status;
}

cl_status cl_laser_make_shapes(const cl_alloc *alloc, const cl_bullets_def *pool,
                               const cl_laser_def *def, cl_laser *laser) {
  double radius = def->width / 2, further = pool->graze - pool->radius;
  cl_status status = make_shape(alloc, def, radius, &laser->shape);
  if (status != CL_OK || pool->graze == 0) return status;
  status = make_shape(alloc, def, radius + further, &laser->graze);
  if (status != CL_OK) {
    cl_shape_release(laser->shape);
    laser->shape = NULL;
  }
  return status;
}

cl_status cl_bullets_spawn_laser(cl_bullets *pool, const cl_laser_def *def, uint64_t *number) {
  assert(!pool->pools->stepping);
  assert(def->count >= 1 && def->width > 0 && def->warmup >= 0 && def->lifetime > 0);
  *number = 0;
  if (pool->live >= pool->most) return CL_OK;
  cl_status status =
      CL_RESERVE(&pool->pools->alloc, pool->laser, pool->laser_cap, (size_t)pool->laser_used + 1);
  if (status != CL_OK) return status;
  cl_laser laser = {
      .at = {.x = def->xy[0], .y = def->xy[1], .radius = def->width / 2, .tag = def->tag},
      .warmup = def->warmup,
      .lifetime = def->lifetime,
  };
  status = cl_laser_make_shapes(&pool->pools->alloc, &pool->def, def, &laser);
  if (status != CL_OK) return status;
  *number = laser.number = (uint64_t)(*pool->last += 1);
  pool->laser[pool->laser_used++] = laser;
  pool->lasers++;
  pool->most--;
  return CL_OK;
}

uint32_t cl_bullets_lower_laser(const cl_bullets *pool, uint64_t number) {
  uint32_t low = 0, high = pool->laser_used;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (pool->laser[middle].number < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

cl_laser *cl_bullets_laser(const cl_bullets *pool, uint64_t number) {
  uint32_t k = cl_bullets_lower_laser(pool, number);
  if (k == pool->laser_used || pool->laser[k].number != number) return NULL;
  return pool->laser[k].shape ? &pool->laser[k] : NULL;
}

uint64_t cl_bullets_next_laser(const cl_bullets *pool, uint64_t after, cl_laser_place *out) {
  uint32_t k = cl_bullets_lower_laser(pool, after + 1);
  while (k < pool->laser_used && !pool->laser[k].shape) k++;
  if (k == pool->laser_used) return 0;
  const cl_laser *laser = &pool->laser[k];
  *out = (cl_laser_place){laser->shape, laser->at.x, laser->at.y, laser->at.age >= laser->warmup};
  return laser->number;
}

cl_laser cl_laser_copy(const cl_laser *laser) {
  cl_shape_retain(laser->shape);
  if (laser->graze) cl_shape_retain(laser->graze);
  return *laser;
}

void cl_laser_release_shapes(cl_laser *laser) {
  if (laser->shape) cl_shape_release(laser->shape);
  if (laser->graze) cl_shape_release(laser->graze);
  laser->shape = laser->graze = NULL;
}

static void close_gaps(cl_bullets *pool) {
  uint32_t to = 0;
  for (uint32_t from = 0; from < pool->laser_used; from++) {
    if (pool->laser[from].shape) pool->laser[to++] = pool->laser[from];
  }
  pool->pools->work += pool->laser_used;
  pool->laser_used = to;
}

void cl_bullets_kill_laser(cl_bullets *pool, cl_laser *laser) {
  cl_bullets_note_laser(pool, laser);
  cl_laser_release_shapes(laser);
  pool->lasers--;
  pool->most++;
  if (pool->laser_used - pool->lasers > pool->lasers) close_gaps(pool);
}

void cl_bullets_kill_lasers(cl_bullets *pool) {
  for (uint32_t k = 0; k < pool->laser_used; k++) cl_laser_release_shapes(&pool->laser[k]);
  pool->most += pool->lasers;
  pool->lasers = pool->laser_used = 0;
}
