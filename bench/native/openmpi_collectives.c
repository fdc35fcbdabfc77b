// SPDX-License-Identifier: Apache-2.0
/* Operations of MPI on floats: openmpi_collectives OPERATION WARM-UP-SECONDS SECONDS-FOR-EACH-SIZE BYTES...
   What rank 0 prints and what the operations are is said in figures.h. */
#include "figures.h"
#include <mpi.h>

static int rank, ranks;
static double calls[MOST_CALLS];
static enum operation operation;

static void call(float *input, float *output, int count) {
    MPI_Comm world = MPI_COMM_WORLD;
    switch (operation) {
        case ALL_REDUCE: MPI_Allreduce(input, output, count, MPI_FLOAT, MPI_SUM, world); break;
        case REDUCE_SCATTER: MPI_Reduce_scatter_block(input, output, count, MPI_FLOAT, MPI_SUM, world); break;
        case ALL_GATHER: MPI_Allgather(input, count, MPI_FLOAT, output, count, MPI_FLOAT, world); break;
        case ALL_TO_ALL: MPI_Alltoall(input, count, MPI_FLOAT, output, count, MPI_FLOAT, world); break;
        case BROADCAST: MPI_Bcast(rank == 0 ? input : output, count, MPI_FLOAT, 0, world); break;
        case GATHER: MPI_Gather(input, count, MPI_FLOAT, output, count, MPI_FLOAT, 0, world); break;
        case SCATTER: MPI_Scatter(input, count, MPI_FLOAT, output, count, MPI_FLOAT, 0, world); break;
        case EXCHANGE:
            MPI_Sendrecv(input, count, MPI_FLOAT, (rank + 1) % ranks, 0, output, count, MPI_FLOAT,
                         (rank + ranks - 1) % ranks, 0, world, MPI_STATUS_IGNORE);
            break;
        case BARRIER: MPI_Barrier(world); break;
        case UNKNOWN: break;
    }
}

static void run(float *input, float *output, size_t count, int times) {
    for (int i = 0; i < times; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        double start = now_us();
        call(input, output, (int)count);
        calls[i] = now_us() - start;
    }
}

/* Calls in batches of doubling size until one takes an eighth of the budget; then all ranks know how many fill it. */
static int find_calls(float *input, float *output, size_t count, size_t bytes, double budget_us) {
    for (int batch = 1;; batch = 2 * batch > MOST_CALLS ? MOST_CALLS : 2 * batch) {
        double start = now_us();
        run(input, output, count, batch);
        double elapsed = now_us() - start;
        int enough = elapsed >= budget_us / 8 || batch == MOST_CALLS;
        int answer = enough ? calls_for(bytes, budget_us, batch, elapsed) : 0;
        MPI_Bcast(&answer, 1, MPI_INT, 0, MPI_COMM_WORLD);
        if (answer > 0) return answer;
    }
}

static void warm_up(float *input, float *output, double seconds) {
    double end = now_us() + seconds * 1e6;
    int again;
    do {
        run(input, output, 1, 100);
        again = now_us() < end;
        MPI_Bcast(&again, 1, MPI_INT, 0, MPI_COMM_WORLD);
    } while (again);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    operation = argc < 5 ? UNKNOWN : operation_of(argv[1]);
    if (operation == UNKNOWN) {
        fprintf(stderr, "usage: openmpi_collectives OPERATION WARM-UP-SECONDS SECONDS BYTES...\n");
        MPI_Abort(MPI_COMM_WORLD, 64);
    }
    double *all = page_aligned((size_t)ranks * FIGURES * sizeof(double));
    for (int i = 4; i < argc; i++) {
        struct sizes s = sizes_of(operation, strtoull(argv[i], NULL, 10), ranks);
        float *input = page_aligned(s.inputs * sizeof(float)), *output = page_aligned(s.outputs * sizeof(float));
        fill(input, s.inputs, output, s.outputs, rank);
        if (i == 4) warm_up(input, output, atof(argv[2]));
        int times = find_calls(input, output, s.count, s.bytes, atof(argv[3]) * 1e6);
        fill(input, s.inputs, output, s.outputs, rank);
        run(input, output, s.count, times);
        double own[FIGURES];
        summarise(calls, times, count_wrong(operation, output, s, rank, ranks), own);
        MPI_Gather(own, FIGURES, MPI_DOUBLE, all, FIGURES, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        if (rank == 0) tell(s.bytes, times, ranks, all);
        free(input);
        free(output);
    }
    MPI_Finalize();
    return 0;
}
