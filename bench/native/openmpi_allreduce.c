// SPDX-License-Identifier: Apache-2.0
/* MPI_Allreduce of floats: openmpi_allreduce WARM-UP-SECONDS SECONDS-FOR-EACH-SIZE BYTES...
   What rank 0 prints is said in figures.h. */
#include "figures.h"
#include <mpi.h>

static int rank, ranks;
static double calls[MOST_CALLS];

static void run(const float *input, float *output, size_t count, int times) {
    for (int i = 0; i < times; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        double start = now_us();
        MPI_Allreduce(input, output, (int)count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
        calls[i] = now_us() - start;
    }
}

/* Calls in batches of doubling size until one takes an eighth of the budget; then all ranks know how many fill it. */
static int find_calls(const float *input, float *output, size_t count, double budget_us) {
    for (int batch = 1;; batch = 2 * batch > MOST_CALLS ? MOST_CALLS : 2 * batch) {
        double start = now_us();
        run(input, output, count, batch);
        double elapsed = now_us() - start;
        int enough = elapsed >= budget_us / 8 || batch == MOST_CALLS;
        int answer = enough ? calls_for(count * sizeof(float), budget_us, batch, elapsed) : 0;
        MPI_Bcast(&answer, 1, MPI_INT, 0, MPI_COMM_WORLD);
        if (answer > 0) return answer;
    }
}

static void warm_up(const float *input, float *output, double seconds) {
    double end = now_us() + seconds * 1e6;
    int again;
    do {
        run(input, output, 2, 100);
        again = now_us() < end;
        MPI_Bcast(&again, 1, MPI_INT, 0, MPI_COMM_WORLD);
    } while (again);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc < 4) {
        fprintf(stderr, "usage: openmpi_allreduce WARM-UP-SECONDS SECONDS BYTES...\n");
        MPI_Abort(MPI_COMM_WORLD, 64);
    }
    double *all = page_aligned((size_t)ranks * FIGURES * sizeof(double));
    for (int i = 3; i < argc; i++) {
        size_t bytes = strtoull(argv[i], NULL, 10), count = bytes / sizeof(float);
        float *input = page_aligned(bytes), *output = page_aligned(bytes);
        fill(input, output, count, rank);
        if (i == 3) warm_up(input, output, atof(argv[1]));
        int times = find_calls(input, output, count, atof(argv[2]) * 1e6);
        fill(input, output, count, rank);
        run(input, output, count, times);
        double own[FIGURES];
        summarise(calls, times, count_wrong(output, count, ranks), own);
        MPI_Gather(own, FIGURES, MPI_DOUBLE, all, FIGURES, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        if (rank == 0) tell(bytes, times, ranks, all);
        free(input);
        free(output);
    }
    MPI_Finalize();
    return 0;
}
