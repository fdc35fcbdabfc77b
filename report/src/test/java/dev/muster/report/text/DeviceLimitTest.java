// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Ratio;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeviceLimitTest {
    private static AcceleratorProfile.ProfileBuilder gpu(double load) {
        return AcceleratorProfile.builder(AcceleratorType.of(AcceleratorKind.CUDA_GPU, 0))
                .with(DeviceFact.UTILIZATION, ratio(load))
                .with(DeviceFact.PCIE_BANDWIDTH, rate(63))
                .with(DeviceFact.FABRIC_BANDWIDTH, rate(450));
    }

    private static Reading<Ratio> ratio(double share) {
        return Reading.known(new Ratio(share), Provenance.GIVEN);
    }

    private static Reading<Bandwidth> rate(double gigabytes) {
        return Reading.known(new Bandwidth(gigabytes), Provenance.GIVEN);
    }

    @ParameterizedTest
    @CsvSource({
        "1.0, 0.99, 0.937, 0.162, 0, 0, 'compute, tensor cores 94 %'",
        "1.0, 0.97, 0.10, 0.82, 0, 0, memory bandwidth 82 %",
        "1.0, 0.95, 0.02, 0.20, 0, 0, compute 95 %",
        "1.0, 0.20, 0.05, 0.10, 0, 300, 'network, device fabric 67 %'",
        "1.0, 0.02, 0.00, 0.02, 55, 0, 'host, PCIe 87 %'",
        "0.9, 0.22, 0.08, 0.06, 1, 0, 'host, compute units 22 %'",
        "0.9, 0.65, 0.30, 0.40, 1, 0, mixed",
        "0.0, 0.00, 0.00, 0.00, 0, 0, idle"
    })
    void theLimitIsThePartThatIsNearItsPeak(
            double load, double compute, double tensor, double memory, double pcie, double fabric, String words) {
        AcceleratorProfile device = gpu(load)
                .with(DeviceFact.COMPUTE_ACTIVE, ratio(compute))
                .with(DeviceFact.TENSOR_ACTIVE, ratio(tensor))
                .with(DeviceFact.BANDWIDTH_UTILIZATION, ratio(memory))
                .with(DeviceFact.PCIE_SENT, rate(pcie))
                .with(DeviceFact.FABRIC_SEND_RATE, rate(fabric))
                .build();

        assertThat(DeviceLimit.of(device)).contains(words);
    }

    @Test
    void aDeviceThatReportsItsLoadAloneHasNoKnownLimit() {
        assertThat(DeviceLimit.of(gpu(0.9).build())).isEmpty();
        assertThat(DeviceLimit.of(gpu(0).build())).contains("idle");
    }
}
