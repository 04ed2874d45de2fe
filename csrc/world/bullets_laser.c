// collide, MIT licence (see LICENSE)
//
// Lasers: capsules along a polyline, relative to its first point. A pool has few.
// Layer: world.

#include "geom/shape.h"
#include "world/state.h"

// The capsules of a polyline, as one shape.
static cl_status make_shape(const cl_alloc *alloc, const cl_laser_def *def, double radius,
                            cl_shape **out) {
  const double *p = def->xy;
  uint32_t count = def->count < 2 ? 1 : def->count - 1;
  cl_shape **member = cl_new(alloc, count * sizeof *member);
  if (!member) return CL_NOMEM;
  cl_status status = CL_OK;
  for (uint32_t i = 0; i < count && status == CL_OK; i++) {
    uint32_t from = 2 * i, to = def->count < 2 ? 0 : from + 2;
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

static cl_status make_shapes(const cl_bullets *pool, const cl_laser_def *def, cl_laser *laser) {
  const cl_alloc *alloc = &pool->world->alloc;
  double radius = def->width / 2, further = pool->def.graze - pool->def.radius;
  cl_status status = make_shape(alloc, def, radius, &laser->shape);
  if (status != CL_OK || pool->def.graze == 0) return status;
  status = make_shape(alloc, def, radius + further, &laser->graze);
  if (status != CL_OK) cl_shape_release(laser->shape);
  return status;
}

cl_status cl_bullets_spawn_laser(cl_bullets *pool, const cl_laser_def *def, uint64_t *number) {
  *number = 0;
  if (pool->live >= pool->most) return CL_OK;
  cl_status status =
      CL_RESERVE(&pool->world->alloc, pool->laser, pool->laser_cap, (size_t)pool->lasers + 1);
  if (status != CL_OK) return status;
  cl_laser laser = {
      .at = {.x = def->xy[0], .y = def->xy[1], .radius = def->width / 2, .tag = def->tag},
      .warmup = def->warmup,
      .lifetime = def->lifetime,
  };
  status = make_shapes(pool, def, &laser);
  if (status != CL_OK) return status;
  *number = laser.number = (uint64_t)(*pool->last += 1);
  pool->laser[pool->lasers++] = laser;
  pool->most--;
  return CL_OK;
}

cl_laser *cl_bullets_laser(const cl_bullets *pool, uint64_t number) {
  for (uint32_t k = 0; k < pool->lasers; k++) {
    if (pool->laser[k].number == number) return &pool->laser[k];
  }
  return NULL;
}

void cl_bullets_kill_laser(cl_bullets *pool, cl_laser *laser) {
  cl_shape_release(laser->shape);
  if (laser->graze) cl_shape_release(laser->graze);
  size_t at = (size_t)(laser - pool->laser);
  pool->lasers--;
  pool->most++;
  memmove(laser, laser + 1, (pool->lasers - at) * sizeof *laser);
}
