package dev.muster.detect.doctor;

import dev.muster.detect.doctor.Check.Verdict;
import dev.muster.detect.host.FolderOutcome;
import dev.muster.detect.host.HostFiles;
import dev.muster.detect.host.HostLibraries;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Checks of one vendor's parts that are more than a driver or a tool.
final class VendorChecks {
    private static final String NVML = "libnvidia-ml.so.1";
    private static final List<String> NVML_FOLDERS = List.of("/usr/lib/wsl/lib", "/usr/local/nvidia/lib64");
    private static final String KFD = "/sys/class/kfd/kfd/topology/nodes";

    private VendorChecks() {}

    static Verdict nvmlLoadable(Patient patient, int vendor) {
        if (patient.accelerators(vendor).isEmpty()) {
            return Verdict.skip("no NVIDIA device on the PCI bus");
        }
        HostLibraries libraries = patient.host().libraries();
        if (libraries == HostLibraries.NONE) {
            return Verdict.skip("the libraries of a recorded host cannot be looked at");
        }
        return switch (libraries.find(List.of(NVML), NVML_FOLDERS)) {
            case HostLibraries.Found(Path path) -> Verdict.pass(path.toString());
            case HostLibraries.NotFound _ ->
                Verdict.warn(
                        NVML + " is not installed",
                        "install NVIDIA's driver libraries; in a container, start it with --gpus all");
            case HostLibraries.NotPermitted(String reason) ->
                Verdict.warn(reason + ", so it is not loaded", "take the write permission from others");
        };
    }

    static Verdict kfdReadable(Patient patient, int vendor) {
        if (patient.accelerators(vendor).isEmpty()) {
            return Verdict.skip("no AMD device on the PCI bus");
        }
        return switch (patient.host().files().list(KFD)) {
            case FolderOutcome.Names(List<String> names) ->
                Verdict.pass(Check.count(names.size(), "node") + " in " + KFD);
            case FolderOutcome.Missing _ ->
                Verdict.warn(
                        KFD + " is not there, so ROCm cannot use the GPU",
                        "use a kernel with amdgpu's compute part (CONFIG_HSA_AMD)");
            case FolderOutcome.Unreadable(String message) ->
                Verdict.warn(KFD + " cannot be listed: " + message, "join the groups render and video");
        };
    }

    /// In a container sysfs shows every device, but only device nodes that were handed in can be used.
    static Verdict devicesVisible(Patient patient, int nvidia, int amd, int intel) {
        if (!patient.isInContainer()) {
            return Verdict.skip("not in a container");
        }
        HostFiles files = patient.host().files();
        List<String> missing = new ArrayList<>();
        List<String> next = new ArrayList<>();
        if (!patient.accelerators(nvidia).isEmpty() && !files.exists("/dev/nvidiactl")) {
            missing.add("/dev/nvidiactl");
            next.add("--gpus all");
        }
        if (!patient.accelerators(amd).isEmpty() && !files.exists("/dev/kfd")) {
            missing.add("/dev/kfd");
            next.add("--device /dev/kfd --device /dev/dri");
        }
        if (!patient.accelerators(intel).isEmpty() && !files.exists("/dev/dri")) {
            missing.add("/dev/dri");
            next.add("--device /dev/dri");
        }
        return missing.isEmpty()
                ? Verdict.pass("no device node is missing in this container")
                : Verdict.warn(
                        "the machine has devices whose nodes this container lacks: " + String.join(", ", missing),
                        "start the container with " + String.join(" ", next));
    }
}
