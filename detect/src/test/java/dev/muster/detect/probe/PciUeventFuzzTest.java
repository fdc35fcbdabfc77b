// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.probe;

import static dev.muster.detect.FuzzText.text;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.muster.core.PciAddress;

/// Fuzz test: the kernel's data on a PCI device; any input ends in a result or a declared failure.
final class PciUeventFuzzTest {
    private static final PciAddress ADDRESS = PciAddress.find("0000:3b:00.0").orElseThrow();

    @FuzzTest
    void uevent(byte[] data) {
        PciInventory.parse(ADDRESS, text(data));
    }
}
