// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.vulkan;

import static dev.muster.detect.FuzzText.DEVICES;
import static dev.muster.detect.FuzzText.atMost;
import static dev.muster.detect.FuzzText.text;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.List;

/// What `vulkaninfo` may print: whatever it is, the readers end as they declare.
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
