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
    V2("V2", "v2", 16, 124.0, 46, 4, 5, false),
    /// TPU v3.
    V3("V3", "v3", 32, 164.0, 52, 11, 13, false),
    /// TPU v4.
    V4("V4", "v4", 32, 192.0, 70, 25, 28, true),
    /// TPU v5e.
    V5E("V5e", "v5e", 16, 204.8, 55, 18, 20, true),
    /// TPU v5p.
    V5P("V5p", "v5p", 95, 409.6, 80, 35, 40, true),
    /// TPU v6e (Trillium).
    V6E("V6e", "v6e", 32, 448.0, 82, 83, 93, false),
    /// TPU v7 (Ironwood).
    V7("V7", "v7", 192, 600.0, 90, 210, 235, false);

    private final String referenceName;
    private final String display;
    private final Bytes memoryPerChip;
    private final Bandwidth interconnectPerChip;
    private final int rank;
    private final double throughputMultiplier;
    private final double trainingMultiplier;
    private final boolean inReference;

    TpuVersion(
            String referenceName,
            String display,
            long gibPerChip,
            double interconnectGbps,
            int rank,
            double throughputMultiplier,
            double trainingMultiplier,
            boolean inReference) {
        this.referenceName = referenceName;
        this.display = display;
        this.memoryPerChip = Bytes.ofGib(gibPerChip);
        this.interconnectPerChip = new Bandwidth(interconnectGbps);
        this.rank = rank;
        this.throughputMultiplier = throughputMultiplier;
        this.trainingMultiplier = trainingMultiplier;
        this.inReference = inReference;
    }

    /// The name in documents of ai-hwaccel, such as `V5p`.
    public String referenceName() {
        return referenceName;
    }

    /// The name for people, such as `v5p`.
    public String display() {
        return display;
    }

    /// High-bandwidth memory of one chip.
    public Bytes memoryPerChip() {
        return memoryPerChip;
    }

    /// Inter-chip interconnect of one chip, all links together.
    public Bandwidth interconnectPerChip() {
        return interconnectPerChip;
    }

    /// Whether documents of ai-hwaccel know this generation.
    public boolean isInReference() {
        return inReference;
    }

    int rank() {
        return rank;
    }

    double throughputMultiplier() {
        return throughputMultiplier;
    }

    double trainingMultiplier() {
        return trainingMultiplier;
    }
}
