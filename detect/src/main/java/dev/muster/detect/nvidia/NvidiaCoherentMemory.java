package dev.muster.detect.nvidia;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.PciAddress;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.host.FileOutcome;
import dev.muster.detect.probe.ProbeContext;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/// The host memory that a GPU reaches over a coherent link, as in Grace Hopper. The driver says that there is such a
/// link by making the GPU's memory a NUMA node; how much memory the processor beside it has, the kernel says.
///
/// @param gaps told of each file that could not be read
record NvidiaCoherentMemory(ProbeContext context, Consumer<Gap> gaps) {
    private static final String NODES = "/sys/devices/system/node";
    private static final int MAX_FILE = 16 << 10;
    private static final int PAST_KIB = 2;

    void add(AcceleratorProfile.Builder device, PciAddress address) {
        String path = NvidiaKernel.GPUS + "/" + address + "/numa_status";
        if (!(context.files().read(path, MAX_FILE) instanceof FileOutcome.Content(String text))
                || NvidiaProcParser.findNumaStatus(text)
                        .filter(NvidiaNumaStatus::isOnline)
                        .isEmpty()) {
            return;
        }
        Reading<Long> near = NvidiaKernel.nearNode(context.folder("/sys/bus/pci/devices/" + address, gaps));
        near.find().ifPresent(node -> addNode(device, NODES + "/node" + node + "/meminfo"));
    }

    private void addNode(AcceleratorProfile.Builder device, String meminfo) {
        if (context.files().read(meminfo, MAX_FILE) instanceof FileOutcome.Content(String text)) {
            findTotal(text)
                    .ifPresent(memory ->
                            device.with(DeviceFact.MEMORY_SHARED, Reading.known(memory, context.fromFile(meminfo))));
        }
    }

    /// The line `Node 0 MemTotal: 502345678 kB`.
    private static Optional<Bytes> findTotal(String text) {
        for (String line : text.split("\n")) {
            int at = line.indexOf("MemTotal:");
            if (at >= 0 && line.strip().endsWith("kB")) {
                String digits = line.strip();
                OptionalLong kib =
                        NvidiaValue.wholeNumber(digits.substring(digits.indexOf(':') + 1, digits.length() - PAST_KIB)
                                .strip());
                return kib.isPresent() && kib.getAsLong() < Long.MAX_VALUE >> 10
                        ? Optional.of(Bytes.ofKib(kib.getAsLong()))
                        : Optional.empty();
            }
        }
        return Optional.empty();
    }
}
