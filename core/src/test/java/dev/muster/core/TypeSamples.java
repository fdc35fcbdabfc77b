// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import java.util.ArrayList;
import java.util.List;

/// At least one type of every kind and generation.
public final class TypeSamples {
    private TypeSamples() {}

    /// Every kind, and every generation of those kinds that have some.
    public static List<AcceleratorType> all() {
        List<AcceleratorType> types = new ArrayList<>();
        for (AcceleratorKind kind : AcceleratorKind.values()) {
            types.addAll(of(kind));
        }
        return types;
    }

    private static List<AcceleratorType> of(AcceleratorKind kind) {
        List<AcceleratorType> types = new ArrayList<>();
        switch (kind) {
            case TPU -> {
                for (TpuVersion version : TpuVersion.values()) {
                    types.add(new AcceleratorType.Tpu(2, 4, version));
                }
            }
            case GAUDI -> {
                for (GaudiGeneration generation : GaudiGeneration.values()) {
                    types.add(new AcceleratorType.Gaudi(3, generation));
                }
            }
            case AWS_NEURON -> {
                for (NeuronChip chip : NeuronChip.values()) {
                    types.add(new AcceleratorType.Neuron(1, chip, 2));
                }
            }
            case OTHER -> {
                for (AcceleratorFamily family : AcceleratorFamily.values()) {
                    types.add(new AcceleratorType.Other("acme-" + family.text(), family, 1));
                }
            }
            default -> types.add(AcceleratorType.of(kind, 0));
        }
        return types;
    }

    /// The types that tagged documents of ai-hwaccel can name: 18 kinds, 22 with their generations.
    public static List<AcceleratorType> ofReference() {
        return all().stream().filter(TypeSamples::isInReference).toList();
    }

    private static boolean isInReference(AcceleratorType type) {
        return switch (type) {
            case AcceleratorType.Plain plain -> plain.kind().findReferenceTag().isPresent();
            case AcceleratorType.Other _ -> false;
            case AcceleratorType.Tpu tpu -> tpu.version().isInReference();
            case AcceleratorType.Gaudi gaudi -> gaudi.generation().isInReference();
            case AcceleratorType.Neuron neuron -> neuron.chip().isInReference();
        };
    }
}
