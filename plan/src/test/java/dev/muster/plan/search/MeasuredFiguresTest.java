// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceChoice;
import dev.muster.core.measure.CalibrationDocument;
import dev.muster.core.measure.CalibrationDocument.DeviceCalibration;
import dev.muster.core.measure.MeasuredDevice;
import dev.muster.core.measure.MeasuredQuantity;
import dev.muster.core.measure.Measurement;
import dev.muster.core.measure.Thoroughness;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.DeviceEntry;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.cost.MemoryBasis;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class MeasuredFiguresTest {
    private static final DeviceEntry H200 =
            DeviceCatalogue.builtIn().find("h200-sxm").orElseThrow();
    private static final DeviceFigures SHEET = DeviceFigures.of(H200);
    private static final AcceleratorProfile FIRST = H200.toProfile(0);
    private static final AcceleratorProfile SECOND = H200.toProfile(1);

    @Test
    void aDeviceThatReachesTheUsualIsAsItsDataSheetSays() {
        DevicePool pool = pool(document(device(FIRST, 4.272e12, 0.683e15), device(SECOND, 4.272e12, 0.683e15)));
        DeviceFigures measured = pool.device();
        assertThat(pool.isMeasured()).isTrue();
        assertThat(measured.bandwidth()).isCloseTo(SHEET.bandwidth(), Percentage.withPercentage(1));
        assertThat(measured.half()).isCloseTo(SHEET.half(), Percentage.withPercentage(1));
        assertThat(measured.memory()).isEqualTo(SHEET.memory());
    }

    @Test
    void theSlowestDeviceDecides() {
        DeviceFigures measured = pool(document(device(FIRST, 4.272e12, 0.683e15), device(SECOND, 2.136e12, 0.683e15)))
                .device();
        assertThat(measured.bandwidth()).isCloseTo(SHEET.bandwidth() / 2, Percentage.withPercentage(1));
    }

    @Test
    void oneDeviceThatWasNotMeasuredLeavesAllToTheDataSheet() {
        DevicePool pool = pool(document(device(FIRST, 2.136e12, 0.683e15)));
        assertThat(pool.count()).isEqualTo(2);
        assertThat(pool.isMeasured()).isFalse();
        assertThat(pool.device().bandwidth()).isEqualTo(SHEET.bandwidth());
    }

    private static DevicePool pool(CalibrationDocument measured) {
        AcceleratorRegistry registry = AcceleratorRegistry.of(List.of(FIRST, SECOND));
        return PlannedDevices.of(
                        registry,
                        DeviceChoice.defaults(registry),
                        DeviceCatalogue.builtIn(),
                        Optional.of(measured),
                        MemoryBasis.FREE,
                        Optional.empty(),
                        Optional.empty())
                .pools()
                .getFirst();
    }

    private static CalibrationDocument document(DeviceCalibration... devices) {
        return new CalibrationDocument(List.of(devices), List.of());
    }

    private static DeviceCalibration device(AcceleratorProfile profile, double copies, double products) {
        double[] second = {1, 1, 1};
        return new DeviceCalibration(
                MeasuredDevice.of(profile),
                Instant.EPOCH,
                Thoroughness.QUICK,
                List.of(
                        Measurement.of(MeasuredQuantity.MEMORY_COPY, copies, second, "made up"),
                        Measurement.of(MeasuredQuantity.MATRIX_BF16, products, second, "made up")));
    }
}
