// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.top;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.text.FixedText;
import dev.muster.monitor.RecordingException;
import dev.muster.monitor.RegistryRecording;
import dev.muster.monitor.SampleHistory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Samples of a recording, at the pace at which they were taken or another. At a line that is damaged, and at the end,
/// the last sample stays.
public final class ReplaySource implements TopSource {
    private static final Duration USUAL = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofMinutes(1);
    private static final Duration SHORTEST = Duration.ofMillis(20);
    /// The largest factor of the recorded speed.
    public static final double FASTEST = 64;

    /// The smallest factor.
    public static final double SLOWEST = 0.125;

    private final RegistryRecording recording;
    private final SampleHistory history;
    private final UnaryOperator<AcceleratorRegistry> shown;
    private final LongSupplier nanos;
    private final TopData.Maker maker;
    private @Nullable TopData newest;
    private @Nullable AcceleratorRegistry next;
    private Instant time = Instant.EPOCH;
    private String trouble = "";
    private boolean ended;
    private boolean still;
    private double speed;
    private long count;
    private long due;

    /// @param recording closed with it
    /// @param history empty so far
    /// @param shown leaves devices out that are not wanted
    /// @param maker puts together what is shown of a sample
    /// @param speed factor of the recorded speed
    /// @param still true if it waits for steps
    /// @param nanos a clock that never goes back
    public ReplaySource(
            RegistryRecording recording,
            SampleHistory history,
            UnaryOperator<AcceleratorRegistry> shown,
            TopData.Maker maker,
            double speed,
            boolean still,
            LongSupplier nanos) {
        this.recording = recording;
        this.history = history;
        this.shown = shown;
        this.maker = maker;
        this.speed = Math.clamp(speed, SLOWEST, FASTEST);
        this.still = still;
        this.nanos = nanos;
        read();
        step();
    }

    /// Plays all that is left at once; says what was wrong with it, if anything was.
    public Optional<String> playToEnd() {
        while (!ended) {
            step();
        }
        return trouble.isEmpty() ? Optional.empty() : Optional.of(trouble);
    }

    @Override
    public Optional<TopData> newest() {
        if (!still && !ended && nanos.getAsLong() - due >= 0) {
            step();
        }
        return Optional.ofNullable(newest);
    }

    @Override
    public Optional<TopData> frozen() {
        return Optional.ofNullable(newest);
    }

    @Override
    public Duration untilNext() {
        return still || ended ? LONGEST : Duration.ofNanos(Math.max(0, due - nanos.getAsLong()));
    }

    @Override
    public String pace() {
        String times = speed == Math.rint(speed) ? FixedText.of(speed, 0) : FixedText.of(speed, 3);
        return "replay " + count + (ended ? ", end" : " x" + times);
    }

    @Override
    public String trouble() {
        return trouble;
    }

    @Override
    public boolean isReplay() {
        return true;
    }

    @Override
    public void step() {
        AcceleratorRegistry now = next;
        if (now == null) {
            ended = true;
            return;
        }
        count++;
        time = now.observedAt().find().orElse(time.plus(USUAL));
        history.add(time, now);
        newest = maker.make(now, history);
        read();
        due = nanos.getAsLong() + (long) (gap().toNanos() / speed);
    }

    private Duration gap() {
        Instant then = next == null ? time : next.observedAt().find().orElse(time.plus(USUAL));
        Duration gap = Duration.between(time, then);
        if (gap.compareTo(SHORTEST) < 0) {
            return SHORTEST;
        }
        return gap.compareTo(LONGEST) > 0 ? LONGEST : gap;
    }

    private void read() {
        try {
            next = recording.next().map(shown).orElse(null);
        } catch (RecordingException e) {
            next = null;
            trouble = String.valueOf(e.getMessage());
        } catch (IOException | UncheckedIOException e) {
            next = null;
            trouble = "cannot read the recording: " + e.getMessage();
        }
        ended = next == null;
    }

    @Override
    public void pause(boolean stop) {
        still = stop;
        due = nanos.getAsLong();
    }

    @Override
    public void speed(double times) {
        speed = Math.clamp(speed * times, SLOWEST, FASTEST);
    }

    @Override
    public void close() {
        try {
            recording.close();
        } catch (IOException _) {
            // Everything that was wanted of it has been read.
        }
    }
}
