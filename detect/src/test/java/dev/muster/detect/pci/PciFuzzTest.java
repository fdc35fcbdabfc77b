// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.pci;

import static dev.muster.detect.FuzzText.text;

import com.code_intelligence.jazzer.junit.FuzzTest;

/// Fuzz test: the kernel's data on PCI devices; any input ends in a result or a declared failure.
final class PciFuzzTest {
    @FuzzTest
    void path(byte[] data) {
        PciPath.parse(text(data)).ifPresent(PciPath::hops);
    }

    @FuzzTest
    void rate(byte[] data) {
        String text = text(data);
        PcieRate.parseSpeed(text);
        PcieRate.parseWidth(text);
        PcieRate.parseGeneration(text);
    }
}
