// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.qualcomm;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.PciAddress;
import dev.muster.core.Provenance;
import dev.muster.detect.text.Amount;
import dev.muster.detect.text.TextBlock;
import dev.muster.detect.tool.ToolDevice;
import java.util.ArrayList;
import java.util.List;

/// Reads `qaic-util -q`: a line `QID 0` for each chip, then lines such as `Status:Ready` (Qualcomm Cloud AI SDK user
/// guide, 2026-11). Pure; lines it does not know are skipped, and amounts count only with their unit.
final class QaicUtilParser {
    private static final String START = "QID ";

    private QaicUtilParser() {}

    /// The devices that a text lists; none where it is something else.
    static List<AcceleratorProfile> parse(String text, Provenance source) {
        List<AcceleratorProfile> devices = new ArrayList<>();
        for (TextBlock block : TextBlock.split(text, START, ToolDevice.MAX_DEVICES)) {
            Amount.numbered(block.head(), START, ToolDevice.MAX_DEVICES)
                    .ifPresent(number -> devices.add(device(number, block, source)));
        }
        return devices;
    }

    private static AcceleratorProfile device(long number, TextBlock block, Provenance source) {
        ToolDevice device = new ToolDevice(AcceleratorKind.QUALCOMM_AI100, number, source);
        for (String line : block.lines()) {
            String value = TextBlock.value(line);
            switch (TextBlock.key(line)) {
                case "status" -> device.health(value, "ready").available(value.equalsIgnoreCase("ready"));
                case "pci address" -> device.with(DeviceFact.PCI_ADDRESS, PciAddress.find(value));
                case "fw version" -> device.text(DeviceFact.FIRMWARE_VERSION, value);
                case "dram total" -> device.with(DeviceFact.MEMORY, Amount.bytes(value));
                case "dram free" -> device.with(DeviceFact.MEMORY_FREE, Amount.bytes(value));
                case "nsp total" -> device.with(DeviceFact.COMPUTE_UNITS, Amount.count(value, ToolDevice.MAX_DEVICES));
                default -> {}
            }
        }
        return device.build();
    }
}
