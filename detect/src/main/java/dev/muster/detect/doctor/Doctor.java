package dev.muster.detect.doctor;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.Finding;
import dev.muster.detect.host.Host;
import dev.muster.detect.host.Tool;
import dev.muster.detect.probe.PciInventory;
import java.util.ArrayList;
import java.util.List;

/// Examines what keeps accelerators from being found or used. Checks read files and look for tools; they start nothing.
///
/// @since 0.1
public final class Doctor {
    private static final int NVIDIA = 0x10de;
    private static final int AMD = 0x1002;
    private static final int INTEL = 0x8086;
    private static final int HABANA = 0x1da3;

    private static final String ROCM = "/opt/rocm/bin";

    private static final List<DriverCheck> DRIVERS = List.of(
            new DriverCheck("nvidia.driver.loaded", NVIDIA, "NVIDIA", List.of("nvidia"), "modprobe nvidia"),
            new DriverCheck("amd.driver.loaded", AMD, "AMD", List.of("amdgpu"), "modprobe amdgpu"),
            new DriverCheck("intel.driver.loaded", INTEL, "Intel", List.of("i915", "xe", "intel_vpu"), "modprobe xe"),
            new DriverCheck("gaudi.driver.loaded", HABANA, "Gaudi", List.of("habanalabs"), "modprobe habanalabs"));

    private static final List<ToolCheck> TOOLS = List.of(
            new ToolCheck("nvidia.smi.trusted", Tool.of("nvidia-smi", "/opt/bin")),
            tool("amd-smi", ROCM),
            tool("rocm-smi", ROCM),
            tool("xpu-smi"),
            tool("hl-smi"),
            tool("neuron-ls", "/opt/aws/neuron/bin"),
            tool("npu-smi", "/usr/local/Ascend/driver/tools"),
            tool("vulkaninfo"));

    private static final List<Check> CHECKS = checks();

    private Doctor() {}

    private static ToolCheck tool(String name, String... folders) {
        return new ToolCheck("tool." + name + ".trusted", Tool.of(name, folders));
    }

    private static List<Check> checks() {
        List<Check> checks = new ArrayList<>();
        checks.add(new Check("host.files.readable", HostChecks::filesReadable));
        checks.add(new Check("host.pci.readable", HostChecks::pciReadable));
        DRIVERS.forEach(driver -> checks.add(new Check(driver.id(), driver::examine)));
        checks.add(new Check("nvidia.nvml.loadable", patient -> VendorChecks.nvmlLoadable(patient, NVIDIA)));
        checks.add(new Check("amd.kfd.readable", patient -> VendorChecks.kfdReadable(patient, AMD)));
        checks.add(new Check(
                "container.devices.visible", patient -> VendorChecks.devicesVisible(patient, NVIDIA, AMD, INTEL)));
        checks.add(new Check("memory.cgroup.limit", HostChecks::memoryLimit));
        TOOLS.forEach(tool -> checks.add(new Check(tool.id(), tool::examine)));
        checks.add(new Check("detection.complete", RegistryChecks::complete));
        checks.add(new Check("detection.consistent", RegistryChecks::consistent));
        checks.add(new Check("device.available", RegistryChecks::available));
        checks.add(new Check("device.health", RegistryChecks::health));
        checks.add(new Check("device.memory.errors", RegistryChecks::memoryErrors));
        checks.add(new Check("device.pcie.width", RegistryChecks::pcieWidth));
        checks.add(new Check("fabric.links.up", RegistryChecks::fabricUp));
        checks.add(new Check("storage.raid.healthy", RegistryChecks::raidHealthy));
        return List.copyOf(checks);
    }

    /// Examines a host: every check, in the order of a report.
    ///
    /// @param registry what detection found on it
    public static List<Finding> examine(Host host, AcceleratorRegistry registry) {
        Patient patient = new Patient(host, PciInventory.scan(host.files()), registry);
        return CHECKS.stream().map(check -> check.examine(patient)).toList();
    }
}
