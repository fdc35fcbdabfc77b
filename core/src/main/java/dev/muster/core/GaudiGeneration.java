// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import dev.muster.core.unit.Bytes;

/// A generation of Intel Gaudi. Gaudi 2 and 3 carry ai-hwaccel 1.2.0's figures; the first generation is not in its
/// documents; its multipliers are Gaudi 2's, scaled by the 16-bit peak rate.
///
/// @since 0.1
public enum GaudiGeneration {
    /// The first Gaudi (HL-205).
    GAUDI1(new ChipSpecs("Gaudi", 32, 46, 6, 7, false)),
    /// Gaudi 2 (HL-225).
    GAUDI2(new ChipSpecs("Gaudi2", 96, 65, 22, 25, true)),
    /// Gaudi 3 (HL-325).
    GAUDI3(new ChipSpecs("Gaudi3", 128, 75, 30, 35, true));

    private final ChipSpecs figures;

    GaudiGeneration(ChipSpecs figures) {
        this.figures = figures;
    }

    /// The name for people and in documents of ai-hwaccel, such as `Gaudi3`.
    public String display() {
        return figures.display();
    }

    /// High-bandwidth memory of one device.
    public Bytes memory() {
        return figures.memory();
    }

    /// Reports whether documents of ai-hwaccel know this generation.
    public boolean isInReference() {
        return figures.inReference();
    }

    ChipSpecs figures() {
        return figures;
    }
}
