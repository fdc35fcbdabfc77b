package dev.muster.detect.nvidia;

import dev.muster.core.ProcessList;
import dev.muster.core.ProcessList.DeviceProcess;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// Programs that hold memory of a GPU or of one of its MIG devices.
///
/// @param gpu the GPU's block
/// @param source where it was printed
record NvidiaProcesses(NvidiaElement gpu, Provenance source) {
    private static final int MAX_PROCESSES = 4096;

    /// All of them.
    Reading<ProcessList> all() {
        return select("", "");
    }

    /// Those of one MIG device.
    Reading<ProcessList> of(String gpuInstance, String computeInstance) {
        return select(gpuInstance, computeInstance);
    }

    private Reading<ProcessList> select(String gpuInstance, String computeInstance) {
        Optional<NvidiaElement> block = gpu.find("processes");
        if (block.isEmpty()) {
            return Reading.unknown(UnknownReason.NOT_SUPPORTED, source.source() + " does not say");
        }
        Reading<String> remark = new NvidiaValue(block.get().text(), source).text();
        if (!block.get().text().isEmpty() && !remark.isKnown()) {
            return remark.map(_ -> new ProcessList(List.of()));
        }
        List<DeviceProcess> found = new ArrayList<>();
        for (NvidiaElement process : block.get().all("process_info")) {
            boolean wanted = gpuInstance.isEmpty()
                    || (process.value("gpu_instance_id").equals(gpuInstance)
                            && process.value("compute_instance_id").equals(computeInstance));
            OptionalLong pid = NvidiaValue.wholeNumber(process.value("pid"));
            if (wanted && pid.isPresent() && found.size() < MAX_PROCESSES) {
                found.add(new DeviceProcess(
                        pid.getAsLong(),
                        new NvidiaValue(process.value("process_name"), source)
                                .text()
                                .find()
                                .orElse(null),
                        new NvidiaValue(process.value("used_memory"), source)
                                .mebibytes()
                                .find()
                                .orElse(null)));
            }
        }
        return Reading.known(new ProcessList(found), source);
    }
}
