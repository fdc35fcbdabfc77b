// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.pci;

import static dev.muster.detect.FuzzText.text;

import com.code_intelligence.jazzer.junit.FuzzTest;

/// What the kernel may say of PCI devices: whatever it is, the readers end as they declare.
final class PciFuzzTest {
    @FuzzTest
    void path(byte[] data) {
        PciPath.parse(text(data)).ifPresent(PciPath::stations);
    }

    @FuzzTest
    void rate(byte[] data) {
        String text = text(data);
        PcieRate.parseSpeed(text);
        PcieRate.parseWidth(text);
        PcieRate.parseGeneration(text);
    }
}
