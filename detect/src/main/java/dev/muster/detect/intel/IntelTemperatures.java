// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.intel;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Reading;
import dev.muster.core.unit.Celsius;
import dev.muster.detect.file.AttributeFolder;
import dev.muster.detect.text.Amount;
import java.util.List;

/// The temperatures of a card, by label: which number is which changes from driver to driver.
final class IntelTemperatures {
    private static final String LABEL = "_label";
    private static final String INPUT = "_input";
    private static final double MILLI = 1000;
    private static final double LEAST = -100_000;
    private static final double MOST = 300_000;

    private IntelTemperatures() {}

    /// Adds those of the chip and of the memory.
    ///
    /// @param names the files of the folder
    static void add(AcceleratorProfile.ProfileBuilder profile, AttributeFolder sensors, List<String> names) {
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
        boolean single = !labelled && names.contains("temp1_input");
        profile.with(DeviceFact.TEMPERATURE, single ? celsius(sensors, "temp1_input") : chip)
                .with(DeviceFact.MEMORY_TEMPERATURE, memory);
    }

    private static Reading<Celsius> celsius(AttributeFolder sensors, String name) {
        return sensors.reading(
                name,
                text -> Amount.decimal(text, "")
                        .filter(value -> value > LEAST && value < MOST)
                        .map(value -> new Celsius(value / MILLI)));
    }
}
