// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;

/// A generation of Google's TPU, with its constants per chip.
///
/// v4, v5e and v5p carry ai-hwaccel 1.2.0's figures. The other generations are not in its documents: their memory and
/// one-way interconnect are from Google's system-architecture pages (2026-11), their multipliers are v4's, scaled by
/// the 16-bit peak rate.
///
/// @since 0.1
public enum TpuVersion {
    /// TPU v2.
    V2("V2", 124.0, new ChipSpecs("v2", 16, 46, 4, 5, false)),
    /// TPU v3.
    V3("V3", 164.0, new ChipSpecs("v3", 32, 52, 11, 13, false)),
    /// TPU v4.
    V4("V4", 192.0, new ChipSpecs("v4", 32, 70, 25, 28, true)),
    /// TPU v5e.
    V5E("V5e", 204.8, new ChipSpecs("v5e", 16, 55, 18, 20, true)),
    /// TPU v5p.
    V5P("V5p", 409.6, new ChipSpecs("v5p", 95, 80, 35, 40, true)),
    /// TPU v6e (Trillium).
    V6E("V6e", 448.0, new ChipSpecs("v6e", 32, 82, 83, 93, false)),
    /// TPU v7 (Ironwood).
    V7("V7", 600.0, new ChipSpecs("v7", 192, 90, 210, 235, false));

    private final String referenceName;
    private final Bandwidth interconnectPerChip;
    private final ChipSpecs figures;

    TpuVersion(String referenceName, double interconnectGbps, ChipSpecs figures) {
        this.referenceName = referenceName;
        this.interconnectPerChip = new Bandwidth(interconnectGbps);
        this.figures = figures;
    }

    /// The name in documents of ai-hwaccel, such as `V5p`.
    public String referenceName() {
        return referenceName;
    }

    /// The name for people, such as `v5p`.
    public String display() {
        return figures.display();
    }

    /// High-bandwidth memory of one chip.
    public Bytes memoryPerChip() {
        return figures.memory();
    }

    /// Inter-chip interconnect of one chip, all links together.
    public Bandwidth interconnectPerChip() {
        return interconnectPerChip;
    }

    /// Reports whether documents of ai-hwaccel know this generation.
    public boolean isInReference() {
        return figures.inReference();
    }

    ChipSpecs figures() {
        return figures;
    }
}
