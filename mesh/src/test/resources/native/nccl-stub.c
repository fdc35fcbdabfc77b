/* A driver with devices of host memory and an NCCL whose ranks are threads of one process, for tests without a GPU.
   Operations run behind the caller's back, in the order of their stream, as on a device; whoever calls without a
   device, after an abort or with another structure than the header's is counted or refused. */
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DEVICES = 8, RANKS = 8, WORLDS = 512, OPS = 64, NOT_READY = 600, IN_PROGRESS = 7 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static _Thread_local int current; /* the device of the thread, from 1; 0 for none */
static int live, misuse, held, version = 22803, initialised;
static int config_seen[5];

static void nap(void) { nanosleep(&(struct timespec){0, 200000}, NULL); }

int stub_live(void) { return live; }
int stub_misuse(void) { return misuse; }
int stub_hold(int on) { held = on; return 0; }
int stub_version(int code) { version = code; return 0; }
int stub_config(int field) { return config_seen[field]; }

static void count(int by) { __atomic_add_fetch(&live, by, __ATOMIC_SEQ_CST); }
static int wrong(void) { __atomic_add_fetch(&misuse, 1, __ATOMIC_SEQ_CST); return 4; }

/* --- The driver. */

struct stream { int device; long tickets, served; };

int cuInit(unsigned flags) { initialised = 1; return flags == 0 ? 0 : 1; }
int cuDeviceGetCount(int *n) { *n = DEVICES; return initialised ? 0 : 3; }
int cuDeviceGet(int *device, int ordinal) { *device = ordinal + 100; return 0; }
int cuDevicePrimaryCtxRetain(void **context, int device) { *context = (void *)(intptr_t)(device - 99); return 0; }
int cuCtxSetCurrent(void *context) { current = (int)(intptr_t)context; return 0; }
int cuGetErrorName(int status, const char **name) {
    *name = status == 2 ? "CUDA_ERROR_OUT_OF_MEMORY" : "CUDA_ERROR_OF_STUB";
    return 0;
}
int cuMemAlloc_v2(uint64_t *p, size_t n) {
    if (!current) return 201;
    if (n > (size_t)1 << 32) return 2;
    *p = (uintptr_t)malloc(n);
    count(1);
    return 0;
}
int cuMemFree_v2(uint64_t p) { if (!current) return 201; free((void *)p); count(-1); return 0; }
int cuMemHostAlloc(void **p, size_t n, unsigned flags) {
    if (!current || flags) return 201;
    *p = malloc(n);
    count(1);
    return 0;
}
int cuMemFreeHost(void *p) { free(p); count(-1); return 0; }
int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t n, struct stream *s) {
    if (s->device != current) return 201;
    memcpy((void *)to, from, n);
    return 0;
}
int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t n, struct stream *s) {
    if (s->device != current) return 201;
    memcpy(to, (void *)from, n);
    return 0;
}
int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t n, struct stream *s) {
    if (s->device != current) return 201;
    memmove((void *)to, (void *)from, n);
    return 0;
}
int cuMemsetD8Async(uint64_t to, unsigned char v, size_t n, struct stream *s) {
    if (s->device != current) return 201;
    memset((void *)to, v, n);
    return 0;
}
int cuStreamCreate(struct stream **s, unsigned flags) {
    if (!current || flags != 1) return 201;
    *s = calloc(1, sizeof **s);
    (*s)->device = current;
    count(1);
    return 0;
}
int cuStreamQuery(struct stream *s) {
    pthread_mutex_lock(&lock);
    int busy = held || s->served < s->tickets;
    pthread_mutex_unlock(&lock);
    return busy ? NOT_READY : 0;
}
int cuStreamSynchronize(struct stream *s) { while (cuStreamQuery(s)) nap(); return 0; }
int cuStreamDestroy_v2(struct stream *s) { (void)s; count(-1); return 0; } /* work may still hold it: kept */

/* --- NCCL. */

