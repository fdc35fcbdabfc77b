package dev.muster.detect.google;

import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Ratio;
import java.util.List;

/// What `tpu-info` printed.
///
/// @param runtime the version of libtpu
/// @param type the accelerator type, such as `v6e`
/// @param chips the chips in the tool's order
record TpuListing(Reading<String> runtime, Reading<String> type, List<Chip> chips) {
    TpuListing {
        chips = List.copyOf(chips);
    }

    /// One chip.
    ///
    /// @param node its node, such as `/dev/vfio/0`
    /// @param type its type in the tool's words, such as `TPU v6e chip`
    /// @param memory its memory
    /// @param used its memory in use
    /// @param duty the share of time it was busy
    record Chip(String node, String type, Reading<Bytes> memory, Reading<Bytes> used, Reading<Ratio> duty) {}
}
