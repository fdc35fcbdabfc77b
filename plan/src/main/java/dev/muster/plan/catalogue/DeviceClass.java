package dev.muster.plan.catalogue;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// What a device is sold for.
///
/// @since 0.1
public enum DeviceClass {
    /// Servers.
    DATACENTER,
    /// Professional desktops.
    WORKSTATION,
    /// Home computers.
    CONSUMER,
    /// Small computers beside machines and sensors; memory is shared with the processor.
    EDGE,
    /// Processors with a large GPU inside, which share their memory.
    APU,
    /// Whole computers on a chip, which share their memory.
    SOC,
    /// A wafer in one piece.
    WAFER;

    private final String text = name().toLowerCase(Locale.ROOT);

    /// The class as the catalogue writes it.
    public String text() {
        return text;
    }

    /// Whether the device and the processor share one memory, whose size a buyer chooses.
    boolean sharesMemory() {
        return this == EDGE || this == APU || this == SOC;
    }

    static Optional<DeviceClass> find(String text) {
        for (DeviceClass value : values()) {
            if (value.text.equals(text)) {
                return Optional.of(value);
            }
        }
        return Optional.empty();
    }

    static List<String> texts() {
        return Arrays.stream(values()).map(DeviceClass::text).toList();
    }
}
