package dev.muster.detect.nvidia;

import java.io.Serial;

/// A call of CUDA or cuBLAS that failed. The message names the call and what the library said.
final class CudaException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    CudaException(String message) {
        super(message);
    }
}
