// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.amd;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.core.unit.Bandwidth;
import dev.muster.detect.host.Deadline;
import dev.muster.detect.host.HostAnswer;
import dev.muster.detect.probe.ProbeContext;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// PCIe throughput of one GPU. The driver counts for a second while the file is read, so that the files of all
/// GPUs are read beside each other, and not by a thread whose files must answer at once. Confined to one
/// thread.
final class PcieThroughput {
    private static final Duration PATIENCE = Duration.ofMillis(1500);
    private static final int MAX_FILE = 256;

    private final String file;
    private final Provenance source;
    private final Deadline deadline;
    private final FutureTask<HostAnswer<String>> reading;

    private PcieThroughput(ProbeContext context, String file) {
        this.file = file;
        this.source = AmdText.derived(context.fromFile(file));
        this.deadline = context.deadline();
        this.reading = new FutureTask<>(() -> context.files().read(file, MAX_FILE));
    }

    /// Begins to measure.
    ///
    /// @param folder the device's folder
    static PcieThroughput start(ProbeContext context, String folder) {
        PcieThroughput throughput = new PcieThroughput(context, folder + "/pcie_bw");
        Thread.ofPlatform().daemon().name("muster-pcie").start(throughput.reading);
        return throughput;
    }

    /// Waits for the answer.
    void addTo(AcceleratorProfile.ProfileBuilder gpu) {
        try {
            long nanos = Math.min(PATIENCE.toNanos(), deadline.remaining().toNanos());
            add(gpu, reading.get(nanos, TimeUnit.NANOSECONDS));
        } catch (TimeoutException _) {
            add(gpu, Reading.unknown(UnknownReason.TIMED_OUT, file + " does not answer"));
        } catch (ExecutionException e) {
            throw new IllegalStateException(file, e.getCause());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void add(AcceleratorProfile.ProfileBuilder gpu, HostAnswer<String> outcome) {
        if (outcome instanceof HostAnswer.Found(String text)) {
            Optional<Rates> rates = Rates.find(text);
            String wrong = file + " has an unknown format";
            gpu.with(DeviceFact.PCIE_SENT, Reading.of(rates.map(Rates::sent), source, wrong))
                    .with(DeviceFact.PCIE_RECEIVED, Reading.of(rates.map(Rates::received), source, wrong));
        } else {
            add(gpu, Reading.notSupported(file + " does not exist"));
        }
    }

    private static void add(AcceleratorProfile.ProfileBuilder gpu, Reading<Bandwidth> unknown) {
        gpu.with(DeviceFact.PCIE_SENT, unknown).with(DeviceFact.PCIE_RECEIVED, unknown);
    }

    /// Traffic in each direction in a second.
    ///
    /// @param received by the GPU
    /// @param sent by the GPU
    record Rates(Bandwidth received, Bandwidth sent) {
        private static final int NUMBERS = 3;
        private static final double BYTES_PER_GIGABYTE = 1e9;

        /// Out of packets received, packets sent, and the most bytes that a packet carries. The driver does not
        /// count the bytes: these are the most that it can have been.
        static Optional<Rates> find(String text) {
            String[] words = text.strip().split("\\s+");
            double[] numbers = new double[NUMBERS];
            if (words.length != NUMBERS) {
                return Optional.empty();
            }
            for (int i = 0; i < NUMBERS; i++) {
                Optional<Long> number = AmdText.whole(words[i]);
                if (number.isEmpty()) {
                    return Optional.empty();
                }
                numbers[i] = number.get();
            }
            double payload = numbers[2] / BYTES_PER_GIGABYTE;
            return Optional.of(new Rates(new Bandwidth(numbers[0] * payload), new Bandwidth(numbers[1] * payload)));
        }
    }
}
