// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Ratio;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The activity of the parts of a GPU over an interval: NVML's GPU performance monitoring (GPM), which Hopper and newer
/// GPUs have without privileges. The interval goes back to the last look at the GPU, if that was within a minute; a
/// first look takes a tenth of a second.
///
/// Layout and numbers: `nvmlGpmMetricsGet_t` and `nvmlGpmMetricId_t` of nvml.h, CUDA 13.0, 2025. GPUs in MIG mode are
/// not sampled, since drivers before 550 then refuse the memory of their slices. Confined to one thread.
final class NvmlActivity {
    /// Releases a sample.
    static final String FREE = "nvmlGpmSampleFree";

    private static final String SUPPORT = "nvmlGpmQueryDeviceSupport";
    private static final String METRICS = "nvmlGpmMetricsGet";
    private static final int VERSION = 1;

    private static final int ENGINE = 1;
    private static final int COMPUTE = 2;
    private static final int OCCUPANCY = 3;
    private static final int TENSOR = 5;
    private static final int MEMORY = 10;
    private static final int NVLINK_RECEIVED = 60;
    private static final int NVLINK_SENT = 61;
    private static final int[] IDS = {ENGINE, COMPUTE, OCCUPANCY, TENSOR, MEMORY, NVLINK_RECEIVED, NVLINK_SENT};

    private static final int FIRST_SAMPLE_AT = 8;
    private static final int SECOND_SAMPLE_AT = 16;
    private static final int METRICS_AT = 24;
    private static final int METRIC_SIZE = 40;
    private static final int STATUS_AT = 4;
    private static final int VALUE_AT = 8;

    private static final double PERCENT = 100.0;
    private static final double MEBIBYTES_PER_GIGABYTE = 1e9 / (1 << 20);
    private static final long LEAST_NANOS = 100_000_000L;
    private static final long MOST_NANOS = 60_000_000_000L;

    private final NvmlDevice device;
    private final NvmlLibrary nvml;
    /// The sample that the interval begins with; null where the GPU has none.
    private final @Nullable Sample first;

    private String refusedBy = SUPPORT;
    private int refusal = NvmlLibrary.SUCCESS;

    /// The counters of a GPU at a time.
    ///
    /// @param address NVML's memory for them
    /// @param nanos the time, as of [System#nanoTime()]
    record Sample(long address, long nanos) {}

    private NvmlActivity(NvmlDevice device) {
        this.device = device;
        this.nvml = device.nvml();
        this.first = begin();
    }

    /// Begins an interval, or continues the one since the last look.
    static NvmlActivity begin(NvmlDevice device) {
        return new NvmlActivity(device);
    }

    private @Nullable Sample begin() {
        Optional<Sample> last = NvmlSession.takeSample(device.handle());
        if (last.isPresent()) {
            if (System.nanoTime() - last.get().nanos() < MOST_NANOS) {
                return last.get();
            }
            nvml.call(FREE, last.get().address());
        }
        nvml.clear(2 * Integer.BYTES);
        nvml.putInt(0, VERSION);
        int status = nvml.call(SUPPORT, device.handle(), nvml.address(0));
        if (status != NvmlLibrary.SUCCESS || nvml.intAt(Integer.BYTES) != 1) {
            return refused(SUPPORT, status);
        }
        return take();
    }

    private @Nullable Sample take() {
        int status = nvml.call("nvmlGpmSampleAlloc", nvml.address(0));
        if (status != NvmlLibrary.SUCCESS) {
            return refused("nvmlGpmSampleAlloc", status);
        }
        long address = nvml.longAt(0);
        status = nvml.call("nvmlGpmSampleGet", device.handle(), address);
        if (status != NvmlLibrary.SUCCESS) {
            nvml.call(FREE, address);
            return refused("nvmlGpmSampleGet", status);
        }
        return new Sample(address, System.nanoTime());
    }

    private @Nullable Sample refused(String function, int status) {
        refusedBy = function;
        refusal = status;
        return null;
    }

