// SPDX-License-Identifier: Apache-2.0
package dev.muster.spring;

import dev.muster.core.AcceleratorRequirement;
import dev.muster.core.Preflight;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.Detector;
import dev.muster.detect.RegistryHolder;
import java.time.Duration;
import java.util.Set;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

// begin observability-spring
/// `/actuator/health/accelerators`: up while there are two GPUs with 24 GiB each.
@Configuration(proxyBeanMethods = false)
class AcceleratorConfiguration {
    @Bean
    MusterHealthIndicator accelerators() {
        Preflight needs =
                new Preflight(AcceleratorRequirement.GPU, 2, Bytes.ofGib(24), Bytes.ZERO, Bytes.ZERO, Set.of());
        RegistryHolder holder = RegistryHolder.of(Detector.ofThisHost(), Duration.ofSeconds(30));
        return MusterHealthIndicator.of(needs, holder::get);
    }
}
// end observability-spring
