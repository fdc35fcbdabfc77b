// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.amd;

import dev.muster.core.ProcessList;
import dev.muster.core.ProcessList.DeviceProcess;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.text.Amount;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The programs that compute on AMD's GPUs, as the compute driver lists them: a folder for each process, and in
/// it a file for each GPU that says how much of its memory the process holds. Confined to one thread.
final class KfdProcesses {
    static final String FOLDER = "/sys/class/kfd/kfd/proc";

    /// The most processes that are looked at.
    private static final int MAX_PROCESSES = 256;

    private static final int MAX_FILE = 64;

    private final ProbeContext context;
    private final Provenance source;
    private final boolean listed;
    private final List<String> processes;

    KfdProcesses(ProbeContext context) {
        this.context = context;
        this.source = context.fromFile(FOLDER);
        this.listed = context.files().exists(FOLDER);
        List<String> all = context.files().numbered(FOLDER, "");
        this.processes = all.subList(0, Math.min(all.size(), MAX_PROCESSES));
    }

    /// Those that hold memory of a GPU, or of a partition of one.
    ///
    /// @param nodes the GPU's nodes in the topology
    Reading<ProcessList> of(List<KfdNode> nodes) {
        if (!listed) {
            return Reading.notProbed();
        }
        List<Long> ids = new ArrayList<>();
        for (KfdNode node : nodes) {
            number(KfdTopology.NODES + "/" + node.number() + "/gpu_id")
                    .filter(id -> id > 0)
                    .ifPresent(ids::add);
        }
        if (ids.isEmpty()) {
            return Reading.notSupported("the compute driver does not report the GPU's id");
        }
        List<DeviceProcess> holding = new ArrayList<>();
        for (String process : processes) {
            Optional<Long> pid = Amount.count(process, Integer.MAX_VALUE);
            long held = 0;
            for (long id : ids) {
                held += number(FOLDER + "/" + process + "/vram_" + id).orElse(0L);
            }
            if (pid.isPresent() && held > 0) {
                holding.add(new DeviceProcess(pid.get(), null, Bytes.of(held)));
            }
        }
        return Reading.known(new ProcessList(holding), source);
    }

    private Optional<Long> number(String path) {
        return context.files()
                .findText(path, MAX_FILE)
                .flatMap(text -> Amount.count(text, Amount.MAX_MEMORY.unsigned()));
    }
}
