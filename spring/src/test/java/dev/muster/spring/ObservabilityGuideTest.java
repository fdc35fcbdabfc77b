// SPDX-License-Identifier: Apache-2.0
package dev.muster.spring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/// Examples of `docs/guides/observability.md`.
class ObservabilityGuideTest {
    @Test
    void anApplicationHasTheHealthOfItsDevices() {
        try (AnnotationConfigApplicationContext context =
                new AnnotationConfigApplicationContext(AcceleratorConfiguration.class)) {
            assertThat(context.getBeansOfType(HealthIndicator.class)).containsOnlyKeys("accelerators");
            Health health = context.getBean(MusterHealthIndicator.class).health();
            // By what this host has.
            assertThat(health.getStatus()).isIn(Status.UP, Status.DOWN);
            assertThat(health.getDetails()).containsKeys("findings", "gaps");
        }
    }
}
