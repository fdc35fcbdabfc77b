// SPDX-License-Identifier: Apache-2.0
package dev.muster.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import dev.muster.core.unit.Bytes;
import java.util.List;
import org.junit.jupiter.api.Test;

class AlertRuleTest {
    @Test
    void aRuleHoldsOfDevicesThatAreBeyondItsLimitAlone() {
        AlertRule rule = AlertRule.parse("temp>=85").getFirst();

        assertThat(rule.examine(Samples.hot(84.9))).isEmpty();
        assertThat(rule.examine(Samples.hot(85)))
                .contains(new AlertRule.Alert(Samples.id(0), "temperature 85 C >= 85 C"));
        assertThat(rule.examine(AcceleratorProfile.cuda(0, Bytes.ofGib(1))))
                .as("unknown")
                .isEmpty();
        assertThat(rule).hasToString("temperature>=85C");
    }

    @Test
    void moreRulesThanThereMayBeAreRefused() {
        String many = "load>1%" + ",load>1%".repeat(AlertRule.MOST);

        assertThatThrownBy(() -> AlertRule.parse(many)).hasMessageContaining("65 rules");
    }

    @Test
    void whatADeviceSaysOfItselfIsTold() {
        AcceleratorProfile ill = Samples.hot(50).toBuilder()
                .with(DeviceFact.HEALTH, Samples.known("fallen off the bus"))
                .with(DeviceFact.THROTTLING, Samples.known("hw thermal slowdown"))
                .with(DeviceFact.ECC_UNCORRECTED, Samples.known(2L))
                .with(DeviceFact.ROW_REMAPPING, Samples.known("failed"))
                .build();

        assertThat(DeviceTrouble.examine(AcceleratorRegistry.of(List.of(ill, Samples.hot(50)))))
                .extracting(AlertRule.Alert::text)
                .containsExactly(
                        "is unhealthy: fallen off the bus",
                        "has 2 uncorrected memory errors",
                        "could not remap a faulty memory row",
                        "is throttled: hw thermal slowdown");
    }
}
