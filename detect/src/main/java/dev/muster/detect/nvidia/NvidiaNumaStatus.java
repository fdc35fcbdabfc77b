package dev.muster.detect.nvidia;

import dev.muster.core.unit.Bytes;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What `/proc/driver/nvidia/gpus/…/numa_status` says of a GPU whose memory is a NUMA node of the host's.
///
/// @param node the node
/// @param status such as `online`; blank where the file does not say
/// @param size the memory in that node; null where the file does not say
record NvidiaNumaStatus(long node, String status, @Nullable Bytes size) {
    /// The memory in that node, if the file says.
    Optional<Bytes> findSize() {
        return Optional.ofNullable(size);
    }

    /// Whether the host uses the node.
    boolean isOnline() {
        return status.equals("online");
    }
}
