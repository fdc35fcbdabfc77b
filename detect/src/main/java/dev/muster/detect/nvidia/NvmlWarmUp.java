// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.detect.host.Host;
import dev.muster.detect.host.HostAnswer;
import dev.muster.detect.host.HostBuilder;
import dev.muster.detect.host.HostLibraries;
import dev.muster.detect.probe.Probe;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.probe.ProbeReport;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Goes through a conversation with NVML without NVML, while the JVM records its start-up cache: on a machine without
/// the driver none of this would be recorded, and the first call through a linker takes longest of all. Stands in for
/// the probe of a GPU on [#host].
public final class NvmlWarmUp implements Probe {
    private static final List<String> LIBC = List.of("libc.so.6");
    private static final String ADDRESS = "0000:01:00.0";

    /// Begins a session with NVML in the background where the driver is loaded: for the start of a command that is
    /// about to ask this machine.
    public static void begin(Host host) {
        NvmlSource.prepare(host);
    }

    /// A machine of one GPU, as the kernel shows it.
    public static Host host() {
        String device = "/sys/devices/pci0000:00/0000:00:01.0/" + ADDRESS;
        String driver = "/proc/driver/nvidia";
        return new HostBuilder()
                .link("/sys/bus/pci/devices/" + ADDRESS, device)
                .file(device + "/uevent", "DRIVER=nvidia\nPCI_CLASS=30200\nPCI_ID=10DE:2335\n")
                .file(device + "/numa_node", "-1\n")
                .file(device + "/local_cpulist", "0-1\n")
                .file(device + "/current_link_speed", "32.0 GT/s PCIe\n")
                .file(device + "/current_link_width", "16\n")
                .file("/sys/devices/system/node/node0/cpulist", "0-1\n")
                .file(driver + "/version", "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.0.0\n")
                .file(driver + "/gpus/" + ADDRESS + "/information", "Model: GPU\nGPU UUID: GPU-0\nVideo BIOS: 0\n")
                .build();
    }

    @Override
    public String name() {
        return "rehearsal";
    }

    @Override
    public List<AcceleratorKind> kinds() {
        return List.of(AcceleratorKind.CUDA_GPU);
    }

    @Override
    public boolean hasSigns(ProbeContext context) {
        return true;
    }

    /// Asks the C library in place of NVML and joins the answer with what the kernel shows.
    @Override
    public ProbeReport probe(ProbeContext context) {
        ProbeReport.ReportBuilder report = ProbeReport.builder();
        if (HostLibraries.ofThisMachine().find(LIBC, List.of()) instanceof HostAnswer.Found<Path> found) {
            NvmlSession.begin(() -> Optional.of(found.content()));
            NvmlLibrary library = NvmlLibrary.load(found.content()).withStubbedCalls();
            NvidiaSmi smi = new NvidiaSmi(context, report::add);
            List<AcceleratorProfile> known = new NvidiaKernel(context, report::add).list();
            NvidiaAnswer answer = new NvmlSource().warmUp(library);
            return NvidiaProbe.withNames(
                    context, NvidiaProbe.join(known, smi, new NvidiaUnion(answer, false, report::add), report));
        }
        return report.build();
    }
}
