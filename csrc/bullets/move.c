// collide, MIT licence (see LICENSE)
//
// Moves all bullets of a pool, and selects the few that need exact tests. Layer: bullets.

#include "bullets/state.h"

#include "bullets/sieve.h"

static double last_age(const cl_bullets *pool) {
  return pool->def.lifetime * (1 - CL_LIFETIME_ERROR);
}

bool cl_bullets_ends(const cl_bullets *pool, cl_vec at, double age) {
  cl_bounds b = pool->def.bounds;
  return !(at.x >= b.l && at.x <= b.r && at.y >= b.t && at.y <= b.b) ||
         (pool->ages && age >= last_age(pool));
}

double cl_bullets_pace(const cl_bullets *pool, double dt) {
  enum { SAMPLES = 64 };
  uint32_t every = pool->used / SAMPLES + 1;
  double most = 0;
  for (uint32_t i = 0; i < pool->used; i += every) {
    most = cl_max(most, cl_max(fabs(pool->vx[i]), fabs(pool->vy[i])));
  }
  return most * dt;
}

static void move_block(const cl_bullets *pool, uint32_t from, uint32_t to, double dt) {
  const double *x = pool->x, *y = pool->y, *vx = pool->vx, *vy = pool->vy;
  double *next_x = pool->next_x, *next_y = pool->next_y;
  if (pool->accelerates) {
    const double *ax = pool->ax, *ay = pool->ay;
    double half = dt * dt / 2;
    for (uint32_t i = from; i < to; i++) {
      next_x[i] = x[i] + (vx[i] * dt + ax[i] * half);
      next_y[i] = y[i] + (vy[i] * dt + ay[i] * half);
    }
    return;
  }
  for (uint32_t i = from; i < to; i++) {
    next_x[i] = x[i] + vx[i] * dt;
    next_y[i] = y[i] + vy[i] * dt;
  }
}

uint32_t cl_bullets_too_old(const cl_bullets *pool, double dt) {
  double last = last_age(pool);
  uint32_t n = 0;
  while (pool->ages && n < pool->used && pool->age[n] + dt >= last) n++;
  return n;
}

uint32_t cl_bullets_move(const cl_bullets *pool, double dt, const cl_nearby *f, uint32_t from,
                         uint32_t to, uint32_t old, uint32_t *out) {
  const cl_sieve s = {pool, f, pool->def.bounds};
  uint32_t n = 0;
  move_block(pool, from, to, dt);
  while (from < to && from < old) out[n++] = from++;
  return n + cl_sift_best()(&s, from, to, out + n);
}

void cl_bullets_move_lasers(cl_bullets *pool, double dt) {
  double half = dt * dt / 2;
  for (uint32_t k = 0; k < pool->laser_used; k++) {
    cl_laser *laser = &pool->laser[k];
    laser->next_x = laser->at.x + (laser->at.vx * dt + laser->at.ax * half);
    laser->next_y = laser->at.y + (laser->at.vy * dt + laser->at.ay * half);
  }
}

uint32_t cl_bullets_pick(const cl_bullets *pool, const cl_nearby *f, uint32_t *out) {
  const cl_bounds everywhere = {-INFINITY, -INFINITY, INFINITY, INFINITY};
  const cl_sieve s = {pool, f, everywhere};
  return cl_sift_best()(&s, 0, pool->used, out);
}
