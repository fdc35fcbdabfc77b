// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import dev.muster.core.unit.Bytes;

/// A chip of AWS Neuron. Inferentia and Trainium carry ai-hwaccel 1.2.0's figures (its memory per core is twice the
/// real one; probes read the real one). The later chips are not in its documents; their multipliers are Trainium's,
/// scaled by the 16-bit peak rate.
///
/// @since 0.1
public enum NeuronChip {
    /// Inferentia.
    INFERENTIA(new ChipSpecs("Inferentia", 16, 45, 15, 0, true)),
    /// Trainium.
    TRAINIUM(new ChipSpecs("Trainium", 32, 58, 24, 26, true)),
    /// Inferentia 2: two cores share 32 GiB.
    INFERENTIA2(new ChipSpecs("Inferentia2", 16, 56, 24, 0, false)),
    /// Trainium 2: eight cores share 96 GiB.
    TRAINIUM2(new ChipSpecs("Trainium2", 12, 76, 21, 23, false)),
    /// Trainium 3: eight cores share 144 GiB.
    TRAINIUM3(new ChipSpecs("Trainium3", 18, 77, 21, 23, false));

    /// Multipliers are for two cores; more cores scale them.
    private static final double CORES_OF_MULTIPLIER = 2.0;

    private final ChipSpecs figures;

    NeuronChip(ChipSpecs figures) {
        this.figures = figures;
    }

    /// The name for people and in documents of ai-hwaccel, such as `Trainium`.
    public String display() {
        return figures.display();
    }

    /// High-bandwidth memory of one core.
    public Bytes memoryPerCore() {
        return figures.memory();
    }

    /// Reports whether documents of ai-hwaccel know this chip.
    public boolean isInReference() {
        return figures.inReference();
    }

    ChipSpecs figures() {
        return figures;
    }

    double throughputMultiplier(long cores) {
        return figures.throughput() * scale(cores);
    }

    double trainingMultiplier(long cores) {
        return figures.training() * scale(cores);
    }

    private static double scale(long cores) {
        return Math.max(cores / CORES_OF_MULTIPLIER, 1.0);
    }
}
