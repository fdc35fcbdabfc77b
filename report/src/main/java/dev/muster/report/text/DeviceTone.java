// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.text;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.DeviceUsability;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import dev.muster.report.text.TextTable.Tone;
import java.util.Optional;

/// The tones of a device's cells: one for faults, another for hot or full devices.
final class DeviceTone {
    /// The temperature near which data-centre GPUs lower their clocks: NVIDIA's slow down at 87 to 92 C, AMD's at 100
    /// (2026-11).
    private static final double HOT_CELSIUS = 85;
    /// The share from which memory counts as full: the rest holds no further model, and fragments.
    private static final double FULL_SHARE = 0.9;

    private DeviceTone() {}

    static Tone of(String field, AcceleratorProfile device) {
        return switch (field) {
            case "state", "status", "health" -> isFaulty(device) ? Tone.ALARM : Tone.USUAL;
            case "ecc-uncorrected" ->
                device.reading(DeviceFact.ECC_UNCORRECTED).find().orElse(0L) > 0 ? Tone.ALARM : Tone.USUAL;
            case "temperature" -> warnIf(isHot(device));
            case "use", "free", "used" -> warnIf(isFull(device));
            default -> Tone.USUAL;
        };
    }

    private static boolean isFaulty(AcceleratorProfile device) {
        for (DeviceUsability.Reason fault : DeviceUsability.of(device).faults()) {
            if (fault.obstacle() != DeviceUsability.Obstacle.WARNING) {
                return true;
            }
        }
        return false;
    }

    private static Tone warnIf(boolean noteworthy) {
        return noteworthy ? Tone.WARNING : Tone.USUAL;
    }

    private static boolean isHot(AcceleratorProfile device) {
        Optional<Celsius> now = device.reading(DeviceFact.TEMPERATURE).find();
        return now.isPresent() && now.get().degrees() >= HOT_CELSIUS;
    }

    private static boolean isFull(AcceleratorProfile device) {
        Optional<Bytes> free = device.memoryFree().find();
        Optional<Bytes> all = device.memory().find();
        return free.isPresent()
                && all.isPresent()
                && free.get().toDouble() <= (1 - FULL_SHARE) * all.get().toDouble();
    }
}