typedef struct { char bytes[128]; } unique_id;

struct op { int kind; const void *in; void *out; size_t n; int type, how, root; };
struct letter { struct letter *next; size_t n; char data[]; };
struct world {
    unique_id id;
    int ranks, joined, made, parts[RANKS][2];
    long rounds[RANKS], splits[RANKS], asked[RANKS];
    const struct op *posted[RANKS];
    struct letter *mail[RANKS][RANKS];
};
struct comm { struct world *world; int rank, device, busy, failed, aborted, gone; };
struct batch { struct comm *comm; struct stream *stream; long ticket; int n; struct op ops[OPS]; };

static struct world worlds[WORLDS];
static int world_count;
static _Thread_local int depth;
static _Thread_local struct batch *open_batch;

static struct world *new_world(void) {
    struct world *w = &worlds[world_count++ % WORLDS];
    memset(w, 0, sizeof *w);
    for (int i = 0; i < 128; i++) w->id.bytes[i] = (char)(world_count * 7 + i * 31 + 1);
    return w;
}

int ncclGetVersion(int *v) { *v = version; return 0; }
const char *ncclGetErrorString(int status) { return status == 5 ? "invalid usage" : "an error of the stub"; }

int ncclGetUniqueId(unique_id *id) {
    pthread_mutex_lock(&lock);
    *id = new_world()->id;
    pthread_mutex_unlock(&lock);
    return 0;
}

static struct comm *new_comm(struct world *w, int rank) {
    struct comm *c = calloc(1, sizeof *c);
    c->world = w, c->rank = rank, c->device = current;
    count(1);
    return c;
}

int ncclCommInitRankConfig(struct comm **out, int ranks, unique_id id, int rank, const char *config) {
    if (!current) return 1;
    for (int i = 0; i < 5; i++) memcpy(&config_seen[i], config + (i == 0 ? 0 : 4 + 4 * i), 4);
    int status = 4;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < WORLDS && i < world_count; i++) {
        struct world *w = &worlds[i];
        if (memcmp(&w->id, &id, sizeof id) == 0 && rank >= 0 && rank < ranks && (!w->ranks || w->ranks == ranks)) {
            w->ranks = ranks, w->joined++;
            *out = new_comm(w, rank);
            status = IN_PROGRESS;
        }
    }
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return status;
}

int ncclCommGetAsyncError(struct comm *c, int *state) {
    if (c->gone) return wrong();
    pthread_mutex_lock(&lock);
    *state = c->failed ? c->failed : c->world->joined < c->world->ranks || c->busy ? IN_PROGRESS : 0;
    pthread_mutex_unlock(&lock);
    return 0;
}

int ncclCommFinalize(struct comm *c) { return c->gone ? wrong() : IN_PROGRESS; }
static int end(struct comm *c, int by_abort) {
    if (c->gone || current != c->device) return wrong();
    pthread_mutex_lock(&lock);
    c->gone = 1, c->aborted = by_abort;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    count(-1);
    return 0;
}
int ncclCommDestroy(struct comm *c) { return end(c, 0); }
int ncclCommAbort(struct comm *c) { return end(c, 1); }

/* Waits for something of the world; whoever holds the lock. */
#define AWAIT(condition) while (!(condition) && !c->aborted) pthread_cond_wait(&changed, &lock)

#define REDUCE(T, I) \
    for (size_t i = 0; i < o->n; i++) { \
        T x = ((const T *)w->posted[0]->in)[from + i]; \
        for (int r = 1; r < w->ranks; r++) { \
            T y = ((const T *)w->posted[r]->in)[from + i]; \
            x = o->how == 1 ? x * y : o->how == 2 ? (x > y ? x : y) : o->how == 3 ? (x < y ? x : y) : x + y; \
        } \
        ((T *)result)[i] = o->how == 4 ? (T)(x / w->ranks) : x; \
    }

