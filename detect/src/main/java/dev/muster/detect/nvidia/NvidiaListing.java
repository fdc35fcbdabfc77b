// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import dev.muster.detect.text.Amount;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The MIG devices that `nvidia-smi -L` lists: below `GPU 0: NVIDIA H200 (UUID: GPU-…)`, indented,
/// `MIG 1g.18gb Device 3: (UUID: MIG-…)`. Lines of any other kind are passed over.
///
/// @param slices the MIG devices, in its order
record NvidiaListing(List<Slice> slices) {
    static final NvidiaListing EMPTY = new NvidiaListing(List.of());

    private static final String GPU = "GPU ";
    private static final String MIG = "MIG ";
    private static final String DEVICE = " Device ";
    private static final String UUID = "(UUID:";
    private static final long MAX_INDEX = 1024;
    private static final int MAX_SLICES = 1 << 16;

    NvidiaListing {
        slices = List.copyOf(slices);
    }

    /// One MIG device.
    ///
    /// @param gpu the GPU's number
    /// @param index its number on the GPU
    /// @param shape its kind, such as `1c.3g.71gb` or `1g.10gb+me`
    record Slice(long gpu, long index, String shape, String uuid) {}

    static NvidiaListing parse(String text) {
        List<Slice> slices = new ArrayList<>();
        Optional<Long> gpu = Optional.empty();
        for (String line : text.split("\n")) {
            String item = line.strip();
            int uuidAt = item.indexOf(UUID);
            int colon = item.indexOf(':');
            if (uuidAt < 0 || colon > uuidAt) {
                continue;
            }
            String head = item.substring(0, colon);
            int device = head.lastIndexOf(DEVICE);
            if (head.startsWith(GPU)) {
                gpu = Amount.count(head.substring(GPU.length()), MAX_INDEX);
            } else if (head.startsWith(MIG) && device > MIG.length() && slices.size() < MAX_SLICES) {
                Optional<Long> index = Amount.count(head.substring(device + DEVICE.length()), MAX_INDEX);
                if (gpu.isPresent() && index.isPresent()) {
                    String shape = head.substring(MIG.length(), device).strip();
                    String uuid = item.substring(uuidAt + UUID.length()).replace(")", "");
                    slices.add(new Slice(gpu.get(), index.get(), shape, uuid.strip()));
                }
            }
        }
        return new NvidiaListing(slices);
    }

    /// The MIG device with that number on a GPU.
    Optional<Slice> findSlice(long gpu, long index) {
        return slices.stream()
                .filter(slice -> slice.gpu() == gpu && slice.index() == index)
                .findFirst();
    }
}
