// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.UnknownReason;
import dev.muster.core.measure.CalibrationDocument;
import dev.muster.core.measure.Thoroughness;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.host.HostAnswer;
import dev.muster.detect.host.HostLibraries;
import dev.muster.testing.Need;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CalibratorTest {
    @Test
    void aMachineWithoutTheDriverSaysSoAndMeasuresItsProcessor() {
        if (!(HostLibraries.ofThisMachine().find(List.of("libcuda.so.1"), List.of())
                instanceof HostAnswer.Missing<Path>)) {
            throw Need.unmet("a machine without NVIDIA's driver");
        }
        List<String> progress = new ArrayList<>();
        CalibrationDocument document = Calibrator.of(
                        Detector.thisHost(), 2, List.of(), Thoroughness.QUICK, progress::add)
                .calibrate(
                        List.of(AcceleratorProfile.cuda(0, Bytes.ofGib(80)), AcceleratorProfile.cpu(Bytes.ofGib(16))));

        assertThat(document.gaps()).singleElement().satisfies(gap -> {
            assertThat(gap.reason()).isEqualTo(UnknownReason.NOT_INSTALLED);
            assertThat(gap.display())
                    .isEqualTo("cuda:0: not measured: libcuda.so.1 is not installed; install NVIDIA's driver, or start"
                            + " the container with access to the GPU");
        });
        assertThat(document.devices())
                .singleElement()
                .satisfies(device -> assertThat(device.results()).hasSize(3));
        assertThat(progress).containsExactly("cpu:0 memory read", "cpu:0 memory copy", "cpu:0 multiply-add fp32");
    }
}
