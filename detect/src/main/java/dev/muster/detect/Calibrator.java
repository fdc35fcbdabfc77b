// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.UnknownReason;
import dev.muster.core.measure.CalibrationDocument;
import dev.muster.core.measure.CalibrationDocument.DeviceCalibration;
import dev.muster.core.measure.CalibrationDocument.MeasurementGap;
import dev.muster.core.measure.MeasuredDevice;
import dev.muster.core.measure.MeasuredQuantity;
import dev.muster.core.measure.Measurement;
import dev.muster.core.measure.Thoroughness;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.host.Deadline;
import dev.muster.detect.host.Host;
import dev.muster.detect.measure.CpuMeter;
import dev.muster.detect.measure.MeasurementException;
import dev.muster.detect.nvidia.cuda.CudaMeter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Measures what devices of this machine really reach. Immutable; two that measure at the same time
/// measure each other.
///
/// @since 0.1
public final class Calibrator {
    /// Limit for one device; ten seconds are usual.
    private static final Duration LIMIT = Duration.ofSeconds(90);
    /// Limit for the processor; four seconds are usual.
    private static final Duration CPU_LIMIT = Duration.ofSeconds(30);
    /// Additional time in which a measurement may release the device.
    private static final Duration GRACE = Duration.ofSeconds(2);

    private final Host host;
    private final int processors;
    private final List<String> libraryFolders;
    private final Thoroughness thoroughness;
    private final Consumer<String> progress;

    private Calibrator(
            Host host,
            int processors,
            List<String> libraryFolders,
            Thoroughness thoroughness,
            Consumer<String> progress) {
        this.host = host;
        this.processors = processors;
        this.libraryFolders = List.copyOf(libraryFolders);
        this.thoroughness = thoroughness;
        this.progress = progress;
    }

    /// A calibrator of this machine.
    ///
    /// @param host this machine; a recorded one cannot be measured
    /// @param processors number of processors this program may use
    /// @param libraryFolders folders of vendors' libraries beside the usual ones; absolute
    /// @param progress told what is measured next, such as `cuda:0 memory copy`; may be called on
    ///     another thread
    public static Calibrator of(
            Host host,
            int processors,
            List<String> libraryFolders,
            Thoroughness thoroughness,
            Consumer<String> progress) {
        return new Calibrator(host, processors, libraryFolders, thoroughness, progress);
    }

    /// Reports whether devices of that kind can be measured.
    public static boolean canMeasure(AcceleratorProfile device) {
        AcceleratorKind kind = device.accelerator().kind();
        return kind == AcceleratorKind.CPU || kind == AcceleratorKind.CUDA_GPU;
    }

    /// Measures devices, one after the other. What cannot be measured is a gap.
    public CalibrationDocument calibrate(List<AcceleratorProfile> devices) {
        List<DeviceCalibration> done = new ArrayList<>();
        List<MeasurementGap> gaps = new ArrayList<>();
        boolean hung = false;
        for (AcceleratorProfile device : devices) {
            Run run = new Run(device);
            if (device.accelerator().kind() == AcceleratorKind.CPU) {
                run.measureCpu();
            } else if (device.accelerator().kind() != AcceleratorKind.CUDA_GPU) {
                run.miss(UnknownReason.NOT_SUPPORTED, "only processors and NVIDIA's GPUs can be measured so far");
            } else if (hung) {
                run.miss(UnknownReason.TIMED_OUT, "not measured: an earlier call is still in the driver");
            } else {
                hung = !run.measureGpu();
            }
            List<Measurement> results = List.copyOf(run.results);
            if (!results.isEmpty()) {
                done.add(new DeviceCalibration(
                        MeasuredDevice.of(device), host.clock().instant(), thoroughness, results));
            }
            gaps.addAll(run.gaps);
        }
        return new CalibrationDocument(done, gaps);
    }

    /// The measurement of one device. The queues are shared with a thread that may be left behind.
    private final class Run {
        private final AcceleratorProfile device;
        private final String id;
        private final Queue<Measurement> results = new ConcurrentLinkedQueue<>();
        private final Queue<MeasurementGap> gaps = new ConcurrentLinkedQueue<>();

        Run(AcceleratorProfile device) {
            this.device = device;
            this.id = device.id().text();
        }

        void miss(UnknownReason reason, String message) {
            gaps.add(new MeasurementGap(id, reason, message));
        }

        void measureCpu() {
            Deadline deadline = Deadline.in(CPU_LIMIT);
            CpuMeter meter = new CpuMeter(processors, thoroughness);
            Bytes cache = device.reading(DeviceFact.LAST_CACHE).find().orElse(Bytes.ZERO);
            Bytes free = device.memoryFree().find().orElse(Bytes.ZERO);
            measure(MeasuredQuantity.MEMORY_READ, () -> meter.read(cache, free, deadline));
            measure(MeasuredQuantity.MEMORY_COPY, () -> meter.copy(cache, free, deadline));
            measure(MeasuredQuantity.MULTIPLY_ADD_FP32, () -> meter.multiplyAdd(deadline));
        }

        private void measure(MeasuredQuantity quantity, Supplier<Measurement> measurement) {
            begin(quantity);
            try {
                results.add(measurement.get());
            } catch (MeasurementException e) {
                gaps.add(e.toGap(id, quantity.display()));
            }
        }

        private void begin(MeasuredQuantity quantity) {
            progress.accept(id + " " + quantity.display());
        }

        private void contain(CudaMeter meter) {
            try {
                meter.measure(device);
            } catch (RuntimeException e) {
                miss(UnknownReason.UNREADABLE, "the measurement itself failed (" + e + ")");
            }
        }

        /// On a thread to spare; false when it did not come back.
        boolean measureGpu() {
            CudaMeter meter = new CudaMeter(
                    host, libraryFolders, thoroughness, Deadline.in(LIMIT), id, this::begin, results::add, gaps::add);
            Thread thread =
                    Thread.ofPlatform().daemon().name("muster-measure-gpu").start(() -> contain(meter));
            try {
                if (thread.join(LIMIT.plus(GRACE))) {
                    return true;
                }
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
            thread.interrupt();
            miss(UnknownReason.TIMED_OUT, "a call into the driver did not come back");
            return false;
        }
    }
}
