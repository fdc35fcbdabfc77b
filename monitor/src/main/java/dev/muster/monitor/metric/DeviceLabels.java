// SPDX-License-Identifier: Apache-2.0
package dev.muster.monitor.metric;

import dev.muster.core.AcceleratorFamily;
import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Partition;
import dev.muster.core.PciAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// The labels of a device in each naming.
final class DeviceLabels {
    private static final List<String> MUSTER = List.of("device", "uuid", "host");
    private static final List<String> DCGM = List.of(
            "gpu",
            "UUID",
            "pci_bus_id",
            "device",
            "modelName",
            "GPU_I_PROFILE",
            "GPU_I_ID",
            "Hostname",
            "DCGM_FI_DRIVER_VERSION");
    private static final List<String> OTEL = List.of(
            "hw_id",
            "hw_type",
            "hw_name",
            "hw_model",
            "hw_vendor",
            "hw_driver_version",
            "hw_firmware_version",
            "hw_parent",
            "host_name");
    private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]");
    /// The names of [#facts].
    static final List<String> FACTS = List.of(
            "vendor",
            "kind",
            "family",
            "model",
            "driver",
            "firmware",
            "architecture",
            "compute_capability",
            "pci_address",
            "numa_node",
            "parent",
            "partition");

    private DeviceLabels() {}

    /// The names of all labels that a device can have, in the naming's order.
    static List<String> names(MetricNames names) {
        return switch (names) {
            case MUSTER -> MUSTER;
            case DCGM -> DCGM;
            case OTEL -> OTEL;
        };
    }

    /// The labels of every sample of a device, in the naming's order.
    ///
    /// @param place the device's place among the accelerators
    static Map<String, String> of(
            MetricNames names, AcceleratorRegistry registry, AcceleratorProfile device, int place, String host) {
        return printable(
                switch (names) {
                    case MUSTER -> muster(device, host);
                    case DCGM -> dcgm(registry, device, place, host);
                    case OTEL -> otel(registry, device, host);
                });
    }

    /// Device texts are foreign: without characters that are invisible or turn the direction of text.
    private static Map<String, String> printable(Map<String, String> labels) {
        labels.replaceAll((_, text) -> UNPRINTABLE.matcher(text).replaceAll("?"));
        return labels;
    }

    private static Map<String, String> muster(AcceleratorProfile device, String host) {
        Map<String, String> labels = new LinkedHashMap<>();
        labels.put("device", device.id().text());
        put(labels, "uuid", device.reading(DeviceFact.UUID).find());
        put(labels, "host", Optional.of(host));
        return labels;
    }

    /// The labels of `accel_info` beside [#muster].
    static Map<String, String> facts(AcceleratorProfile device) {
        Map<String, String> labels = new LinkedHashMap<>();
        labels.put("vendor", vendor(device.accelerator()));
        labels.put("kind", device.accelerator().kind().text());
        labels.put("family", family(device.accelerator().kind().family()));
        put(labels, "model", device.deviceName().find());
        put(labels, "driver", device.reading(DeviceFact.DRIVER_VERSION).find());
        put(labels, "firmware", device.reading(DeviceFact.FIRMWARE_VERSION).find());
        put(labels, "architecture", device.reading(DeviceFact.ARCHITECTURE).find());
        put(
                labels,
                "compute_capability",
                device.reading(DeviceFact.COMPUTE_CAPABILITY).find());
        put(labels, "pci_address", device.reading(DeviceFact.PCI_ADDRESS).find().map(PciAddress::toString));
        put(labels, "numa_node", device.reading(DeviceFact.NUMA_NODE).find().map(String::valueOf));
        put(labels, "parent", device.partition().map(slice -> slice.parent().text()));
        put(labels, "partition", device.partition().map(Partition::shape));
        return printable(labels);
    }

    private static Map<String, String> dcgm(
            AcceleratorRegistry registry, AcceleratorProfile device, int place, String host) {
        Optional<Partition> slice = device.partition();
        AcceleratorProfile board =
                slice.flatMap(part -> registry.find(part.parent())).orElse(device);
        String number = number(board.id().text()).orElse(String.valueOf(place));
        boolean isNvidia = board.accelerator().kind() == AcceleratorKind.CUDA_GPU;
        Map<String, String> labels = new LinkedHashMap<>();
        labels.put("gpu", number);
        labels.put("UUID", board.reading(DeviceFact.UUID).find().orElse(""));
        put(labels, "pci_bus_id", board.reading(DeviceFact.PCI_ADDRESS).find().map(DeviceLabels::busId));
        labels.put("device", isNvidia ? "nvidia" + number : board.id().text());
        labels.put("modelName", board.deviceName().find().orElse(""));
        if (slice.isPresent()) {
            labels.put("GPU_I_PROFILE", slice.get().shape());
            labels.put("GPU_I_ID", slice.get().id());
        }
        labels.put("Hostname", host);
        put(
                labels,
                "DCGM_FI_DRIVER_VERSION",
                board.reading(DeviceFact.DRIVER_VERSION).find());
        return labels;
    }

    /// The number at the end of a device's id, as in `cuda:3`.
    private static Optional<String> number(String id) {
        int colon = id.lastIndexOf(':');
        String end = id.substring(colon + 1);
        boolean digits = colon >= 0 && !end.isEmpty() && end.chars().allMatch(c -> c >= '0' && c <= '9');
        return digits ? Optional.of(end) : Optional.empty();
    }

    /// As DCGM writes it: eight digits of domain, in capitals.
    private static String busId(PciAddress address) {
        return String.format(
                Locale.ROOT,
                "%08X:%02X:%02X.%X",
                address.domain(),
                address.bus(),
                address.device(),
                address.function());
    }

    private static Map<String, String> otel(AcceleratorRegistry registry, AcceleratorProfile device, String host) {
        Map<String, String> labels = new LinkedHashMap<>();
        labels.put("hw_id", otelId(device));
        labels.put("hw_type", "gpu");
        labels.put("hw_name", device.id().text());
        put(labels, "hw_model", device.deviceName().find());
        labels.put("hw_vendor", vendor(device.accelerator()));
        put(
                labels,
                "hw_driver_version",
                device.reading(DeviceFact.DRIVER_VERSION).find());
        put(
                labels,
                "hw_firmware_version",
                device.reading(DeviceFact.FIRMWARE_VERSION).find());
        put(
                labels,
                "hw_parent",
                device.partition()
                        .map(slice -> registry.find(slice.parent())
                                .map(DeviceLabels::otelId)
                                .orElse(slice.parent().text())));
        put(labels, "host_name", Optional.of(host));
        return labels;
    }

    private static String otelId(AcceleratorProfile device) {
        return device.reading(DeviceFact.UUID).find().orElse(device.id().text());
    }

    private static void put(Map<String, String> labels, String key, Optional<String> value) {
        value.filter(text -> !text.isEmpty()).ifPresent(text -> labels.put(key, text));
    }

    private static String family(AcceleratorFamily family) {
        return family.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static String vendor(AcceleratorType type) {
        return type instanceof AcceleratorType.Other other
                ? other.text()
                : type.kind().vendor();
    }
}
