// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.doctor;

import dev.muster.detect.doctor.Check.Verdict;
import dev.muster.detect.host.HostAnswer;
import dev.muster.detect.host.Tool;
import java.nio.file.Path;
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

    static Verdict nvidia(CheckContext context) {
        boolean nodes =
                context.host().files().exists(NODE) || context.host().files().exists(FIRST);
        boolean libraries = hasLibraries(context);
        if (nodes && !libraries) {
            return Verdict.warn(
                    "device nodes of NVIDIA's driver exist, but neither its libraries nor nvidia-smi",
                    "start the container with " + FLAGS + ", which add the libraries; --device alone does not");
        }
        if (!nodes && libraries && context.isInContainer()) {
            return Verdict.warn(
                    "NVIDIA's libraries exist, but no device node of its driver",
                    "start the container with " + FLAGS + ", or with --device " + FIRST + " --device " + NODE
                            + " --device /dev/nvidia-uvm");
        }
        return nodes && libraries
                ? Verdict.pass("device nodes and libraries of NVIDIA's driver exist")
                : Verdict.skip("no device node of NVIDIA's driver");
    }

    private static boolean hasLibraries(CheckContext context) {
        return context.host().commands().findPath(SMI).isPresent()
                || context.host().libraries().find(List.of(VendorChecks.NVML), VendorChecks.NVML_FOLDERS)
                        instanceof HostAnswer.Found<Path>;
    }

    /// Windows passes GPUs into WSL by one node and a folder of libraries.
    static Verdict wsl(CheckContext context) {
        boolean node = context.host().files().exists(WSL);
        boolean libraries = context.host().files().exists(WSL_LIBRARIES);
        if (node && !libraries) {
            return Verdict.warn(
                    WSL + " exists, but not " + WSL_LIBRARIES + " with the libraries of Windows' driver",
                    "start the container with --device " + WSL
                            + " -v /usr/lib/wsl:/usr/lib/wsl:ro, or with --gpus all");
        }
        return node ? Verdict.pass(WSL + " and " + WSL_LIBRARIES + " exist") : Verdict.skip("not under WSL");
    }
}
