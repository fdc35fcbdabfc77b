// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.doctor;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.Finding;
import dev.muster.detect.host.Host;
import dev.muster.detect.host.Tool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Examines what keeps accelerators from being found or used. Checks read files and look for tools; they start nothing.
public final class Doctor {
    private static final int NVIDIA = 0x10de;
    private static final int AMD = 0x1002;
    private static final int INTEL = 0x8086;
    private static final int HABANA = 0x1da3;

    private static final Duration USUAL_LIMIT = Duration.ofSeconds(5);
    private static final String ROCM = "/opt/rocm/bin";

    /// Checks that read the host.
    private static final List<Check> OF_HOST = ofHost();
    /// Checks that read only the registry, so that none of them can be late.
    private static final List<Check> OF_REGISTRY = List.of(
            new Check("detection.complete", RegistryChecks::complete),
            new Check("detection.consistent", RegistryChecks::consistent),
            new Check("nvidia.versions.match", DeviceChecks::versions),
            new Check("device.available", DeviceChecks::available),
            new Check("device.visible", DeviceChecks::visible),
            new Check("device.health", DeviceChecks::health),
            new Check("device.mig.slices", DeviceChecks::slices),
            new Check("device.memory.errors", DeviceChecks::memoryErrors),
            new Check("device.pcie.width", RegistryChecks::pcieWidth),
            new Check("device.pcie.speed", DeviceChecks::pcieSpeed),
            new Check("device.throttling", DeviceChecks::throttling),
            new Check("device.numa.balance", NumaChecks::balance),
            new Check("fabric.health", DeviceChecks::fabricHealth),
            new Check("fabric.links.up", RegistryChecks::fabricUp),
            new Check("storage.raid.healthy", RegistryChecks::raidHealthy));

    private Doctor() {}

    private static Check driver(String id, int vendor, String name, String load, String... drivers) {
        return new Check(id, context -> VendorChecks.driverLoaded(context, vendor, name, load, List.of(drivers)));
    }

    private static Check tool(String id, String name, String... folders) {
        Tool tool = Tool.of(name, folders);
        return new Check(id, context -> VendorChecks.toolTrusted(context, tool));
    }

    private static Check tool(String name) {
        return tool("tool." + name + ".trusted", name);
    }

    private static List<Check> ofHost() {
        List<Check> checks = new ArrayList<>();
        checks.add(new Check("host.files.readable", HostChecks::filesReadable));
        checks.add(new Check("host.pci.readable", HostChecks::pciReadable));
        checks.add(driver("nvidia.driver.loaded", NVIDIA, "NVIDIA", "modprobe nvidia", "nvidia"));
        checks.add(driver("amd.driver.loaded", AMD, "AMD", "modprobe amdgpu", "amdgpu"));
        checks.add(driver("intel.driver.loaded", INTEL, "Intel", "modprobe xe", "i915", "xe", "intel_vpu"));
        checks.add(driver("gaudi.driver.loaded", HABANA, "Gaudi", "modprobe habanalabs", "habanalabs"));
        checks.add(new Check("nvidia.nvml.loadable", context -> VendorChecks.nvmlLoadable(context, NVIDIA)));
        checks.add(new Check("amd.kfd.readable", context -> VendorChecks.kfdReadable(context, AMD)));
        checks.add(new Check(
                "container.devices.visible", context -> VendorChecks.devicesVisible(context, NVIDIA, AMD, INTEL)));
        checks.add(new Check("nvidia.libraries.present", LibraryChecks::nvidia));
        checks.add(new Check("nvidia.log.xid", context -> KernelLogChecks.xids(context, NVIDIA)));
        checks.add(new Check("wsl.libraries.present", LibraryChecks::wsl));
        checks.add(new Check("memory.cgroup.limit", HostChecks::memoryLimit));
        checks.add(tool("nvidia.smi.trusted", "nvidia-smi", "/opt/bin"));
        checks.add(tool("tool.amd-smi.trusted", "amd-smi", ROCM));
        checks.add(tool("tool.rocm-smi.trusted", "rocm-smi", ROCM));
        checks.add(tool("xpu-smi"));
        checks.add(tool("hl-smi"));
        checks.add(tool("tool.neuron-ls.trusted", "neuron-ls", "/opt/aws/neuron/bin"));
        checks.add(tool("tool.npu-smi.trusted", "npu-smi", "/usr/local/Ascend/driver/tools"));
        checks.add(tool("vulkaninfo"));
        return List.copyOf(checks);
    }

    /// Examines a host within five seconds: every check, in the order of a report.
    ///
    /// @param registry the host's registry
    public static List<Finding> examine(Host host, AcceleratorRegistry registry) {
        return examine(host, registry, USUAL_LIMIT);
    }

    /// Examines a host: every check, in the order of a report. Files that do not answer in time are one finding, and
    /// checks for which no time is left are skipped.
    ///
    /// @param registry the host's registry
    /// @param limit time limit
    public static List<Finding> examine(Host host, AcceleratorRegistry registry, Duration limit) {
        return new DoctorRun(host, registry, limit).findings(OF_HOST, OF_REGISTRY);
    }
}
