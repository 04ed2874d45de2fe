// collide, MIT licence (see LICENSE)
//
// Every box against every other: slow, and so short that it is plainly right. The
// other broad phases are checked against it. Layer: broad.

#include "broad/check.h"
#include "geom/box.h"

static cl_broad *brute_open(const cl_broad_def *def) {
  cl_broad *brute = cl_new(&def->alloc, sizeof *brute);
  if (!brute) return NULL;
  *brute = (cl_broad){&cl_broad_brute, cl_broad_brute.name, def->alloc};
  return brute;
}

static void brute_close(cl_broad *brute) {
  cl_alloc alloc = brute->alloc;
  cl_free(&alloc, brute, sizeof *brute);
}

static cl_status brute_find(cl_broad *brute, const cl_broad_input *in, cl_pairs *out) {
  CL_CHECK(cl_broad_input_is_valid(in));
  for (uint32_t a = 0; a < in->count; a++) {
    for (uint32_t b = a + 1; b < in->count; b++) {
      bool touch = in->fine ? cl_bounds_touch(in->fine[a], in->fine[b])
                            : cl_fbox_touch(in->box[a], in->box[b]);
      if (!touch) continue;
      if (in->fixed && in->fixed[a] && in->fixed[b]) continue;
      cl_status status = CL_RESERVE(&brute->alloc, out->at, out->cap, out->count + 1);
      if (status != CL_OK) return status;
      out->at[out->count++] = (cl_pair){a, b};
    }
  }
  return CL_OK;
}

static size_t brute_cells(const cl_broad *brute, cl_cell *out, size_t capacity) {
  (void)brute, (void)out, (void)capacity;
  return 0;
}

const cl_broad_class cl_broad_brute = {"brute", brute_open, brute_close, NULL,
                                       NULL,    brute_find, brute_cells};
