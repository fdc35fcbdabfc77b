// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect;

import dev.muster.detect.host.Host;
import dev.muster.detect.host.HostAnswer;
import dev.muster.detect.host.HostCommands;
import dev.muster.detect.host.HostFiles;
import dev.muster.detect.host.HostLibraries;
import dev.muster.detect.host.HostSketch;
import java.util.List;
import java.util.Optional;

/// The files of a host, of which a test answers some in another way.
public class OtherFiles implements HostFiles {
    static final String TOPOLOGY = "/etc/topology.xml";
    private static final String GPU = "/sys/devices/pci0000:00/0000:02:00.0";

    private final HostFiles files;

    /// @param files the files of the host
    protected OtherFiles(HostFiles files) {
        this.files = files;
    }

    /// A machine with an NVIDIA GPU and an AMD one.
    public static Host box() {
        return new HostSketch()
                .variable("NCCL_TOPO_FILE", TOPOLOGY)
                .file(TOPOLOGY, "<system version=\"1\"><cpu numaid=\"0\"></cpu></system>")
                .file("/proc/meminfo", "MemTotal: 1048576 kB\n")
                .file("/proc/cpuinfo", "processor : 0\nmodel name : Some CPU\n")
                .pci("0000:01:00.0", "10DE:2330", "30200", "nvidia")
                .pci("0000:02:00.0", "1002:740F", "38000", "amdgpu")
                .file(GPU + "/mem_info_vram_total", "68719476736\n")
                .file(GPU + "/gpu_busy_percent", "33\n")
                .file(GPU + "/vendor", "0x1002\n")
                .file(GPU + "/device", "0x740f\n")
                .link(GPU + "/driver", "../../../bus/pci/drivers/amdgpu")
                .folder("/sys/bus/pci/drivers/amdgpu")
                .link("/sys/class/drm/card0/device", "../../../devices/pci0000:00/0000:02:00.0")
                .host();
    }

    /// That machine with other files and tools.
    public static Host box(HostFiles files, HostCommands commands) {
        Host box = box();
        return new Host(
                box.system(), box.architecture(), files, commands, HostLibraries.NONE, box.variables(), box.clock());
    }

    @Override
    public HostAnswer<String> read(String path, int maxBytes) {
        return files.read(path, maxBytes);
    }

    @Override
    public HostAnswer<List<String>> list(String path) {
        return files.list(path);
    }

    @Override
    public boolean exists(String path) {
        return files.exists(path);
    }

    @Override
    public Optional<String> findLink(String path) {
        return files.findLink(path);
    }

    @Override
    public Optional<String> findRealPath(String path) {
        return files.findRealPath(path);
    }
}
