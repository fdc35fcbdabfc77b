// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia.cuda;

import dev.muster.core.UnknownReason;
import dev.muster.core.foreign.NativeLibrary;
import dev.muster.core.measure.MeasuredQuantity;
import dev.muster.detect.measure.MeasurementException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;

/// NVIDIA's library of linear algebra, as far as products of square matrices need it. Confined to one
/// thread.
final class Cublas {
    private static final int ARCH_MISMATCH = 8;
    private static final int NOT_SUPPORTED = 15;
    private static final int NOT_TRANSPOSED = 0;
    private static final int DEFAULT_ALGORITHM = -1;

    private final NativeLibrary library;
    private final MemorySegment one;
    private final MemorySegment zero;

    /// A way to multiply matrices; numbers as in the library's headers (CUDA 13.0).
    ///
    /// @param quantity the quantity measured by it
    /// @param dataType `cudaDataType` of all three matrices
    /// @param computeType `cublasComputeType_t`
    /// @param bytes the size of an element
    record Product(MeasuredQuantity quantity, int dataType, int computeType, int bytes) {}

    private Cublas(NativeLibrary library) {
        this.library = library;
        this.one = Arena.ofAuto().allocate(ValueLayout.JAVA_FLOAT);
        this.one.set(ValueLayout.JAVA_FLOAT, 0, 1);
        this.zero = Arena.ofAuto().allocate(ValueLayout.JAVA_FLOAT);
    }

    /// Loads the library.
    ///
    /// @throws IllegalArgumentException if the file cannot be loaded as a library
    static Cublas load(Path file) {
        return new Cublas(NativeLibrary.load(file, MeasurementException::ofCall));
    }

    /// Begins, for the context that is current.
    ///
    /// @param scope gives the handle back
    /// @return the handle
    long create(CudaScope scope) {
        MemorySegment answer = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG);
        call("cublasCreate_v2", answer.address());
        long handle = answer.get(ValueLayout.JAVA_LONG, 0);
        scope.onClose(() -> call("cublasDestroy_v2", handle));
        return handle;
    }

    void setStream(long handle, long stream) {
        call("cublasSetStream_v2", handle, stream);
    }

    void setWorkspace(long handle, long memory, long bytes) {
        call("cublasSetWorkspace_v2", handle, memory, bytes);
    }

    /// Begins C = A B for matrices of n rows and columns.
    void multiply(long handle, Product product, int n, long a, long b, long c) {
        call(
                "cublasGemmEx",
                handle,
                NOT_TRANSPOSED,
                NOT_TRANSPOSED,
                n,
                n,
                n,
                one.address(),
                a,
                product.dataType(),
                n,
                b,
                product.dataType(),
                n,
                zero.address(),
                c,
                product.dataType(),
                n,
                product.computeType(),
                DEFAULT_ALGORITHM);
    }

    private void call(String function, long... arguments) {
        int status = library.require(function).callWith(arguments);
        if (status == ARCH_MISMATCH || status == NOT_SUPPORTED) {
            throw new MeasurementException(
                    UnknownReason.NOT_SUPPORTED,
                    function + " returned " + name(status)
                            + ": this device, or this version of the library, cannot do it");
        }
        if (status != 0) {
            throw MeasurementException.ofCall(function + " returned " + name(status));
        }
    }

    /// The words of the library's headers.
    private static String name(int status) {
        return switch (status) {
            case 1 -> "CUBLAS_STATUS_NOT_INITIALIZED (1)";
            case 3 -> "CUBLAS_STATUS_ALLOC_FAILED (3)";
            case 7 -> "CUBLAS_STATUS_INVALID_VALUE (7)";
            case ARCH_MISMATCH -> "CUBLAS_STATUS_ARCH_MISMATCH (8)";
            case 13 -> "CUBLAS_STATUS_EXECUTION_FAILED (13)";
            case 14 -> "CUBLAS_STATUS_INTERNAL_ERROR (14)";
            case NOT_SUPPORTED -> "CUBLAS_STATUS_NOT_SUPPORTED (15)";
            default -> "error " + status;
        };
    }
}
