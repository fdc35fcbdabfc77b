// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.windows;

import static dev.muster.detect.FuzzText.DEVICES;
import static dev.muster.detect.FuzzText.atMost;
import static dev.muster.detect.FuzzText.text;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.List;

/// Fuzz test: output of the tools of Windows; any input ends in a result or a declared failure.
final class WindowsFuzzTest {
    @FuzzTest
    void wmic(byte[] data) {
        WmicParser.parse(text(data)).ifPresent(WindowsFuzzTest::check);
    }

    @FuzzTest
    void powerShell(byte[] data) {
        PowerShellParser.parse(text(data)).ifPresent(answer -> {
            check(answer.adapters());
            atMost(DEVICES, answer.memory());
            answer.memory().forEach(WindowsAdapter.Memory::findSize);
        });
    }

    private static void check(List<WindowsAdapter> adapters) {
        atMost(DEVICES, adapters);
        for (WindowsAdapter adapter : adapters) {
            adapter.findMemory();
            adapter.findPciId();
            adapter.isVirtual();
        }
    }
}
