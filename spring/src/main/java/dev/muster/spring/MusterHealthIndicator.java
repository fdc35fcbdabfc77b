// SPDX-License-Identifier: Apache-2.0
package dev.muster.spring;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.Finding;
import dev.muster.core.Preflight;
import dev.muster.monitor.Sampler;
import dev.muster.monitor.Sampler.Failure;
import dev.muster.monitor.Sampler.Sample;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/// The device requirements of an application as health: up if the devices meet them, down otherwise. It reports
/// the results of `muster check`. Immutable; safe to share between threads as far as the source of registries is.
///
/// Details: `findings`, what was asked and found, by the name of the condition; `failed`, the names of conditions that
/// are not met; `gaps`, how much could not be learned; `failure`, why a look at the devices failed.
///
/// @since 0.2
public final class MusterHealthIndicator implements HealthIndicator {
    private final Preflight needs;
    private final Supplier<Health> source;

    private MusterHealthIndicator(Preflight needs, Supplier<AcceleratorRegistry> registries) {
        this.needs = needs;
        this.source = () -> examined(registries.get()).build();
    }

    private MusterHealthIndicator(Preflight needs, Sampler sampler) {
        this.needs = needs;
        this.source = () -> sampled(sampler);
    }

    /// Health by registries from anywhere, such as `RegistryHolder::get`; asked on the thread that asks for the health,
    /// so that it should answer quickly. Where it throws, the health is down.
    public static MusterHealthIndicator of(Preflight needs, Supplier<AcceleratorRegistry> registries) {
        return new MusterHealthIndicator(needs, registries);
    }

    /// Health by the newest sample; unknown before the first, and down where the newest look failed.
    public static MusterHealthIndicator of(Preflight needs, Sampler sampler) {
        return new MusterHealthIndicator(needs, sampler);
    }

    @Override
    public Health health() {
        try {
            return source.get();
        } catch (RuntimeException e) {
            return Health.down(e).build();
        }
    }

    private Health sampled(Sampler sampler) {
        Optional<Failure> failure = sampler.failure();
        Health.Builder health =
                sampler.newest().map(Sample::registry).map(this::examined).orElseGet(Health::unknown);
        failure.ifPresent(failed -> health.down().withDetail("failure", failed.message()));
        return health.build();
    }

    private Health.Builder examined(AcceleratorRegistry registry) {
        Map<String, String> findings = new LinkedHashMap<>();
        List<Finding> all = needs.examine(registry);
        all.forEach(finding -> findings.put(finding.id(), finding.message()));
        List<String> failed = all.stream()
                .filter(finding -> !finding.isPassed())
                .map(Finding::id)
                .toList();
        Health.Builder health = failed.isEmpty() ? Health.up() : Health.down().withDetail("failed", failed);
        return health.withDetail("findings", findings)
                .withDetail("gaps", registry.gaps().size());
    }
}
