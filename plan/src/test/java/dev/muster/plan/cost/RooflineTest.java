// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.DeviceEntry;
import dev.muster.plan.cost.Roofline.Roof;
import java.util.List;
import org.junit.jupiter.api.Test;

class RooflineTest {
    private static final Roof ROOF = new Roof("16-bit", 1000);
    private static final Roofline ROOFLINE = new Roofline(10, List.of(ROOF), ROOF);

    @Test
    void memoryLimitsBeforeTheRidgeAndArithmeticBehindIt() {
        assertThat(ROOFLINE.ridge()).isEqualTo(100);
        assertThat(ROOFLINE.bound(20)).isEqualTo(200);
        assertThat(ROOFLINE.bound(100)).isEqualTo(1000);
        assertThat(ROOFLINE.bound(500)).isEqualTo(1000);
        assertThat(ROOFLINE.isMemoryBound(new Roofline.RooflinePoint(20, 1, 1))).isTrue();
        assertThat(ROOFLINE.isMemoryBound(new Roofline.RooflinePoint(500, 1, 1)))
                .isFalse();
    }

    @Test
    void aPointIsOperationsOverBytesAndOverTime() {
        Roofline.RooflinePoint point = new Roofline.RooflinePoint(600, 30, 4);
        assertThat(point.intensity()).isEqualTo(20);
        assertThat(point.rate()).isEqualTo(150);
        assertThat(ROOFLINE.share(point)).isEqualTo(0.75);
    }

    @Test
    void aDeviceHasRoofsForTheUnitsThatItHas() {
        DeviceFigures a100 = figures("a100-sxm4-80");
        DeviceFigures b200 = figures("b200-sxm");
        assertThat(names(Roofline.of(a100, a100.half()))).first().isEqualTo("16-bit");
        assertThat(names(Roofline.of(b200, b200.four()))).containsExactly("16-bit", "8-bit", "4-bit");
        assertThat(Roofline.of(b200, b200.eight()).used().numbers()).isEqualTo("8-bit");
    }

    @Test
    void aRateOfNoOtherUnitsIsThatOfShortSums() {
        DeviceFigures card = figures("rtx-3090");
        Roofline roofline = Roofline.of(card, card.halfSums());
        assertThat(roofline.used()).isEqualTo(new Roof("16-bit with 16-bit sums", card.halfSums()));
        assertThat(roofline.roofs()).contains(new Roof("16-bit", card.half()));
    }

    @Test
    void roofsOfEveryDeviceRiseAndNoTwoLookLikeOne() {
        for (DeviceEntry entry : DeviceCatalogue.builtIn().entries()) {
            DeviceFigures device = DeviceFigures.of(entry);
            if (!device.isComplete()) {
                continue;
            }
            for (double peak : List.of(device.half(), device.halfSums(), device.eight(), device.four())) {
                Roofline roofline = Roofline.of(device, peak);
                assertThat(roofline.used().peak()).as(entry.id()).isEqualTo(peak);
                for (int i = 1; i < roofline.roofs().size(); i++) {
                    double step = roofline.roofs().get(i).peak()
                            / roofline.roofs().get(i - 1).peak();
                    assertThat(step).as(entry.id()).isGreaterThan(1.009);
                }
            }
        }
    }

    @Test
    void whatIsNoWorkIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Roofline.RooflinePoint(1, 0, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new Roofline.RooflinePoint(1, 1, Double.NaN));
        assertThatIllegalArgumentException().isThrownBy(() -> new Roof("8-bit", 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new Roofline(10, List.of(), ROOF));
        assertThat(new Roofline.RooflinePoint(1, 3, 1).intensity()).isCloseTo(0.333, within(0.001));
    }

    private static List<String> names(Roofline roofline) {
        return roofline.roofs().stream().map(Roof::numbers).toList();
    }

    private static DeviceFigures figures(String id) {
        return DeviceFigures.of(DeviceCatalogue.builtIn().find(id).orElseThrow());
    }
}
