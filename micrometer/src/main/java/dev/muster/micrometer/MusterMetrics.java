// SPDX-License-Identifier: Apache-2.0
package dev.muster.micrometer;

import dev.muster.monitor.Sampler;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// Devices that a sampler sees, as meters: gauges, and function counters for what only grows, by Muster's names. Where
/// Prometheus reads `accel_memory_used_bytes`, the meter is `accel.memory.used` in `bytes`. Safe to share between
/// threads; close it before the sampler.
///
/// A number that is unknown has no meter. Meters come and go with the samples: those of a device that is gone are
/// removed, and so are those of a number that is no longer told. A label that is unknown is the tag `unknown`, since
/// registries demand the same tags of all meters of a name.
///
/// @since 0.2
public final class MusterMetrics implements MeterBinder, AutoCloseable {
    private final Sampler sampler;
    private final List<Tag> tags;
    private final List<Runnable> ends = new CopyOnWriteArrayList<>();

    private MusterMetrics(Sampler sampler, Iterable<Tag> tags) {
        this.sampler = sampler;
        this.tags = List.copyOf(toList(tags));
    }

    private static List<Tag> toList(Iterable<Tag> tags) {
        List<Tag> list = new ArrayList<>();
        tags.forEach(list::add);
        return list;
    }

    /// Meters of what a sampler sees.
    public static MusterMetrics of(Sampler sampler) {
        return of(sampler, List.of());
    }

    /// Meters of what a sampler sees.
    ///
    /// @param tags further tags of every meter, such as the host's name
    public static MusterMetrics of(Sampler sampler, Iterable<Tag> tags) {
        return new MusterMetrics(sampler, tags);
    }

    /// Has a registry told of every sample from now on, and of the newest at once.
    @Override
    public void bindTo(MeterRegistry registry) {
        DeviceMeters meters = new DeviceMeters(registry, tags);
        Runnable subscription = sampler.subscribe(meters::update);
        ends.add(() -> {
            subscription.run();
            meters.close();
        });
        sampler.newest().ifPresent(meters::update);
    }

    /// Removes the meters from all registries; the sampler goes on.
    @Override
    public void close() {
        ends.forEach(Runnable::run);
        ends.clear();
    }
}
