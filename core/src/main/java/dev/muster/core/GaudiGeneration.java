package dev.muster.core;

import dev.muster.core.unit.Bytes;

/// A generation of Intel Gaudi. Gaudi 2 and 3 carry ai-hwaccel 1.2.0's figures; the first generation is not in its
/// documents; its multipliers are Gaudi 2's, scaled by the 16-bit peak rate.
///
/// @since 0.1
public enum GaudiGeneration {
    /// The first Gaudi (HL-205).
    GAUDI1("Gaudi", 32, 46, 6, 7, false),
    /// Gaudi 2 (HL-225).
    GAUDI2("Gaudi2", 96, 65, 22, 25, true),
    /// Gaudi 3 (HL-325).
    GAUDI3("Gaudi3", 128, 75, 30, 35, true);

    private final String display;
    private final Bytes memory;
    private final int rank;
    private final double throughputMultiplier;
    private final double trainingMultiplier;
    private final boolean inReference;

    GaudiGeneration(
            String display,
            long gib,
            int rank,
            double throughputMultiplier,
            double trainingMultiplier,
            boolean inReference) {
        this.display = display;
        this.memory = Bytes.ofGib(gib);
        this.rank = rank;
        this.throughputMultiplier = throughputMultiplier;
        this.trainingMultiplier = trainingMultiplier;
        this.inReference = inReference;
    }

    /// The name for people and in documents of ai-hwaccel, such as `Gaudi3`.
    public String display() {
        return display;
    }

    /// High-bandwidth memory of one device.
    public Bytes memory() {
        return memory;
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
