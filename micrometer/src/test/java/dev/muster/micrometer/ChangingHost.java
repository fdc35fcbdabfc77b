// SPDX-License-Identifier: Apache-2.0
package dev.muster.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.monitor.SampleHistory;
import dev.muster.monitor.Sampler;
import dev.muster.monitor.Sampler.Sample;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/// A sampler of a made-up host whose devices change.
final class ChangingHost implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private volatile AcceleratorRegistry devices;
    private final Sampler sampler;

    ChangingHost(AcceleratorProfile... devices) throws InterruptedException {
        this.devices = AcceleratorRegistry.of(List.of(devices));
        this.sampler = Sampler.start(
                () -> this.devices, Duration.ofMillis(1), SampleHistory.ofLength(1), InstantSource.system());
        change(devices);
    }

    Sampler sampler() {
        return sampler;
    }

    /// Changes the devices and waits until all listeners have the change.
    void change(AcceleratorProfile... others) throws InterruptedException {
        devices = AcceleratorRegistry.of(List.of(others));
        long before = sampler.newest().map(Sample::number).orElse(0L);
        // One look may have begun before the change, and listeners hear of a sample after those who wait for it.
        long heard = before + 2;
        assertThat(sampler.awaitNewer(heard, LIMIT))
                .hasValueSatisfying(sample -> assertThat(sample.number()).isGreaterThan(heard));
    }

    @Override
    public void close() {
        sampler.close();
    }
}
