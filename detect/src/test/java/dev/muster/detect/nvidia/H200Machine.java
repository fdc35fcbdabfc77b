// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import dev.muster.detect.Fixtures;
import dev.muster.detect.host.HostSketch;
import java.io.IOException;
import java.util.List;

/// The recorded virtual machine with one H200.
final class H200Machine {
    private static final String FOLDER = "nvidia/h200-microvm/";
    private static final int NAME_COLUMN = 9;

    private H200Machine() {}

    static String text(String file) throws IOException {
        return Fixtures.own(FOLDER + file);
    }

    /// The files of kernel and driver, without tools.
    static HostSketch kernel() throws IOException {
        HostSketch host = new HostSketch().tar(Fixtures.ownTar(FOLDER + "sysroot.tar.gz"), "", "");
        List<String> files = List.of(text("procnv.txt").split("== ", -1));
        for (String file : files.subList(1, files.size())) {
            int end = file.indexOf('\n');
            host.file(file.substring(0, end), file.substring(end + 1));
        }
        return host;
    }

    /// All that was recorded: nodes, processor, memory, mounts, control group, and the tool's answers.
    static HostSketch whole() throws IOException {
        HostSketch host = kernel().file("/proc/cpuinfo", text("cpuinfo.txt"))
                .file("/proc/meminfo", text("meminfo.txt"))
                .file("/proc/self/mounts", text("mount.txt"))
                .file("/proc/self/cgroup", text("cgroup.txt"))
                .tool("nvidia-smi", text("nvidia-smi.txt"))
                .tool("nvidia-smi -L", text("nvidia-smi-L.txt"))
                .tool("nvidia-smi -q -x", text("nvidia-smi-q.xml"))
                .tool("nvidia-smi topo -m", text("nvidia-smi-topo.txt"))
                .tool("nvidia-smi nvlink -s", "");
        // The first part of the listing is /dev itself, in the form of `ls -l`.
        for (String line : text("dev.txt").split("\n\n", -1)[0].split("\n", -1)) {
            String[] columns = line.strip().split(" +", -1);
            if (line.startsWith("c") && columns.length > NAME_COLUMN) {
                host.file("/dev/" + columns[NAME_COLUMN], "");
            }
        }
        return host;
    }
}
