// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia.cuda;

import dev.muster.core.UnknownReason;
import dev.muster.core.measure.MeasuredQuantity;
import dev.muster.core.measure.Measurement;
import dev.muster.core.measure.Thoroughness;
import dev.muster.detect.host.Deadline;
import dev.muster.detect.measure.MeasurementException;
import java.util.concurrent.TimeUnit;

/// Times work on a device by the device's own clock: samples follow each other without a pause, so that
/// the device neither rests nor waits for this program. Confined to the thread of its driver.
///
/// @param driver the driver
/// @param stream stream of the work
/// @param thoroughness number of samples, and their time
/// @param deadline time at which all has to be over
record CudaTimer(CudaDriver driver, long stream, Thoroughness thoroughness, Deadline deadline) {
    private static final int MOST_SAMPLES = 100;
    private static final int MOST_PER_SAMPLE = 100_000;
    private static final double SECOND = TimeUnit.SECONDS.toNanos(1);

    /// Does the work often enough.
    ///
    /// @param amount number of its bytes or operations
    /// @throws MeasurementException if it would take longer than it may
    Measurement measure(MeasuredQuantity quantity, double amount, String method, Runnable work) {
        try (CudaScope events = new CudaScope(driver)) {
            double once = warmUp(work, events);
            int perSample =
                    (int) Math.clamp(Math.ceil(Thoroughness.SAMPLE.toNanos() / SECOND / once), 1, MOST_PER_SAMPLE);
            double sample = once * perSample;
            int samples = (int) Math.clamp(
                    Math.ceil(thoroughness.sustained().toNanos() / SECOND / sample),
                    thoroughness.samples(),
                    MOST_SAMPLES);
            if ((samples + 1) * sample > deadline.remaining().toNanos() / SECOND) {
                throw new MeasurementException(UnknownReason.TIMED_OUT, "the device is too slow for the time limit");
            }
            return Measurement.of(quantity, amount * perSample, take(work, perSample, samples, events), method);
        }
    }

    /// Does it a few times, the last of them timed: the first ones load code and raise clocks.
    private double warmUp(Runnable work, CudaScope events) {
        long first = events.createEvent();
        long last = events.createEvent();
        work.run();
        driver.awaitStream(stream);
        driver.record(first, stream);
        work.run();
        work.run();
        driver.record(last, stream);
        driver.awaitEvent(last);
        double once = driver.secondsBetween(first, last) / 2;
        if (!(once > 0)) {
            throw new MeasurementException(UnknownReason.UNREADABLE, "the device reports a duration of zero");
        }
        return once;
    }

    /// One sample more than is kept: in the first, clocks and power settle.
    private double[] take(Runnable work, int perSample, int samples, CudaScope events) {
        long[] marks = new long[samples + 1];
        for (int i = 0; i < marks.length; i++) {
            marks[i] = events.createEvent();
        }
        for (long mark : marks) {
            for (int i = 0; i < perSample; i++) {
                work.run();
            }
            driver.record(mark, stream);
        }
        driver.awaitEvent(marks[samples]);
        double[] seconds = new double[samples];
        for (int i = 0; i < samples; i++) {
            seconds[i] = driver.secondsBetween(marks[i], marks[i + 1]);
        }
        return seconds;
    }
}
