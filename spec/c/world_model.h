// collide, MIT licence (see LICENSE)
//
// A reference model of a world's step, written only from the rules: every pair is tested, every
// direction of a pair is kept in a list, and the calls are returned one by one, so that anything
// may happen between two of them.
//
// A member is one membership of an actor in the world, identified by its number in the order of
// adding: an actor that is removed and added again is a new member.

#ifndef CL_SPEC_WORLD_MODEL_H
#define CL_SPEC_WORLD_MODEL_H

#include "test.h"
#include "geom/box.h"
#include "geom/shape.h"
#include "narrow/motion.h"
#include "world/state.h"

enum { MAX_MEMBERS = 1200, MAX_RULES = 200, MAX_MEETINGS = 4000, MAX_TOLD = 4000 };
enum { MAX_NAMINGS = 100 };

typedef struct place {
  double x, y, angle;
} place;

typedef struct member {
  bool present, fixed, swept;
  cl_shape *shape;
  place game; // its place in the game
  place at;   // its place when it was last read
  place from; // its place before that, unless it has jumped since
  bool moved; // a move has moved it since then, from `start`
  place start;
  uint8_t group;
  uint8_t wants, event_mask; // CL_EVENT_ bits: the methods it has, and those it had when last read
  uint8_t unread;
} member;

typedef struct meeting {
  int a, b;
  cl_hit hit;
  double t;                  // if they have met only on their way, else -1
  bool a_is_told, b_is_told; // by the rules of the step
} meeting;

// `self` got `enter` about `other`; `ended`: the contact has ended since.
typedef struct told {
  int self, other;
  bool ended;
} told;

typedef struct call {
  uint8_t what; // one CL_EVENT_ bit
  int self, other;
  cl_hit hit; // how `self` gets free
  double t;
} call;

typedef struct rule {
  unsigned a, b;
  cl_hits hits;
} rule;

// Member `a` ignores `b` by its list.
typedef struct naming {
  int a, b;
} naming;

typedef struct model {
  member member[MAX_MEMBERS];
  int members;
  naming naming[MAX_NAMINGS];
  int namings;
  rule rule[MAX_RULES];
  int rules;
  bool touching, listed;
  meeting candidate[MAX_MEETINGS], pair[MAX_MEETINGS]; // of the last step
  int candidates, pairs;
  told told[MAX_TOLD];
  int tolds;
  told leave[MAX_TOLD]; // to be called in this dispatch
  int leaves;
  int leaves_told, turn, part; // the progress of the dispatch: leaves, then pairs in four parts
                               // each
} model;

static inline bool rule_speaks_of(const rule *r, unsigned a, unsigned b) {
  return (r->a == CL_MAX_GROUPS || r->a == a) && (r->b == CL_MAX_GROUPS || r->b == b);
}

// The last rule about both groups, which decides; NULL if there is none.
static inline const rule *model_rule(const model *m, unsigned a, unsigned b) {
  for (int i = m->rules - 1; i >= 0; i--) {
    const rule *r = &m->rule[i];
    if (rule_speaks_of(r, a, b) || rule_speaks_of(r, b, a)) return r;
  }
  return NULL;
}

static inline bool model_can_hit(const model *m, unsigned a, unsigned b) {
  const rule *r = model_rule(m, a, b);
  return r ? r->hits != CL_HITS_NONE : !m->listed;
}

// Whether actors of group `self` get events about those of group `other` that they hit.
static inline bool model_is_told(const model *m, unsigned self, unsigned other) {
  const rule *r = model_rule(m, self, other);
  return !r || r->hits != CL_HITS_FIRST || rule_speaks_of(r, self, other);
}

static inline bool model_ignores(const model *m, int a, int b) {
  for (int i = 0; i < m->namings; i++) {
    const naming *n = &m->naming[i];
    if ((n->a == a && n->b == b) || (n->a == b && n->b == a)) return true;
  }
  return false;
}

