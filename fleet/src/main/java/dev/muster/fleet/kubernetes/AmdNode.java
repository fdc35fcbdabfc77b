// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.kubernetes;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/// AMD GPUs of one node, by its resources and the labels of AMD's node labeller. In the older form of those
/// labels the value is in the key, and the label's value counts GPUs: `beta.amd.com/gpu.vram.16G=1`.
record AmdNode(NodeOffer offer, Provenance provenance) {
    private static final List<String> PREFIXES = List.of("amd.com/gpu.", "beta.amd.com/gpu.");
    private static final String VENDOR = "1002:";

    /// A value of a label, and how many GPUs have it, where the label counts them.
    private record LabelValue(String value, OptionalLong count) {}

    List<AcceleratorProfile> devices() {
        Optional<LabelValue> memory = find("vram");
        long labelled = memory.or(() -> find("device-id"))
                .map(told -> told.count().orElse(0))
                .orElse(0L);
        long count = offer.has(DeviceResource.AMD_GPU) ? offer.capacity(DeviceResource.AMD_GPU) : labelled;
        long free = offer.allocatable(DeviceResource.AMD_GPU);
        List<AcceleratorProfile> devices = new ArrayList<>();
        for (int i = 0; i < Math.min(count, NodeDevices.MAX_DEVICES); i++) {
            AcceleratorProfile.ProfileBuilder device = AcceleratorProfile.builder(
                            AcceleratorType.of(AcceleratorKind.ROCM_GPU, i))
                    .available(i < free)
                    .with(
                            DeviceFact.MEMORY,
                            stated(memory.flatMap(told -> bytes(told.value())), "no label reports the memory"))
                    .with(
                            DeviceFact.DEVICE_NAME,
                            stated(
                                    find("product-name")
                                            .map(told -> told.value().replace('_', ' ')),
                                    "no label names the model"));
            find("driver-version").ifPresent(told -> device.with(DeviceFact.DRIVER_VERSION, known(told.value())));
            find("device-id")
                    .ifPresent(told -> device.with(
                            DeviceFact.PCI_ID, known(VENDOR + told.value().toLowerCase(Locale.ROOT))));
            find("cu-count")
                    .map(told -> NodeOffer.wholeNumber(told.value()))
                    .filter(OptionalLong::isPresent)
                    .ifPresent(units ->
                            device.with(DeviceFact.COMPUTE_UNITS, Reading.known(units.getAsLong(), provenance)));
            devices.add(device.build());
        }
        return devices;
    }

    /// The labels of a kind: the value of its label, or the end of a key. Of several values, which only
    /// a mixed node has, none is believed.
    private Optional<LabelValue> find(String kind) {
        for (String prefix : PREFIXES) {
            String value = offer.label(prefix + kind);
            List<LabelValue> inKeys = new ArrayList<>();
            for (Map.Entry<String, String> label : offer.labels().entrySet()) {
                String start = prefix + kind + ".";
                if (label.getKey().startsWith(start)) {
                    inKeys.add(new LabelValue(
                            label.getKey().substring(start.length()), NodeOffer.wholeNumber(label.getValue())));
                }
            }
            if (inKeys.size() == 1) {
                return Optional.of(inKeys.getFirst());
            }
            if (!value.isEmpty() && inKeys.isEmpty()) {
                return Optional.of(new LabelValue(value, OptionalLong.empty()));
            }
        }
        return Optional.empty();
    }

    /// `16G`: the labeller divides by 2^30.
    private static Optional<Bytes> bytes(String text) {
        OptionalLong size = Quantity.find(text.endsWith("G") || text.endsWith("M") ? text + "i" : text);
        return size.isPresent() ? Optional.of(Bytes.of(size.getAsLong())) : Optional.empty();
    }

    private Reading<String> known(String value) {
        return Reading.known(value, provenance);
    }

    private <T> Reading<T> stated(Optional<T> value, String otherwise) {
        return Reading.of(value, provenance, otherwise);
    }
}
