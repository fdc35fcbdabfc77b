// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.amd;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Reading;
import dev.muster.core.unit.Celsius;
import dev.muster.core.unit.Joules;
import dev.muster.core.unit.Watts;
import dev.muster.detect.file.AttributeFolder;
import dev.muster.detect.host.HostFiles;
import java.util.List;
import java.util.Optional;

/// The sensors of one GPU.
record Sensors(AttributeFolder folder) {
    private static final int SENSORS = 3;
    private static final double MICRO = 1e6;

    /// The sensors of a device; nothing where it has none.
    static Optional<Sensors> find(HostFiles files, AttributeFolder device) {
        List<String> names = files.numbered(device.path() + "/hwmon", "hwmon");
        return names.isEmpty()
                ? Optional.empty()
                : Optional.of(new Sensors(device.folder("hwmon").folder(names.getFirst())));
    }

    void read(AcceleratorProfile.ProfileBuilder gpu) {
        gpu.with(DeviceFact.TEMPERATURE, temperature())
                .with(DeviceFact.HOTSPOT_TEMPERATURE, byLabel("junction"))
                .with(DeviceFact.MEMORY_TEMPERATURE, byLabel("mem"))
                .with(DeviceFact.POWER, power())
                .with(
                        DeviceFact.POWER_LIMIT,
                        folder.reading("power1_cap", text -> AmdText.powerLimit(AmdText.microWatts(text))));
    }

    /// The energy since the driver was loaded, in millionths of a joule.
    void readEnergy(AcceleratorProfile.ProfileBuilder gpu) {
        gpu.with(
                DeviceFact.ENERGY,
                folder.reading("energy1_input", text -> AmdText.whole(text).map(value -> new Joules(value / MICRO))));
    }

    /// Reports whether the GPU is part of a processor: only then does the driver show the voltage of the processor's
    /// bridge.
    boolean isInProcessor() {
        return folder.text("in1_label").matches("vddnb"::equals);
    }

    /// The edge of the chip; the newest data-centre GPUs only have its hottest point.
    private Reading<Celsius> temperature() {
        if (!folder.has("temp1_label") && !folder.has("temp2_label")) {
            return degrees(1);
        }
        Reading<Celsius> edge = byLabel("edge");
        return edge.isKnown() ? edge : byLabel("junction");
    }

    private Reading<Celsius> byLabel(String label) {
        for (int i = 1; i <= SENSORS; i++) {
            if (folder.text("temp" + i + "_label").matches(label::equals)) {
                return degrees(i);
            }
        }
        return Reading.notProbed();
    }

    private Reading<Celsius> degrees(int sensor) {
        return folder.reading("temp" + sensor + "_input", AmdText::milliDegrees);
    }

    private Reading<Watts> power() {
        Reading<Watts> average = folder.reading("power1_average", AmdText::microWatts);
        return average.isKnown() ? average : folder.reading("power1_input", AmdText::microWatts);
    }
}
