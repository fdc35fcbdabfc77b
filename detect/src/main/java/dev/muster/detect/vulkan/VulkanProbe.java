// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.vulkan;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.Provenance;
import dev.muster.detect.host.CommandOutcome;
import dev.muster.detect.host.Tool;
import dev.muster.detect.probe.PciDevice;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.probe.ProbeReport;
import dev.muster.detect.tool.DeviceSearch;
import dev.muster.detect.tool.ToolDevice;
import java.util.List;

/// Finds GPUs that no driver-specific backend serves: through `vulkaninfo`, then in the kernel's list of graphics
/// cards. Stateless.
public final class VulkanProbe implements DeviceSearch {
    static final String NAME = "vulkan";

    private static final Tool VULKANINFO = Tool.of("vulkaninfo");

    @Override
    public boolean hasSigns(ProbeContext context) {
        boolean served = false;
        for (PciDevice device : context.pci().devices()) {
            if (device.isDisplay()) {
                if (!UnclaimedCards.isServed(device.driver())
                        && !UnclaimedCards.isNoGpu(device.driver(), device.vendor())) {
                    return true;
                }
                served = true;
            }
        }
        if (served) {
            return false;
        }
        return context.isInstalled(VULKANINFO)
                || (context.pci().devices().isEmpty()
                        && !UnclaimedCards.list(context.files()).isEmpty());
    }

    @Override
    public ProbeReport probe(ProbeContext context) {
        ProbeReport.ReportBuilder report = ProbeReport.builder();
        for (VulkanDevice device : devices(context, report)) {
            report.add(profile(device, report.profiles().size(), context.fromTool(VULKANINFO)));
        }
        UnclaimedCards.add(context, report);
        return report.build();
    }

    private static List<VulkanDevice> devices(ProbeContext context, ProbeReport.ReportBuilder report) {
        String text = context.ask(VULKANINFO, report::add, "--summary").orElse("");
        List<VulkanDevice> summary = VulkanTextParser.parse(text);
        if (summary.isEmpty() && text.contains("Cannot create Vulkan instance")) {
            report.add(new Gap.Unparsable(NAME, "vulkaninfo cannot create a Vulkan instance: no driver answers"));
        }
        List<VulkanDevice> gpus = VulkanDevices.merge(summary, List.of());
        return gpus.isEmpty() ? gpus : VulkanDevices.merge(summary, withHeaps(context, gpus));
    }

    /// The summary has no sizes. The full text may fail where the summary did not, and then only memory is unknown.
    private static List<VulkanDevice> withHeaps(ProbeContext context, List<VulkanDevice> gpus) {
        CommandOutcome outcome = context.run(VULKANINFO);
        if (outcome.isSuccess()) {
            return VulkanTextParser.parse(outcome.findOutput().orElse(""));
        }
        if (outcome instanceof CommandOutcome.Expired || gpus.size() > 1) {
            return List.of();
        }
        return context.run(VULKANINFO, "-j").findOutput().flatMap(VulkanJsonParser::parse).stream()
                .toList();
    }

    private static AcceleratorProfile profile(VulkanDevice device, int number, Provenance source) {
        ToolDevice profile = new ToolDevice(AcceleratorKind.VULKAN_GPU, number, source)
                .withoutMemory("vulkaninfo did not list the memory's heaps")
                .with(DeviceFact.MEMORY, device.findMemory())
                .with(DeviceFact.DEVICE_NAME, device.findName())
                .with(DeviceFact.DRIVER_VERSION, device.findDriver())
                .with(DeviceFact.RUNTIME_VERSION, device.find("apiVersion"))
                .with(DeviceFact.COMPUTE_CAPABILITY, device.find("apiVersion").map(api -> "Vulkan " + api))
                .with(DeviceFact.UUID, device.find("deviceUUID"))
                .with(DeviceFact.PCI_ADDRESS, device.findAddress());
        return device.isGuest()
                ? profile.text(DeviceFact.VIRTUALIZATION, "guest of a virtual GPU")
                        .build()
                : profile.with(DeviceFact.PCI_ID, device.findPciId()).build();
    }
}