static size_t size_of(int type) { return (size_t[]){1, 1, 4, 4, 8, 8, 2, 4, 8, 2}[type]; }

/* A collective: all show theirs, each makes its own result, all take it. */
static void together(struct comm *c, const struct op *o) {
    struct world *w = c->world;
    size_t size = size_of(o->type), bytes = o->n * size * (o->kind == 'g' ? (size_t)w->ranks : 1);
    char *result = malloc(bytes + 1);
    pthread_mutex_lock(&lock);
    long round = ++w->rounds[c->rank];
    w->posted[c->rank] = o;
    w->asked[c->rank] = round * 3 - 2;
    pthread_cond_broadcast(&changed);
    for (int r = 0; r < w->ranks; r++) AWAIT(w->asked[r] >= round * 3 - 2);
    if (!c->aborted) {
        size_t from = o->kind == 's' ? o->n * (size_t)c->rank : 0;
        if (o->kind == 'g') {
            for (int r = 0; r < w->ranks; r++) memcpy(result + r * o->n * size, w->posted[r]->in, o->n * size);
        } else if (o->kind == 'b') {
            memcpy(result, w->posted[o->root]->in, bytes);
        } else {
            switch (o->type) {
                case 0: REDUCE(int8_t, 0) break;
                case 1: REDUCE(uint8_t, 1) break;
                case 2: REDUCE(int32_t, 2) break;
                case 3: REDUCE(uint32_t, 3) break;
                case 4: REDUCE(int64_t, 4) break;
                case 5: REDUCE(uint64_t, 5) break;
                case 7: REDUCE(float, 7) break;
                case 8: REDUCE(double, 8) break;
                default: break;
            }
        }
    }
    w->asked[c->rank] = round * 3 - 1;
    pthread_cond_broadcast(&changed);
    for (int r = 0; r < w->ranks; r++) AWAIT(w->asked[r] >= round * 3 - 1);
    if (!c->aborted && (o->kind != 'r' || o->root == c->rank)) memcpy(o->out, result, bytes);
    pthread_mutex_unlock(&lock);
    free(result);
}

static void post(struct comm *c, const struct op *o) {
    struct letter *l = malloc(sizeof *l + o->n);
    l->next = NULL, l->n = o->n;
    memcpy(l->data, o->in, o->n);
    pthread_mutex_lock(&lock);
    struct letter **box = &c->world->mail[c->rank][o->root];
    while (*box) box = &(*box)->next;
    *box = l;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static void fetch(struct comm *c, const struct op *o) {
    pthread_mutex_lock(&lock);
    struct letter **box = &c->world->mail[o->root][c->rank];
    AWAIT(*box != NULL);
    struct letter *l = *box;
    if (!c->aborted) {
        *box = l->next;
        if (l->n == o->n) memcpy(o->out, l->data, o->n); else wrong();
        free(l);
    }
    pthread_mutex_unlock(&lock);
}

static void *work(void *argument) {
    struct batch *b = argument;
    struct comm *c = b->comm;
    pthread_mutex_lock(&lock);
    while (b->stream->served < b->ticket) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < b->n; i++) if (b->ops[i].kind == '>') post(c, &b->ops[i]);
    for (int i = 0; i < b->n; i++) if (!strchr("<>", b->ops[i].kind)) together(c, &b->ops[i]);
    for (int i = 0; i < b->n; i++) if (b->ops[i].kind == '<') fetch(c, &b->ops[i]);
    pthread_mutex_lock(&lock);
    b->stream->served++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    free(b);
    return NULL;
}

int ncclGroupStart(void) { depth++; return 0; }
int ncclGroupEnd(void) {
    if (--depth > 0 || !open_batch) return 0;
    struct batch *b = open_batch;
    open_batch = NULL;
    pthread_mutex_lock(&lock);
    b->ticket = b->stream->tickets++;
    pthread_mutex_unlock(&lock);
    pthread_t thread;
    if (pthread_create(&thread, NULL, work, b)) return 2;
    pthread_detach(thread);
    return 0;
}

