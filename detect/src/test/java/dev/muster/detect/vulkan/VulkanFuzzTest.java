// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.vulkan;

import static dev.muster.detect.FuzzText.DEVICES;
import static dev.muster.detect.FuzzText.atMost;
import static dev.muster.detect.FuzzText.text;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.List;

/// Fuzz test: output of `vulkaninfo`; any input ends in a result or a declared failure.
final class VulkanFuzzTest {
    @FuzzTest
    void json(byte[] data) {
        VulkanJsonParser.parse(text(data));
    }

    @FuzzTest
    void words(byte[] data) {
        List<VulkanDevice> devices = VulkanTextParser.parse(text(data));
        atMost(DEVICES, devices);
        VulkanDevices.merge(devices, devices);
    }
}
