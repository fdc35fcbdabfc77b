// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.intel;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.probe.ProbeContext;
import java.util.List;
import java.util.Optional;

/// Cards whose name and memory the kernel's drivers do not tell: ids and names from the kernel's list of xe and i915
/// devices, memory from Intel's product pages (2026-11).
///
/// @param pciId vendor and device
/// @param label the product's name
/// @param gibibytes its memory; 0 where cards of one id differ, or have several GPUs
record IntelModel(String pciId, String label, int gibibytes) {
    private static final List<IntelModel> MODELS = List.of(
            new IntelModel("8086:0bd5", "Intel Data Center GPU Max 1550", 128),
            new IntelModel("8086:0bda", "Intel Data Center GPU Max 1100", 48),
            new IntelModel("8086:56a0", "Intel Arc A770", 0),
            new IntelModel("8086:56a1", "Intel Arc A750", 8),
            new IntelModel("8086:56a2", "Intel Arc A580", 8),
            new IntelModel("8086:56a5", "Intel Arc A380", 6),
            new IntelModel("8086:56a6", "Intel Arc A310", 4),
            new IntelModel("8086:56c0", "Intel Data Center GPU Flex 170", 16),
            new IntelModel("8086:56c1", "Intel Data Center GPU Flex 140", 0),
            new IntelModel("8086:e20b", "Intel Arc B580", 12),
            new IntelModel("8086:e20c", "Intel Arc B570", 10),
            new IntelModel("8086:e211", "Intel Arc Pro B60", 24),
            new IntelModel("8086:e212", "Intel Arc Pro B50", 16),
            new IntelModel("8086:e222", "Intel Arc Pro B65", 32),
            new IntelModel("8086:e223", "Intel Arc Pro B70", 32));

    static Optional<IntelModel> find(String pciId) {
        return MODELS.stream().filter(model -> model.pciId.equals(pciId)).findFirst();
    }

    /// The card with the facts that are still missing.
    static AcceleratorProfile complete(AcceleratorProfile card) {
        Optional<IntelModel> model = card.reading(DeviceFact.PCI_ID).find().flatMap(IntelModel::find);
        if (model.isEmpty()) {
            return card;
        }
        Provenance source = ProbeContext.fromCatalogue("Intel GPUs by PCI id");
        AcceleratorProfile.ProfileBuilder completed = card.toBuilder();
        if (!card.deviceName().isKnown()) {
            completed.with(DeviceFact.DEVICE_NAME, Reading.known(model.get().label, source));
        }
        if (!card.memory().isKnown() && model.get().gibibytes > 0) {
            completed.with(DeviceFact.MEMORY, Reading.known(Bytes.ofGib(model.get().gibibytes), source));
        }
        return completed.build();
    }
}
