package dev.muster.detect.vulkan;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.detect.host.CommandOutcome;
import dev.muster.detect.host.Tool;
import dev.muster.detect.probe.PciDevice;
import dev.muster.detect.probe.Probe;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.probe.ProbeReport;
import java.util.List;
import java.util.Optional;

/// Finds GPUs that no driver-specific backend serves: through `vulkaninfo`, then in the kernel's list of graphics
/// cards.
/// Stateless.
///
/// @since 0.1
public final class VulkanProbe implements Probe {
    static final String NAME = "vulkan";

    private static final Tool VULKANINFO = Tool.of("vulkaninfo");

    /// Makes it.
    public VulkanProbe() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<AcceleratorKind> kinds() {
        return List.of(AcceleratorKind.VULKAN_GPU);
    }

    @Override
    public boolean hasSigns(ProbeContext context) {
        boolean served = false;
        for (PciDevice device : context.pci().devices()) {
            if (device.isDisplay()) {
                if (!CardDrivers.isServed(device.driver()) && !CardDrivers.isNoGpu(device.driver(), device.vendor())) {
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
                        && !UnservedCards.list(context.files()).isEmpty());
    }

    @Override
    public ProbeReport probe(ProbeContext context) {
        ProbeReport.Builder report = ProbeReport.builder();
        for (VulkanDevice device : devices(context, report)) {
            report.add(profile(device, report.profiles().size(), context.fromTool(VULKANINFO)));
        }
        UnservedCards.add(context, report);
        return report.build();
    }

    private static List<VulkanDevice> devices(ProbeContext context, ProbeReport.Builder report) {
        CommandOutcome outcome = context.run(VULKANINFO, "--summary");
        outcome.findGap(VULKANINFO.name()).ifPresent(report::add);
        if (!(outcome instanceof CommandOutcome.Completed completed) || !outcome.isSuccess()) {
            return List.of();
        }
        List<VulkanDevice> summary = VulkanTextParser.parse(completed.output());
        if (summary.isEmpty() && completed.output().contains("Cannot create Vulkan instance")) {
            report.add(new Gap.Unparsable(NAME, "vulkaninfo cannot create a Vulkan instance: no driver answers"));
        }
        List<VulkanDevice> gpus = VulkanDevices.merge(summary, List.of());
        return gpus.isEmpty() ? gpus : VulkanDevices.merge(summary, withHeaps(context, gpus));
    }

    /// The summary has no sizes. The full text may fail where the summary did not, and then only memory is unknown.
    private static List<VulkanDevice> withHeaps(ProbeContext context, List<VulkanDevice> gpus) {
        CommandOutcome outcome = context.run(VULKANINFO);
        if (outcome instanceof CommandOutcome.Completed completed && outcome.isSuccess()) {
            return VulkanTextParser.parse(completed.output());
        }
        if (outcome instanceof CommandOutcome.TimedOut || gpus.size() > 1) {
            return List.of();
        }
        return context.run(VULKANINFO, "-j") instanceof CommandOutcome.Completed json && json.exitCode() == 0
                ? VulkanJsonParser.parse(json.output()).stream().toList()
                : List.of();
    }

    private static AcceleratorProfile profile(VulkanDevice device, int number, Provenance source) {
        AcceleratorProfile.Builder profile =
                AcceleratorProfile.builder(AcceleratorType.of(AcceleratorKind.VULKAN_GPU, number));
        profile.with(
                DeviceFact.MEMORY,
                device.findMemory()
                        .map(size -> Reading.known(size, source))
                        .orElseGet(() -> Reading.unknown(
                                UnknownReason.NOT_SUPPORTED, "vulkaninfo did not list the memory's heaps")));
        add(profile, DeviceFact.DEVICE_NAME, device.findName(), source);
        add(profile, DeviceFact.DRIVER_VERSION, device.find("driverVersion"), source);
        add(profile, DeviceFact.RUNTIME_VERSION, device.find("apiVersion"), source);
        add(profile, DeviceFact.COMPUTE_CAPABILITY, device.find("apiVersion").map(api -> "Vulkan " + api), source);
        add(profile, DeviceFact.UUID, device.find("deviceUUID"), source);
        add(profile, DeviceFact.PCI_ADDRESS, device.findAddress(), source);
        if (device.isGuest()) {
            profile.with(DeviceFact.VIRTUALIZATION, Reading.known("guest of a virtual GPU", source));
        } else {
            add(profile, DeviceFact.PCI_ID, device.findPciId(), source);
        }
        return profile.build();
    }

    private static <T> void add(
            AcceleratorProfile.Builder profile, DeviceFact<T> fact, Optional<T> value, Provenance source) {
        value.ifPresent(known -> profile.with(fact, Reading.known(known, source)));
    }
}
