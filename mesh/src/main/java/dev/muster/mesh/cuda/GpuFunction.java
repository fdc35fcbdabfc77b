package dev.muster.mesh.cuda;

/// The functions that are called, by what NVIDIA and AMD call them. All return a status.
enum GpuFunction {
    INIT("cuInit", "hipInit", 1),
    COUNT("cuDeviceGetCount", "hipGetDeviceCount", 1),
    ALLOCATE("cuMemAlloc_v2", "hipMalloc", 2),
    FREE("cuMemFree_v2", "hipFree", 1),
    ALLOCATE_HOST("cuMemHostAlloc", "hipHostMalloc", 3),
    FREE_HOST("cuMemFreeHost", "hipHostFree", 1),
    COPY_TO_DEVICE("cuMemcpyHtoDAsync_v2", "hipMemcpyHtoDAsync", 4),
    COPY_TO_HOST("cuMemcpyDtoHAsync_v2", "hipMemcpyDtoHAsync", 4),
    COPY_WITHIN("cuMemcpyDtoDAsync_v2", "hipMemcpyDtoDAsync", 4),
    FILL("cuMemsetD8Async", "hipMemsetD8Async", 4),
    CREATE_STREAM("cuStreamCreate", "hipStreamCreateWithFlags", 2),
    QUERY_STREAM("cuStreamQuery", "hipStreamQuery", 1),
    AWAIT_STREAM("cuStreamSynchronize", "hipStreamSynchronize", 1),
    DESTROY_STREAM("cuStreamDestroy_v2", "hipStreamDestroy", 1);

    private final String cuda;
    private final String hip;
    private final int words;

    GpuFunction(String cuda, String hip, int words) {
        this.cuda = cuda;
        this.hip = hip;
        this.words = words;
    }

    String name(GpuRuntime runtime) {
        return switch (runtime) {
            case CUDA -> cuda;
            case HIP -> hip;
        };
    }

    int words() {
        return words;
    }
}
