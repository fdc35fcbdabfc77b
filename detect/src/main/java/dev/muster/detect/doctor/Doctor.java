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

    private static final List<Check> CHECKS = checks();

    private Doctor() {}

    private static Check driver(String id, int vendor, String name, String load, String... drivers) {
        return new Check(id, patient -> VendorChecks.driverLoaded(patient, vendor, name, load, List.of(drivers)));
    }

    private static Check tool(String id, String name, String... folders) {
        Tool tool = Tool.of(name, folders);
        return new Check(id, patient -> VendorChecks.toolTrusted(patient, tool));
    }

    private static Check tool(String name) {
        return tool("tool." + name + ".trusted", name);
    }

    private static List<Check> checks() {
        List<Check> checks = new ArrayList<>();
        checks.add(new Check("host.files.readable", HostChecks::filesReadable));
        checks.add(new Check("host.pci.readable", HostChecks::pciReadable));
        checks.add(driver("nvidia.driver.loaded", NVIDIA, "NVIDIA", "modprobe nvidia", "nvidia"));
        checks.add(driver("amd.driver.loaded", AMD, "AMD", "modprobe amdgpu", "amdgpu"));
        checks.add(driver("intel.driver.loaded", INTEL, "Intel", "modprobe xe", "i915", "xe", "intel_vpu"));
        checks.add(driver("gaudi.driver.loaded", HABANA, "Gaudi", "modprobe habanalabs", "habanalabs"));
        checks.add(new Check("nvidia.nvml.loadable", patient -> VendorChecks.nvmlLoadable(patient, NVIDIA)));
        checks.add(new Check("amd.kfd.readable", patient -> VendorChecks.kfdReadable(patient, AMD)));
        checks.add(new Check(
                "container.devices.visible", patient -> VendorChecks.devicesVisible(patient, NVIDIA, AMD, INTEL)));
        checks.add(new Check("nvidia.libraries.present", LibraryChecks::nvidia));
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
        checks.add(new Check("detection.complete", RegistryChecks::complete));
        checks.add(new Check("detection.consistent", RegistryChecks::consistent));
        checks.add(new Check("nvidia.versions.match", DeviceChecks::versions));
        checks.add(new Check("device.available", DeviceChecks::available));
        checks.add(new Check("device.health", DeviceChecks::health));
        checks.add(new Check("device.mig.slices", DeviceChecks::slices));
        checks.add(new Check("device.memory.errors", RegistryChecks::memoryErrors));
        checks.add(new Check("device.pcie.width", RegistryChecks::pcieWidth));
        checks.add(new Check("device.pcie.speed", DeviceChecks::pcieSpeed));
        checks.add(new Check("device.throttling", DeviceChecks::throttling));
        checks.add(new Check("fabric.health", DeviceChecks::fabricHealth));
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
