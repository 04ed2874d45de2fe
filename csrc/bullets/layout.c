// collide, MIT licence (see LICENSE)
//
// The fields of a pool that lua/collide/ffi/spawn.lua reads and writes. Layer: bullets.

#include "bullets/layout.h"

#include "bullets/state.h"

const cl_field cl_bullets_layout[] = {
#define FIELD(type, name) CL_FIELD(cl_bullets, name, #name, type *),
    CL_BULLET_FIELDS(FIELD)
#undef FIELD
        CL_FIELD(cl_bullets, used, "used", uint32_t),
    CL_FIELD(cl_bullets, live, "live", uint32_t),
    CL_FIELD(cl_bullets, cap, "cap", uint32_t),
    CL_FIELD(cl_bullets, most, "most", uint32_t),
    CL_FIELD(cl_bullets, radius_new, "radius_new", double),
    CL_FIELD(cl_bullets, last, "last", double *),
    CL_FIELD(cl_bullets, clock, "clock", double),
    CL_FIELD(cl_bullets, accelerates, "accelerates", bool),
    CL_FIELD(cl_bullets, survives, "survives", bool),
    {NULL, NULL, 0},
};
