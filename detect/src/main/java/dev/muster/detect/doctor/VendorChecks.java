// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.doctor;

import dev.muster.detect.doctor.Check.Verdict;
import dev.muster.detect.host.HostAnswer;
import dev.muster.detect.host.HostLibraries;
import dev.muster.detect.host.Tool;
import dev.muster.detect.probe.PciDevice;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Checks of one vendor's parts.
final class VendorChecks {
    static final String NVML = "libnvidia-ml.so.1";
    static final List<String> NVML_FOLDERS = List.of("/usr/lib/wsl/lib", "/usr/local/nvidia/lib64");
    private static final String KFD = "/sys/class/kfd/kfd/topology/nodes";

    private static final String PASSED_THROUGH = "vfio-pci";
    private static final String NOUVEAU = "nouveau";

    private VendorChecks() {}

    /// Checks that the kernel's driver serves every device of a vendor.
    ///
    /// @param vendor the vendor's PCI id
    /// @param name the vendor's name
    /// @param load the command that loads a driver
    /// @param drivers the drivers that can compute
    static Verdict driverLoaded(CheckContext context, int vendor, String name, String load, List<String> drivers) {
        List<PciDevice> devices = context.accelerators(vendor);
        if (devices.isEmpty()) {
            return Verdict.skip("no " + name + " device on the PCI bus");
        }
        List<PciDevice> idle = devices.stream()
                .filter(device -> !drivers.contains(device.driver()))
                .toList();
        if (idle.isEmpty()) {
            return Verdict.pass(Check.count(devices.size(), name + " device") + " with the driver "
                    + devices.getFirst().driver());
        }
        PciDevice first = idle.getFirst();
        if (first.driver().equals(PASSED_THROUGH)) {
            return Verdict.warn(
                    first.address() + " is passed through to a virtual machine (" + PASSED_THROUGH + ")",
                    "check inside that virtual machine, or bind the device to " + drivers.getFirst());
        }
        String found = first.driver().isEmpty() ? "no driver" : "the driver " + first.driver();
        String message = idle.size() + " of " + Check.count(devices.size(), name + " device") + " cannot be used: "
                + first.address() + " has " + found;
        String next = first.driver().equals(NOUVEAU)
                ? "install NVIDIA's driver, blacklist nouveau in /etc/modprobe.d, and reboot"
                : "install " + name + "'s driver, or load it: " + load;
        return first.driver().isEmpty() ? Verdict.fail(message, next) : Verdict.warn(message, next);
    }

    /// Checks that a vendor's tool may be run: only its owner can have changed it.
    static Verdict toolTrusted(CheckContext context, Tool tool) {
        Optional<String> path = context.host().commands().findPath(tool);
        if (path.isEmpty()) {
            return Verdict.skip(tool.name() + " is not installed where packages put it");
        }
        Optional<String> objection = context.host().commands().findObjection(tool);
        return objection.isEmpty()
                ? Verdict.pass(path.get())
                : Verdict.warn(objection.get() + ", so it is not run", toolAdvice(objection.get(), path.get()));
    }

    private static String toolAdvice(String objection, String path) {
        if (objection.contains("setuid")) {
            return "remove the setuid and setgid bits: chmod ug-s " + path;
        }
        if (objection.contains("another user")) {
            return "install it from the vendor's package, or give it and its folder to root: chown root " + path;
        }
        return objection.contains("folder")
                ? "remove write permission for others from the folder of " + path + ": chmod o-w"
                : "remove write permission for others: chmod go-w " + path;
    }

    static Verdict nvmlLoadable(CheckContext context, int vendor) {
        if (context.accelerators(vendor).isEmpty()) {
            return Verdict.skip("no NVIDIA device on the PCI bus");
        }
        HostLibraries libraries = context.host().libraries();
        if (libraries == HostLibraries.NONE) {
            return Verdict.skip("libraries of a recorded host cannot be checked");
        }
        return switch (libraries.find(List.of(NVML), NVML_FOLDERS)) {
            case HostAnswer.Found(Path path) -> Verdict.pass(path.toString());
            case HostAnswer.Missing<Path> _ ->
                Verdict.warn(
                        NVML + " is not installed",
                        "install NVIDIA's driver libraries; in a container, start it with --gpus all, or by CDI with --device"
                                + " nvidia.com/gpu=all");
            case HostAnswer.NotPermitted(String reason) ->
                Verdict.warn(reason + ", so it is not loaded", "remove write permission for others");
            case HostAnswer.Unreadable(String message) -> Verdict.warn(NVML + " " + message, "reinstall it");
        };
    }

    static Verdict kfdReadable(CheckContext context, int vendor) {
        if (context.accelerators(vendor).isEmpty()) {
            return Verdict.skip("no AMD device on the PCI bus");
        }
        return switch (context.host().files().list(KFD)) {
            case HostAnswer.Found(List<String> names) -> Verdict.pass(Check.count(names.size(), "node") + " in " + KFD);
            case HostAnswer.Missing<List<String>> _ ->
                Verdict.warn(
                        KFD + " does not exist, so ROCm cannot use the GPU",
                        "use a kernel with amdgpu's compute part (CONFIG_HSA_AMD)");
            case HostAnswer.NotPermitted(String reason) ->
                Verdict.warn(KFD + " cannot be listed: " + reason, "join the groups render and video");
            case HostAnswer.Unreadable(String message) ->
                Verdict.warn(KFD + " cannot be listed: " + message, "join the groups render and video");
        };
    }

    /// @param option the option that passes the node into a container
    private record DeviceNode(int vendor, String path, String option) {}

    /// In a container sysfs shows every device, but only device nodes that were handed in can be used.
    static Verdict devicesVisible(CheckContext context, int nvidia, int amd, int intel) {
        if (!context.isInContainer()) {
            return Verdict.skip("not in a container");
        }
        List<String> missing = new ArrayList<>();
        List<String> next = new ArrayList<>();
        for (DeviceNode needed : List.of(
                new DeviceNode(nvidia, "/dev/nvidiactl", "--gpus all (or --device nvidia.com/gpu=all)"),
                new DeviceNode(amd, "/dev/kfd", "--device /dev/kfd --device /dev/dri"),
                new DeviceNode(intel, "/dev/dri", "--device /dev/dri"))) {
            if (!context.accelerators(needed.vendor).isEmpty()
                    && !context.host().files().exists(needed.path)) {
                missing.add(needed.path);
                next.add(needed.option);
            }
        }
        return missing.isEmpty()
                ? Verdict.pass("no device node is missing in this container")
                : Verdict.warn(
                        "the machine has devices whose nodes this container lacks: " + String.join(", ", missing),
                        "start the container with " + String.join(" ", next));
    }
}