// Empties a member's list of ignored ones; if it was removed, also removes it from the other lists.
static inline void model_forget_names(model *m, int id, bool removed) {
  int n = 0;
  for (int i = 0; i < m->namings; i++) {
    m->naming[n] = m->naming[i];
    n += m->naming[i].a != id && !(removed && m->naming[i].b == id);
  }
  m->namings = n;
}

static inline cl_placed placed(const member *m) {
  return cl_place(m->shape, m->at.x, m->at.y, m->at.angle);
}

static inline cl_fbox box_of(const member *m) {
  cl_placed p = placed(m);
  cl_bounds b;
  b = cl_placed_bounds(&p);
  return cl_fbox_of(b.l, b.t, b.r, b.b);
}

static inline cl_vec way_of(const member *m) {
  return (cl_vec){m->at.x - m->from.x, m->at.y - m->from.y};
}

// The place of a member at the start of the last step, with its rotation at the end.
static inline cl_placed start_of(const member *m) {
  return cl_place(m->shape, m->from.x, m->from.y, m->at.angle);
}

// The bounds of a member's whole way.
static inline cl_fbox way_box_of(const member *m) {
  cl_fbox f = box_of(m);
  cl_bounds b = {f.x0, f.y0, f.x1, f.y1};
  cl_vec d = way_of(m);
  if (d.x == 0 && d.y == 0) return f;
  b = cl_bounds_join(b, (cl_bounds){b.l - d.x, b.t - d.y, b.r - d.x, b.b - d.y});
  b = cl_bounds_grown(b, cl_motion_slack(b));
  return cl_fbox_of(b.l, b.t, b.r, b.b);
}

static inline bool model_meet(const model *m, meeting *met) {
  const member *a = &m->member[met->a], *b = &m->member[met->b];
  cl_placed p = placed(a), q = placed(b);
  if (cl_overlap(&p, &q, m->touching, &met->hit)) return true;
  if (!a->swept && !b->swept) return false;
  p = start_of(a), q = start_of(b);
  cl_vec d = cl_vec_sub(way_of(a), way_of(b));
  cl_cast at;
  if (!cl_swept_overlap(&p, d, &q, m->touching, &at)) return false;
  met->hit = (cl_hit){at.nx, at.ny, 0};
  met->t = at.t;
  return true;
}

static inline void model_find(model *m) {
  static cl_fbox box[MAX_MEMBERS], way[MAX_MEMBERS];
  for (int i = 0; i < m->members; i++) {
    if (!m->member[i].present) continue;
    box[i] = box_of(&m->member[i]);
    way[i] = way_box_of(&m->member[i]);
  }
  m->candidates = m->pairs = 0;
  for (int i = 0; i < m->members; i++) {
    const member *a = &m->member[i];
    for (int j = i + 1; a->present && j < m->members; j++) {
      const member *b = &m->member[j];
      if (!b->present || (a->fixed && b->fixed) || !model_can_hit(m, a->group, b->group)) continue;
      if (model_ignores(m, i, j)) continue;
      const cl_fbox *of = a->swept || b->swept ? way : box;
      if (!cl_fbox_touch(of[i], of[j]) || m->candidates == MAX_MEETINGS) continue;
      meeting met = {i,
                     j,
                     {0, 0, 0},
                     -1,
                     model_is_told(m, a->group, b->group),
                     model_is_told(m, b->group, a->group)};
      m->candidate[m->candidates++] = met;
      bool maps = a->shape->kind == CL_TILES && b->shape->kind == CL_TILES; // these never hit
      if (!maps && model_meet(m, &met)) m->pair[m->pairs++] = met;
    }
  }
  CHECK(m->candidates < MAX_MEETINGS);
}

// Whether `self` meets `other`, and gets events about it.
static inline bool model_meets(const model *m, int self, int other) {
  for (int i = 0; i < m->pairs; i++) {
    const meeting *p = &m->pair[i];
    if (p->a == self && p->b == other) return p->a_is_told;
    if (p->b == self && p->a == other) return p->b_is_told;
  }
  return false;
}

