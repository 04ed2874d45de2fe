// collide, MIT licence (see LICENSE)
//
// Frees the lists of contacts. Layer: world.

#include "world/contact_list.h"

static void free_links(cl_links *links, const cl_alloc *alloc) {
  CL_FREE(alloc, links->pair, links->pair_cap);
  CL_FREE(alloc, links->bits, links->bits_cap);
}

void cl_contact_list_free(cl_contact_list *contacts, const cl_alloc *alloc) {
  free_links(&contacts->now, alloc);
  free_links(&contacts->ended, alloc);
  free_links(&contacts->spare, alloc);
  CL_FREE(alloc, contacts->hit, contacts->hit_cap);
  CL_FREE(alloc, contacts->event, contacts->event_cap);
  CL_FREE(alloc, contacts->deaf, contacts->deaf_cap);
}
