// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.PciAddress;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// GPUs that `nvidia-smi` names only to say that it cannot reach them, in sentences before or behind its answer:
/// `Unable to determine the device handle for GPU0000:02:00.0: GPU is lost.`, in newer drivers
/// `… for GPU1: 0000:34:00.0: Unknown Error`.
final class NvidiaLostGpus {
    private static final String SENTENCE = "Unable to determine the device handle for GPU";
    private static final int MAX_LINE = 400;

    private NvidiaLostGpus() {}

    /// Those that a text names by their address.
    ///
    /// @param told the GPUs that the tool could reach; numbers go on behind theirs
    static List<AcceleratorProfile> parse(String text, List<AcceleratorProfile> told, Provenance source) {
        List<AcceleratorProfile> lost = new ArrayList<>();
        List<PciAddress> seen = new ArrayList<>();
        long next = 0;
        for (AcceleratorProfile gpu : told) {
            next = Math.max(next, gpu.accelerator().deviceId() + 1);
            gpu.reading(DeviceFact.PCI_ADDRESS).find().ifPresent(seen::add);
        }
        for (String line : text.split("\n")) {
            int start = line.length() > MAX_LINE ? -1 : line.indexOf(SENTENCE);
            Optional<Sentence> sentence =
                    start < 0 ? Optional.empty() : Sentence.find(line.substring(start + SENTENCE.length()));
            if (sentence.isPresent()
                    && !seen.contains(sentence.get().address())
                    && lost.size() < NvidiaSmiLog.MAX_GPUS) {
                seen.add(sentence.get().address());
                lost.add(sentence.get().profile(next++, source));
            }
        }
        return lost;
    }

    private record Sentence(PciAddress address, String reason) {
        /// The address is one of the words between blanks, with a colon behind it.
        static Optional<Sentence> find(String text) {
            for (int start = 0; start < text.length(); ) {
                int end = text.indexOf(' ', start);
                String word = end < 0 ? text.substring(start) : text.substring(start, end);
                String bare = word.endsWith(":") ? word.substring(0, word.length() - 1) : word;
                Optional<PciAddress> address = PciAddress.find(bare);
                if (address.isPresent()) {
                    String rest = end < 0 ? "" : text.substring(end).strip();
                    return Optional.of(new Sentence(address.get(), rest.isEmpty() ? "lost" : rest));
                }
                start = end < 0 ? text.length() : end + 1;
            }
            return Optional.empty();
        }

        AcceleratorProfile profile(long number, Provenance source) {
            return AcceleratorProfile.builder(AcceleratorType.of(AcceleratorKind.CUDA_GPU, number))
                    .available(false)
                    .with(DeviceFact.PCI_ADDRESS, Reading.known(address, source))
                    .with(DeviceFact.HEALTH, Reading.known("the driver cannot reach it: " + reason, source))
                    .build();
        }
    }
}
