// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.aws;

import dev.muster.core.NeuronChip;
import dev.muster.core.unit.Bytes;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Recognises AWS chips, and knows what a whole device of each has.
final class NeuronChips {
    static final int VENDOR = 0x1d0f;

    private static final int TORUS_NEIGHBOURS = 4;

    private NeuronChips() {}

    /// The chip with that PCI id. The ids are those of the open-source Neuron driver (2026-11) and, for
    /// Trainium3, of the public list of PCI ids (2026-08): leads, not captures.
    static Optional<NeuronChip> find(int device) {
        return switch (device) {
            case 0x7064, 0x7065, 0x7066, 0x7067 -> Optional.of(NeuronChip.INFERENTIA);
            case 0x7164 -> Optional.of(NeuronChip.TRAINIUM);
            case 0x7264 -> Optional.of(NeuronChip.INFERENTIA2);
            case 0x7364 -> Optional.of(NeuronChip.TRAINIUM2);
            case 0x7564, 0x7565 -> Optional.of(NeuronChip.TRAINIUM3);
            default -> Optional.empty();
        };
    }

    /// The chip that an instance type or a model names, such as `trn1.32xlarge` or `Trainium2`.
    static Optional<NeuronChip> find(String model) {
        String text = model.toLowerCase(Locale.ROOT);
        if (text.contains("trn3") || text.contains("trainium3")) {
            return Optional.of(NeuronChip.TRAINIUM3);
        }
        if (text.contains("trn2") || text.contains("trainium2")) {
            return Optional.of(NeuronChip.TRAINIUM2);
        }
        if (text.contains("trn1") || text.contains("trainium")) {
            return Optional.of(NeuronChip.TRAINIUM);
        }
        if (text.contains("inf2") || text.contains("inferentia2")) {
            return Optional.of(NeuronChip.INFERENTIA2);
        }
        return text.contains("inf1") || text.contains("inferentia")
                ? Optional.of(NeuronChip.INFERENTIA)
                : Optional.empty();
    }

    /// The chip that memory and neighbours give away, where nothing names it: an older `neuron-ls
    /// --json-output` does not. Of the chips with 32 GiB, only those of Trainium have four neighbours; alone
    /// they cannot be told apart.
    static Optional<NeuronChip> find(NeuronLsParser.Listing listing) {
        if (listing.devices().isEmpty()) {
            return Optional.empty();
        }
        NeuronLsParser.Listing.Device first = listing.devices().getFirst();
        long gibibytes =
                first.memory().find().map(memory -> Math.round(memory.toGib())).orElse(0L);
        if (gibibytes == memory(NeuronChip.TRAINIUM).toGib()) {
            return first.neighbours().size() == TORUS_NEIGHBOURS ? Optional.of(NeuronChip.TRAINIUM) : Optional.empty();
        }
        for (NeuronChip chip : List.of(NeuronChip.INFERENTIA, NeuronChip.TRAINIUM2, NeuronChip.TRAINIUM3)) {
            if (gibibytes == memory(chip).toGib()) {
                return Optional.of(chip);
            }
        }
        return Optional.empty();
    }

    /// Physical cores of a device (AWS Neuron documentation, architecture pages, 2026-11).
    static long cores(NeuronChip chip) {
        return switch (chip) {
            case INFERENTIA -> 4;
            case INFERENTIA2, TRAINIUM -> 2;
            case TRAINIUM2, TRAINIUM3 -> 8;
        };
    }

    /// Memory of a device (AWS Neuron documentation, architecture pages, 2026-11).
    static Bytes memory(NeuronChip chip) {
        return Bytes.ofGib(
                switch (chip) {
                    case INFERENTIA -> 8;
                    case INFERENTIA2, TRAINIUM -> 32;
                    case TRAINIUM2 -> 96;
                    case TRAINIUM3 -> 144;
                });
    }
}