    /// Ends the interval and adds what happened in it. The end is the beginning of the next one.
    void end(AcceleratorProfile.ProfileBuilder profile) {
        Sample begin = first;
        Sample end = begin == null ? null : takeAfter(begin);
        if (begin == null || end == null) {
            if (begin != null) {
                nvml.call(FREE, begin.address());
            }
            addUnknown(profile);
            return;
        }
        ask(begin, end);
        addTo(profile);
        nvml.call(FREE, begin.address());
        NvmlSession.keepSample(device.handle(), end);
    }

    private @Nullable Sample takeAfter(Sample begin) {
        for (long left = LEAST_NANOS; left > 0; left = begin.nanos() + LEAST_NANOS - System.nanoTime()) {
            if (left < LEAST_NANOS) {
                LockSupport.parkNanos(left);
            }
            if (Thread.currentThread().isInterrupted()) {
                break;
            }
        }
        return take();
    }

    private void ask(Sample begin, Sample end) {
        nvml.clear(METRICS_AT + IDS.length * METRIC_SIZE);
        nvml.putInt(0, VERSION);
        nvml.putInt(Integer.BYTES, IDS.length);
        nvml.putLong(FIRST_SAMPLE_AT, begin.address());
        nvml.putLong(SECOND_SAMPLE_AT, end.address());
        for (int i = 0; i < IDS.length; i++) {
            nvml.putInt(METRICS_AT + i * METRIC_SIZE, IDS[i]);
        }
        refusedBy = METRICS;
        refusal = nvml.call(METRICS, nvml.address(0));
    }

    private void addTo(AcceleratorProfile.ProfileBuilder profile) {
        profile.with(DeviceFact.ENGINE_ACTIVE, share(ENGINE))
                .with(DeviceFact.COMPUTE_ACTIVE, share(COMPUTE))
                .with(DeviceFact.OCCUPANCY, share(OCCUPANCY))
                .with(DeviceFact.TENSOR_ACTIVE, share(TENSOR))
                .with(DeviceFact.BANDWIDTH_UTILIZATION, share(MEMORY))
                .with(DeviceFact.FABRIC_SEND_RATE, rate(NVLINK_SENT))
                .with(DeviceFact.FABRIC_RECEIVE_RATE, rate(NVLINK_RECEIVED));
    }

    private void addUnknown(AcceleratorProfile.ProfileBuilder profile) {
        Reading<Ratio> share = unknown();
        Reading<Bandwidth> rate = unknown();
        profile.with(DeviceFact.ENGINE_ACTIVE, share)
                .with(DeviceFact.COMPUTE_ACTIVE, share)
                .with(DeviceFact.OCCUPANCY, share)
                .with(DeviceFact.TENSOR_ACTIVE, share)
                .with(DeviceFact.BANDWIDTH_UTILIZATION, share)
                .with(DeviceFact.FABRIC_SEND_RATE, rate)
                .with(DeviceFact.FABRIC_RECEIVE_RATE, rate);
    }

    private <T> Reading<T> unknown() {
        return refusal == NvmlLibrary.SUCCESS
                ? Reading.notSupported("the GPU has no performance monitoring (GPM), which begins with Hopper")
                : NvmlStatus.unknown(refusedBy, refusal);
    }

    private Reading<Ratio> share(int id) {
        return value(id).map(percent -> new Ratio(Math.clamp(percent / PERCENT, 0, 1)));
    }

    private Reading<Bandwidth> rate(int id) {
        return value(id).map(mebibytes -> new Bandwidth(mebibytes / MEBIBYTES_PER_GIGABYTE));
    }

    private Reading<Double> value(int id) {
        if (refusal != NvmlLibrary.SUCCESS) {
            return unknown();
        }
        for (int i = 0; i < IDS.length; i++) {
            int at = METRICS_AT + i * METRIC_SIZE;
            if (IDS[i] == id) {
                int status = nvml.intAt(at + STATUS_AT);
                double value = Double.longBitsToDouble(nvml.longAt(at + VALUE_AT));
                return status == NvmlLibrary.SUCCESS && value >= 0 && value < Double.MAX_VALUE
                        ? Reading.known(value, device.source())
                        : NvmlStatus.unknown(METRICS, status);
            }
        }
        return unknown();
    }
}
