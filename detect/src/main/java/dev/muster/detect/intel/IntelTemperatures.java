package dev.muster.detect.intel;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Reading;
import dev.muster.core.unit.Celsius;
import dev.muster.detect.host.AttributeFolder;
import java.util.List;
import java.util.Optional;

/// The temperatures of a card, by label: which number is which changes from driver to driver.
///
/// @param chip the temperature of the chip
/// @param memory the temperature of the memory
record IntelTemperatures(Reading<Celsius> chip, Reading<Celsius> memory) {
    private static final String LABEL = "_label";
    private static final String INPUT = "_input";
    private static final double MILLI = 1000;
    private static final long LEAST = -100_000;
    private static final long MOST = 300_000;

    static IntelTemperatures of(AttributeFolder sensors, List<String> names) {
        Reading<Celsius> chip = Reading.notProbed();
        Reading<Celsius> memory = Reading.notProbed();
        boolean labelled = false;
        for (String name : names) {
            if (name.startsWith("temp") && name.endsWith(LABEL)) {
                labelled = true;
                String input = name.substring(0, name.length() - LABEL.length()) + INPUT;
                String label = sensors.text(name).find().orElse("");
                chip = label.equals("pkg") ? celsius(sensors, input) : chip;
                memory = label.equals("vram") ? celsius(sensors, input) : memory;
            }
        }
        return new IntelTemperatures(
                labelled || !names.contains("temp1_input") ? chip : celsius(sensors, "temp1_input"), memory);
    }

    private static Reading<Celsius> celsius(AttributeFolder sensors, String name) {
        return sensors.reading(name, text -> {
            try {
                return Optional.of(Long.parseLong(text))
                        .filter(value -> value > LEAST && value < MOST)
                        .map(value -> new Celsius(value / MILLI));
            } catch (NumberFormatException _) {
                return Optional.empty();
            }
        });
    }

    void addTo(AcceleratorProfile.Builder profile) {
        profile.with(DeviceFact.TEMPERATURE, chip).with(DeviceFact.MEMORY_TEMPERATURE, memory);
    }
}
