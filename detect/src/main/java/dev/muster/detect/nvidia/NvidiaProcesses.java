package dev.muster.detect.nvidia;

import dev.muster.core.DeviceProcess;
import dev.muster.core.ProcessList;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.detect.text.Amount;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// Programs that hold memory of a GPU or of one of its MIG devices.
final class NvidiaProcesses {
    private static final int MAX_PROCESSES = 4096;

    private NvidiaProcesses() {}

    /// Reads some of them.
    ///
    /// @param gpu the GPU's block
    /// @param source where it was printed
    /// @param wanted which are taken
    static Reading<ProcessList> read(NvidiaElement gpu, Provenance source, Predicate<NvidiaElement> wanted) {
        Optional<NvidiaElement> block = gpu.find("processes");
        if (block.isEmpty()) {
            return Reading.notSupported(source.source() + " does not say");
        }
        Reading<String> remark = new NvidiaValue(block.get().text(), source).text();
        if (!block.get().text().isEmpty() && !remark.isKnown()) {
            return remark.map(_ -> new ProcessList(List.of()));
        }
        List<DeviceProcess> found = new ArrayList<>();
        for (NvidiaElement process : block.get().all("process_info")) {
            Optional<Long> pid = Amount.count(process.value("pid"), Long.MAX_VALUE);
            if (wanted.test(process) && pid.isPresent() && found.size() < MAX_PROCESSES) {
                NvidiaValue name = new NvidiaValue(process.value("process_name"), source);
                NvidiaValue memory = new NvidiaValue(process.value("used_memory"), source);
                found.add(new DeviceProcess(
                        pid.get(),
                        name.text().find().orElse(null),
                        memory.mebibytes().find().orElse(null)));
            }
        }
        return Reading.known(new ProcessList(found), source);
    }
}
