// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.top;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.monitor.Sampler;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Samples of a host, as a [Sampler] takes them. What screens show of a sample is put together on the sampler's thread,
/// so that keys are answered while `/proc` is read.
public final class LiveSource implements TopSource {
    private static final Duration IDLE = Duration.ofMinutes(1);

    private final Sampler sampler;
    private final String pace;
    private volatile @Nullable TopData newest;

    private LiveSource(Sampler sampler, String pace) {
        this.sampler = sampler;
        this.pace = pace;
    }

    /// Shows what a sampler sees, which is closed with it.
    ///
    /// @param prepare puts together what is shown of a sample
    /// @param pace interval of samples, as text
    /// @param arrived called after each
    public static LiveSource of(
            Sampler sampler, Function<AcceleratorRegistry, TopData> prepare, String pace, Runnable arrived) {
        LiveSource source = new LiveSource(sampler, pace);
        sampler.subscribe(sample -> {
            source.newest = prepare.apply(sample.registry());
            arrived.run();
        });
        sampler.newest().ifPresent(sample -> source.newest = prepare.apply(sample.registry()));
        return source;
    }

    @Override
    public Optional<TopData> newest() {
        return Optional.ofNullable(newest);
    }

    @Override
    public Optional<TopData> frozen() {
        return newest().map(TopData::frozen);
    }

    @Override
    public Duration untilNext() {
        return IDLE;
    }

    @Override
    public String pace() {
        return pace;
    }

    @Override
    public String trouble() {
        return sampler.failure()
                .map(failure -> "the last sample failed: " + failure.message())
                .orElse("");
    }

    @Override
    public boolean isReplay() {
        return false;
    }

    @Override
    public void step() {}

    @Override
    public void pause(boolean still) {}

    @Override
    public void speed(double times) {}

    @Override
    public void close() {
        sampler.close();
    }
}
