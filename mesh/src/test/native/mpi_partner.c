// SPDX-License-Identifier: Apache-2.0
/* A rank in C that takes part in collectives of Java ranks: mpi_partner COUNT. Ends with 1 if a result is wrong.
   All ranks hold index + rank; what is done is said in MpiRankMain.withPartner. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank, ranks, count = argc > 1 ? atoi(argv[1]) : 1, wrong = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    float *own = malloc(count * sizeof(float)), *sums = malloc(count * sizeof(float));
    long long *numbers = malloc(count * sizeof(long long)), *greatest = malloc(count * sizeof(long long));
    float *all = malloc((size_t)count * ranks * sizeof(float));
    for (int i = 0; i < count; i++) {
        own[i] = (float)(i % 1000 + rank);
        numbers[i] = i % 1000 + rank;
    }
    MPI_Allreduce(own, sums, count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(numbers, greatest, count, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allgather(own, count, MPI_FLOAT, all, count, MPI_FLOAT, MPI_COMM_WORLD);
    MPI_Bcast(own, count, MPI_FLOAT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < count; i++) {
        wrong += sums[i] != (float)(ranks * (i % 1000) + ranks * (ranks - 1) / 2);
        wrong += greatest[i] != i % 1000 + ranks - 1;
        wrong += own[i] != (float)(i % 1000);
        for (int peer = 0; peer < ranks; peer++) wrong += all[(size_t)peer * count + i] != (float)(i % 1000 + peer);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    printf("rank %d in C: %d wrong of %d\n", rank, wrong, count);
    MPI_Finalize();
    return wrong != 0;
}
