package dev.muster.mesh.mpi;

import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.ReduceOp;
import java.util.Map;

/// What the names of the standard stand for in one library: handles and numbers, all of them as 64 bits.
///
/// @param world `MPI_COMM_WORLD`
/// @param bytes `MPI_BYTE`
/// @param types those that the library can reduce
/// @param operators by which it reduces; an average begins as a sum
/// @param errorsReturn `MPI_ERRORS_RETURN`
/// @param infoNull `MPI_INFO_NULL`
/// @param inPlace `MPI_IN_PLACE`
/// @param statusIgnore `MPI_STATUS_IGNORE`, which is also `MPI_STATUSES_IGNORE`
/// @param anyTag `MPI_ANY_TAG`
/// @param status how an `MPI_Status` is laid out
/// @param threadMultiple `MPI_THREAD_MULTIPLE`
/// @param sharedMemory `MPI_COMM_TYPE_SHARED`
record MpiConstants(
        long world,
        long bytes,
        Map<DType, Long> types,
        Map<ReduceOp, Long> operators,
        long errorsReturn,
        long infoNull,
        long inPlace,
        long statusIgnore,
        int anyTag,
        Status status,
        int threadMultiple,
        int sharedMemory) {
    /// Where the tag lies, and how much memory the whole takes.
    record Status(int tagOffset, int bytes) {}
}