static int add(struct comm *c, struct stream *s, struct op o) {
    if (c->gone || current != c->device || s->device != c->device || o.type < 0 || o.type > 9) return wrong();
    ncclGroupStart();
    if (!open_batch) {
        open_batch = calloc(1, sizeof *open_batch);
        open_batch->comm = c, open_batch->stream = s;
    }
    if (open_batch->n == OPS) return 3;
    open_batch->ops[open_batch->n++] = o;
    return ncclGroupEnd();
}

typedef struct comm *C;
typedef struct stream *S;
int ncclAllReduce(const void *in, void *out, size_t n, int type, int how, C c, S s) {
    return add(c, s, (struct op){'a', in, out, n, type, how, 0});
}
int ncclReduce(const void *in, void *out, size_t n, int type, int how, int root, C c, S s) {
    return add(c, s, (struct op){'r', in, out, n, type, how, root});
}
int ncclReduceScatter(const void *in, void *out, size_t n, int type, int how, C c, S s) {
    return add(c, s, (struct op){'s', in, out, n, type, how, 0});
}
int ncclAllGather(const void *in, void *out, size_t n, int type, C c, S s) {
    return add(c, s, (struct op){'g', in, out, n, type, 0, 0});
}
int ncclBroadcast(const void *in, void *out, size_t n, int type, int root, C c, S s) {
    return add(c, s, (struct op){'b', in, out, n, type, 0, root});
}
int ncclSend(const void *in, size_t n, int type, int peer, C c, S s) {
    return add(c, s, (struct op){'>', in, NULL, n, type, 0, peer});
}
int ncclRecv(void *out, size_t n, int type, int peer, C c, S s) {
    return add(c, s, (struct op){'<', NULL, out, n, type, 0, peer});
}

struct split { struct comm *parent, **out; int colour, key; };
static struct { struct world *parent, *part; long number; int colour; } parts[WORLDS];
static int part_count;

static void *divide(void *argument) {
    struct split *d = argument;
    struct comm *c = d->parent;
    struct world *w = c->world;
    pthread_mutex_lock(&lock);
    long number = ++w->splits[c->rank];
    w->parts[c->rank][0] = d->colour, w->parts[c->rank][1] = d->key;
    pthread_cond_broadcast(&changed);
    for (int r = 0; r < w->ranks; r++) AWAIT(w->splits[r] >= number);
    if (d->colour >= 0 && !c->aborted) {
        int ranks = 0, rank = 0;
        for (int r = 0; r < w->ranks; r++) {
            if (w->parts[r][0] != d->colour) continue;
            ranks++;
            rank += w->parts[r][1] < d->key || (w->parts[r][1] == d->key && r < c->rank);
        }
        struct world *part = NULL;
        for (int i = 0; i < part_count; i++)
            if (parts[i].parent == w && parts[i].number == number && parts[i].colour == d->colour) part = parts[i].part;
        if (!part) {
            part = new_world();
            parts[part_count].parent = w, parts[part_count].part = part;
            parts[part_count].number = number, parts[part_count++].colour = d->colour;
        }
        part->ranks = ranks, part->joined++;
        current = c->device;
        *d->out = new_comm(part, rank);
    }
    c->busy = 0;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    free(d);
    return NULL;
}

int ncclCommSplit(struct comm *c, int colour, int key, struct comm **out, const char *config) {
    if (c->gone || config || current != c->device) return wrong();
    struct split *d = malloc(sizeof *d);
    d->parent = c, d->out = out, d->colour = colour, d->key = key;
    *out = NULL;
    pthread_mutex_lock(&lock);
    c->busy = 1;
    pthread_mutex_unlock(&lock);
    pthread_t thread;
    if (pthread_create(&thread, NULL, divide, d)) return 2;
    pthread_detach(thread);
    return IN_PROGRESS;
}