static inline int by_pair(const void *p, const void *q) {
  const told *t = p, *u = q;
  int a = t->self < t->other ? t->self : t->other, b = t->self + t->other - a;
  int c = u->self < u->other ? u->self : u->other, d = u->self + u->other - c;
  return a != c ? a - c : b != d ? b - d : (t->self == b) - (u->self == d);
}

// Reads all actors and begins a new dispatch; the earlier one is over.
static inline void model_step(model *m) {
  for (int i = 0; i < m->members; i++) {
    member *it = &m->member[i];
    if (!it->present) continue;
    it->from = it->moved ? it->start : it->at;
    it->moved = false;
    if (!it->fixed) it->at = it->game;
  }
  model_find(m);
  m->leaves = m->leaves_told = m->turn = m->part = 0;
  for (int i = 0; i < m->tolds; i++) {
    told *t = &m->told[i];
    if (!model_meets(m, t->self, t->other)) t->ended = true;
    if (t->ended) m->leave[m->leaves++] = *t;
  }
  qsort(m->leave, (size_t)m->leaves, sizeof *m->leave, by_pair);
}

static inline told *model_told(model *m, int self, int other) {
  for (int i = 0; i < m->tolds; i++) {
    if (m->told[i].self == self && m->told[i].other == other) return &m->told[i];
  }
  return NULL;
}

// Whether an actor got `enter` about this member and no `leave` yet, or the member about an actor.
static inline bool model_is_in_contact(const model *m, int id) {
  for (int i = 0; i < m->tolds; i++) {
    if (m->told[i].self == id || m->told[i].other == id) return true;
  }
  return false;
}

// Whether the last step had any event of this member.
static inline bool model_names(const model *m, int id) {
  for (int i = 0; i < m->pairs; i++) {
    if (m->pair[i].a == id || m->pair[i].b == id) return true;
  }
  for (int i = 0; i < m->leaves; i++) {
    if (m->leave[i].self == id || m->leave[i].other == id) return true;
  }
  return false;
}

static inline bool model_next_leave(model *m, call *out) {
  while (m->leaves_told < m->leaves) {
    told t = m->leave[m->leaves_told++];
    told *entry = model_told(m, t.self, t.other);
    *entry = m->told[--m->tolds];
    if (!(m->member[t.self].event_mask & CL_EVENT_LEAVE)) continue;
    *out = (call){CL_EVENT_LEAVE, t.self, t.other, {0, 0, 0}, -1};
    return true;
  }
  return false;
}

// First enter for both of the pair, then hit for both.
static inline bool model_next_of_pair(model *m, call *out) {
  const meeting *p = &m->pair[m->turn];
  int part = m->part++, self = part % 2 ? p->b : p->a, other = p->a + p->b - self;
  if (!m->member[self].present || !(part % 2 ? p->b_is_told : p->a_is_told)) return false;
  uint8_t what = part < 2 ? CL_EVENT_ENTER : CL_EVENT_HIT;
  if (part < 2) {
    told *t = model_told(m, self, other);
    CHECK(!t || !t->ended);
    if (t) return false;
    CHECK(m->tolds < MAX_TOLD);
    if (m->tolds < MAX_TOLD) m->told[m->tolds++] = (told){self, other, false};
  }
  if (!(m->member[self].event_mask & what)) return false;
  cl_hit back = {0 - p->hit.nx, 0 - p->hit.ny, p->hit.depth};
  *out = (call){what, self, other, part % 2 ? back : p->hit, p->t};
  return true;
}

// The next call to make; advances the dispatch. False if there is none.
static inline bool model_next(model *m, call *out) {
  if (model_next_leave(m, out)) return true;
  while (m->turn < m->pairs) {
    const meeting *p = &m->pair[m->turn];
    if (m->part == 0 && !(m->member[p->a].present && m->member[p->b].present)) m->part = 4;
    while (m->part < 4) {
      if (model_next_of_pair(m, out)) return true;
    }
    m->turn++;
    m->part = 0;
  }
  return false;
}

#endif
