// SPDX-License-Identifier: Apache-2.0
/* What the baselines share: how calls are timed, counted and told. The same method as `muster mesh bench`:
   a barrier, which is not timed, before each call; each rank times its own calls. */
#ifndef MUSTER_FIGURES_H
#define MUSTER_FIGURES_H

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LEAST_CALLS = 5, LEAST_CALLS_SMALL = 50, SMALL_BYTES = 262144, MOST_CALLS = 20000, FIGURES = 4, PERIOD = 5 };

static double now_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* What one rank has to say about its calls: mean, p50, p99, wrong elements. */
static void summarise(double *calls, int count, double wrong, double *figures) {
    double sum = 0;
    for (int i = 0; i < count; i++) sum += calls[i];
    qsort(calls, (size_t)count, sizeof(double), by_size);
    figures[0] = sum / count;
    figures[1] = calls[(count - 1) / 2];
    figures[2] = calls[(int)((count - 1) * 0.99)];
    figures[3] = wrong;
}

/* One line for each size: bytes, calls, then in microseconds the least, the mean and the greatest of the ranks' means,
   the mean of their medians and the greatest of their 99th percentiles; wrong elements; bytes allocated (not known). */
static void tell(size_t bytes, int calls, int ranks, const double *figures) {
    double least = 0, mean = 0, most = 0, p50 = 0, p99 = 0, wrong = 0;
    for (int r = 0; r < ranks; r++) {
        const double *own = figures + r * FIGURES;
        least = r == 0 || own[0] < least ? own[0] : least;
        most = own[0] > most ? own[0] : most;
        mean += own[0] / ranks;
        p50 += own[1] / ranks;
        p99 = own[2] > p99 ? own[2] : p99;
        wrong += own[3];
    }
    printf("%zu\t%d\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.0f\t-\n", bytes, calls, least, mean, most, p50, p99, wrong);
    fflush(stdout);
}

/* Small whole numbers, so that sums are exact in any order. */
static float value(int rank, size_t index) { return (float)((index * 7 + (size_t)rank * 3) % PERIOD); }

/* The operations by their names in Muster. An exchange sends to the next rank and receives from the one before. */
enum operation {
    ALL_REDUCE, REDUCE_SCATTER, ALL_GATHER, ALL_TO_ALL, BROADCAST, GATHER, SCATTER, EXCHANGE, BARRIER, UNKNOWN
};

static enum operation operation_of(const char *name) {
    static const char *names[] = {"all-reduce", "reduce-scatter", "all-gather", "all-to-all", "broadcast",
                                  "gather",     "scatter",        "exchange",   "barrier"};
    int i = 0;
    while (i < UNKNOWN && strcmp(name, names[i]) != 0) i++;
    return (enum operation)i;
}

/* Numbers of elements: of a piece where there is one for each rank and of the whole buffer elsewhere, of input and of
   output; and the bytes that the size counts as. */
struct sizes {
    size_t count, inputs, outputs, bytes;
};

static struct sizes sizes_of(enum operation operation, size_t bytes, int ranks) {
    size_t whole = bytes < sizeof(float) ? 1 : bytes / sizeof(float);
    int pieces = operation != ALL_REDUCE && operation != BROADCAST && operation != EXCHANGE && operation != BARRIER;
    size_t count = !pieces ? whole : whole < (size_t)ranks ? 1 : whole / (size_t)ranks, all = count * (size_t)ranks;
    struct sizes s = {count, count, count, (pieces ? all : count) * sizeof(float)};
    if (operation == REDUCE_SCATTER || operation == ALL_TO_ALL || operation == SCATTER) s.inputs = all;
    if (operation == ALL_GATHER || operation == ALL_TO_ALL || operation == GATHER) s.outputs = all;
    if (operation == BARRIER) s.bytes = 0;
    return s;
}

static void fill(float *input, size_t inputs, float *output, size_t outputs, int rank) {
    for (size_t i = 0; i < inputs; i++) input[i] = value(rank, i);
    memset(output, 0x5a, outputs * sizeof(float));
}

static float expected(enum operation operation, size_t index, size_t count, int rank, int ranks) {
    float sum = 0;
    switch (operation) {
        case ALL_REDUCE:
        case REDUCE_SCATTER:
            index += operation == REDUCE_SCATTER ? (size_t)rank * count : 0;
            for (int r = 0; r < ranks; r++) sum += value(r, index % PERIOD);
            return sum;
        case BROADCAST: return value(0, index);
        case SCATTER: return value(0, (size_t)rank * count + index);
        case ALL_GATHER:
        case GATHER: return value((int)(index / count), index % count);
        case ALL_TO_ALL: return value((int)(index / count), (size_t)rank * count + index % count);
        case EXCHANGE: return value((rank + ranks - 1) % ranks, index);
        case BARRIER:
        case UNKNOWN: break;
    }
    return 0;
}

/* Ranks that get nothing have nothing wrong. */
static double count_wrong(enum operation operation, const float *output, struct sizes s, int rank, int ranks) {
    double wrong = 0;
    int has = operation != BARRIER && !((operation == GATHER) && rank != 0) && !(operation == BROADCAST && rank == 0);
    for (size_t i = 0; has && i < s.outputs; i++) wrong += output[i] != expected(operation, i, s.count, rank, ranks);
    return wrong;
}

/* How many calls fill the time, after that many took that long. */
static int calls_for(size_t bytes, double budget_us, int done, double elapsed_us) {
    int least = bytes <= SMALL_BYTES ? LEAST_CALLS_SMALL : LEAST_CALLS;
    double calls = elapsed_us <= 0 ? MOST_CALLS : budget_us * done / elapsed_us;
    return calls < least ? least : calls > MOST_CALLS ? MOST_CALLS : (int)calls;
}

static void *page_aligned(size_t bytes) {
    void *memory = NULL;
    if (posix_memalign(&memory, 4096, bytes < 4096 ? 4096 : bytes) != 0) {
        fprintf(stderr, "no memory for %zu bytes\n", bytes);
        exit(1);
    }
    return memory;
}

#endif
