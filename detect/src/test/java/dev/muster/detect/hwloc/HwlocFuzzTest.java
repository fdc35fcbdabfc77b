// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.hwloc;

import static dev.muster.detect.FuzzText.DEVICES;
import static dev.muster.detect.FuzzText.atMost;
import static dev.muster.detect.FuzzText.declared;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.muster.core.AcceleratorRegistry;

/// Fuzz test: content of a file from another person; any input ends in a result or a declared failure.
final class HwlocFuzzTest {
    @FuzzTest
    void document(byte[] data) {
        try {
            AcceleratorRegistry registry = HwlocDocument.read(data);
            // The processor is a device too.
            atMost(DEVICES + 1, registry.profiles());
        } catch (HwlocFormatException expected) {
            declared(expected);
        }
    }
}
