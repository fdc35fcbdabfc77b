// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.cuda;

/// The functions that are called, by what NVIDIA and AMD call them. All return a status.
enum GpuFunction {
    INIT("cuInit", "hipInit"),
    COUNT("cuDeviceGetCount", "hipGetDeviceCount"),
    ALLOCATE("cuMemAlloc_v2", "hipMalloc"),
    FREE("cuMemFree_v2", "hipFree"),
    ALLOCATE_HOST("cuMemHostAlloc", "hipHostMalloc"),
    FREE_HOST("cuMemFreeHost", "hipHostFree"),
    COPY_TO_DEVICE("cuMemcpyHtoDAsync_v2", "hipMemcpyHtoDAsync"),
    COPY_TO_HOST("cuMemcpyDtoHAsync_v2", "hipMemcpyDtoHAsync"),
    COPY_WITHIN("cuMemcpyDtoDAsync_v2", "hipMemcpyDtoDAsync"),
    FILL("cuMemsetD8Async", "hipMemsetD8Async"),
    CREATE_STREAM("cuStreamCreate", "hipStreamCreateWithFlags"),
    QUERY_STREAM("cuStreamQuery", "hipStreamQuery"),
    AWAIT_STREAM("cuStreamSynchronize", "hipStreamSynchronize"),
    DESTROY_STREAM("cuStreamDestroy_v2", "hipStreamDestroy");

    private final String cuda;
    private final String hip;

    GpuFunction(String cuda, String hip) {
        this.cuda = cuda;
        this.hip = hip;
    }

    String name(GpuRuntime runtime) {
        return switch (runtime) {
            case CUDA -> cuda;
            case HIP -> hip;
        };
    }
}
