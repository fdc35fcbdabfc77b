// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.google;

import dev.muster.core.TpuVersion;
import java.util.Locale;
import java.util.Optional;

/// Recognises a TPU's generation: by the words of drivers, tools and variables, or by PCI ids.
final class TpuGeneration {
    static final int VENDOR = 0x1ae0;

    private static final int V2_OR_V3 = 0x0027;
    private static final int SUBSYSTEM_V2 = 0x004e;
    private static final int SUBSYSTEM_V3 = 0x004f;

    private TpuGeneration() {}

    /// Reports whether a device of Google's is a TPU: other ids of the vendor are network cards and storage.
    static boolean isTpu(int device) {
        return device == V2_OR_V3 || find(device).isPresent();
    }

    /// The generation with that PCI id. The ids are those of tpu-info's source (2026-11): leads, not captures.
    ///
    /// @param subsystem the subsystem's device id, which tells v2 from v3
    static Optional<TpuVersion> find(int device, long subsystem) {
        if (device != V2_OR_V3) {
            return find(device);
        }
        if (subsystem == SUBSYSTEM_V2) {
            return Optional.of(TpuVersion.V2);
        }
        return subsystem == SUBSYSTEM_V3 ? Optional.of(TpuVersion.V3) : Optional.empty();
    }

    private static Optional<TpuVersion> find(int device) {
        return switch (device) {
            case 0x005e -> Optional.of(TpuVersion.V4);
            case 0x0062 -> Optional.of(TpuVersion.V5P);
            case 0x0063 -> Optional.of(TpuVersion.V5E);
            case 0x006f -> Optional.of(TpuVersion.V6E);
            case 0x0076 -> Optional.of(TpuVersion.V7);
            default -> Optional.empty();
        };
    }

    /// The generation that a text names, such as `v5litepod-8`, `TPU v6e chip` or `tpu7x-8`.
    static Optional<TpuVersion> find(String words) {
        String text = words.toLowerCase(Locale.ROOT);
        if (text.contains("v5p")) {
            return Optional.of(TpuVersion.V5P);
        }
        if (text.contains("v5e") || text.contains("v5lite")) {
            return Optional.of(TpuVersion.V5E);
        }
        if (text.contains("v6e")) {
            return Optional.of(TpuVersion.V6E);
        }
        if (text.contains("tpu7x") || text.contains("v7") || text.strip().equals("7x")) {
            return Optional.of(TpuVersion.V7);
        }
        if (text.contains("v4")) {
            return Optional.of(TpuVersion.V4);
        }
        if (text.contains("v3")) {
            return Optional.of(TpuVersion.V3);
        }
        return text.contains("v2") ? Optional.of(TpuVersion.V2) : Optional.empty();
    }
}
