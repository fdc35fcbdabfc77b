// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.environment;

import static dev.muster.detect.FuzzText.DEVICES;
import static dev.muster.detect.FuzzText.atMost;
import static dev.muster.detect.FuzzText.text;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.Map;

/// Fuzz test: content of control groups, mounts and variables; any input ends in a result or a declared failure.
final class EnvironmentFuzzTest {
    @FuzzTest
    void cgroup(byte[] data) {
        String text = text(data);
        CgroupText.findPath(text, "memory");
        CgroupText.parseMemoryLimit(text);
        CgroupText.parseCpuLimit(text);
        CgroupText.cpuLimit(text, text);
        ContainerText.findInCgroup(text);
    }

    @FuzzTest
    void mountinfo(byte[] data) {
        ContainerText.findInMountinfo(text(data));
    }

    @FuzzTest
    void variables(byte[] data) {
        String text = text(data);
        atMost(DEVICES, GpuGrantRule.split(text));
        for (String name : GpuGrantRule.DEVICE_VARIABLES) {
            GpuGrantRule.findGrant(Map.of(name, text));
        }
    }
}
