// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.amd;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.Reading;
import dev.muster.detect.normalise.ProfileMerge;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Completes what the files said of GPUs by what a tool says.
final class ToolMerge {
    private ToolMerge() {}

    /// The GPUs of the files, completed. A GPU that only the tool sees is left out: files and tool ask the same driver,
    /// and the files ask it for every GPU.
    static List<AcceleratorProfile> complete(
            List<AcceleratorProfile> gpus, List<AcceleratorProfile> answers, Consumer<Gap> gaps) {
        List<AcceleratorProfile> completed = new ArrayList<>();
        for (int i = 0; i < gpus.size(); i++) {
            AcceleratorProfile gpu = gpus.get(i);
            completed.add(find(gpus, answers, i)
                    .map(answer -> ProfileMerge.merge(gpu, missing(gpu, answer), gaps))
                    .orElse(gpu));
        }
        return completed;
    }

    private static Optional<AcceleratorProfile> find(
            List<AcceleratorProfile> gpus, List<AcceleratorProfile> answers, int index) {
        for (AcceleratorProfile answer : answers) {
            if (agree(gpus.get(index), answer, DeviceFact.PCI_ADDRESS)
                    || agree(gpus.get(index), answer, DeviceFact.UUID)) {
                return Optional.of(answer);
            }
        }
        boolean placed = gpus.get(index).reading(DeviceFact.PCI_ADDRESS).isKnown();
        return !placed && gpus.size() == answers.size() ? Optional.of(answers.get(index)) : Optional.empty();
    }

    private static <T> boolean agree(AcceleratorProfile one, AcceleratorProfile other, DeviceFact<T> fact) {
        Optional<T> value = one.reading(fact).find();
        return value.isPresent() && value.equals(other.reading(fact).find());
    }

    /// Adds the facts missing from the files, and those on which no two sources may disagree. The rest differs in
    /// spelling and rounding: names by release of the tool, memory by whole MiB.
    private static AcceleratorProfile missing(AcceleratorProfile gpu, AcceleratorProfile answer) {
        AcceleratorProfile.ProfileBuilder builder = AcceleratorProfile.builder(gpu.accelerator());
        for (DeviceFact<?> fact : DeviceFact.all()) {
            copy(gpu, answer, fact, builder);
        }
        return builder.build();
    }

    private static <T> void copy(
            AcceleratorProfile gpu,
            AcceleratorProfile answer,
            DeviceFact<T> fact,
            AcceleratorProfile.ProfileBuilder builder) {
        Reading<T> value = answer.reading(fact);
        boolean identity = fact == DeviceFact.PCI_ID || fact == DeviceFact.UUID;
        if (value.isKnown() && (identity || !gpu.reading(fact).isKnown())) {
            builder.with(fact, value);
        }
    }
}
