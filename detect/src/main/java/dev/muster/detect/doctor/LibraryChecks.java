// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.doctor;

import dev.muster.detect.doctor.Check.Verdict;
import dev.muster.detect.host.HostLibraries;
import dev.muster.detect.host.Tool;
import java.util.List;

/// Checks whether nodes and libraries of a driver are both there: containers often get only one of them.
final class LibraryChecks {
    private static final Tool SMI = Tool.of("nvidia-smi", "/usr/lib/wsl/lib", "/usr/local/nvidia/bin");
    private static final String NODE = "/dev/nvidiactl";
    private static final String FIRST = "/dev/nvidia0";
    private static final String WSL = "/dev/dxg";
    private static final String WSL_LIBRARIES = "/usr/lib/wsl/lib";
    private static final String FLAGS = "--gpus all, or by CDI --device nvidia.com/gpu=all";

    private LibraryChecks() {}

    static Verdict nvidia(Patient patient) {
        boolean nodes =
                patient.host().files().exists(NODE) || patient.host().files().exists(FIRST);
        boolean libraries = hasLibraries(patient);
        if (nodes && !libraries) {
            return Verdict.warn(
                    "there are nodes of NVIDIA's driver, but neither its libraries nor nvidia-smi",
                    "start the container with " + FLAGS + ", which add the libraries; --device alone does not");
        }
        if (!nodes && libraries && patient.isInContainer()) {
            return Verdict.warn(
                    "NVIDIA's libraries are there, but no node of its driver",
                    "start the container with " + FLAGS + ", or with --device " + FIRST + " --device " + NODE
                            + " --device /dev/nvidia-uvm");
        }
        return nodes && libraries
                ? Verdict.pass("nodes and libraries of NVIDIA's driver are both there")
                : Verdict.skip("no node of NVIDIA's driver");
    }

    private static boolean hasLibraries(Patient patient) {
        return patient.host().commands().findPath(SMI).isPresent()
                || patient.host().libraries().find(List.of(VendorChecks.NVML), VendorChecks.NVML_FOLDERS)
                        instanceof HostLibraries.Found;
    }

    /// Windows passes GPUs into WSL by one node and a folder of libraries.
    static Verdict wsl(Patient patient) {
        boolean node = patient.host().files().exists(WSL);
        boolean libraries = patient.host().files().exists(WSL_LIBRARIES);
        if (node && !libraries) {
            return Verdict.warn(
                    WSL + " is there, but not " + WSL_LIBRARIES + " with the libraries of Windows' driver",
                    "start the container with --device " + WSL
                            + " -v /usr/lib/wsl:/usr/lib/wsl:ro, or with --gpus all");
        }
        return node ? Verdict.pass(WSL + " and " + WSL_LIBRARIES + " are both there") : Verdict.skip("not under WSL");
    }
}
