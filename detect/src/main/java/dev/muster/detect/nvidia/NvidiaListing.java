package dev.muster.detect.nvidia;

import java.util.List;
import java.util.Optional;

/// What `nvidia-smi -L` lists.
///
/// @param gpus the GPUs, in its order
record NvidiaListing(List<Gpu> gpus) {
    static final NvidiaListing EMPTY = new NvidiaListing(List.of());

    NvidiaListing {
        gpus = List.copyOf(gpus);
    }

    /// The MIG device with that number on a GPU.
    Optional<Slice> findSlice(long gpu, long index) {
        for (Gpu candidate : gpus) {
            if (candidate.index() == gpu) {
                return candidate.slices().stream()
                        .filter(slice -> slice.index() == index)
                        .findFirst();
            }
        }
        return Optional.empty();
    }

    /// One GPU.
    ///
    /// @param name its name, whole
    record Gpu(long index, String name, String uuid, List<Slice> slices) {
        Gpu {
            slices = List.copyOf(slices);
        }
    }

    /// One MIG device.
    ///
    /// @param index its number on the GPU
    /// @param shape its kind, such as `1c.3g.71gb` or `1g.10gb+me`
    record Slice(long index, String shape, String uuid) {}
}
