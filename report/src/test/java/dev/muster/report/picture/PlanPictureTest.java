// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.picture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.DeviceEntry;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.Roofline;
import dev.muster.report.picture.Frames.Group;
import dev.muster.report.picture.Frames.Host;
import dev.muster.report.picture.Placement.Device;
import dev.muster.testing.picture.SvgTexts;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanPictureTest {
    private static final DeviceMemory MEMORY =
            new DeviceMemory(List.of(new DeviceMemory.Part(DeviceMemory.Kind.WEIGHTS, 30e9)), 80e9);

    @Test
    void hostileNamesStayText() {
        String name = "<script>alert('1')</script>&\u001b\uffff\"]]>";
        PlanScene scene = new PlanScene(
                name,
                List.of(name),
                new Placement(
                        List.of(new Host<>(
                                name, List.of(new Group<>(name, List.of(new Device(name, List.of(name), MEMORY)))))),
                        true,
                        List.of(name)),
                List.of());
        String picture = PlanPicture.draw(scene);

        assertThat(SvgTexts.parse(picture).getElementsByTagName("script").getLength())
                .isZero();
        assertThat(picture).contains("&lt;script&gt;").doesNotContain("\u001b", "\uffff");
    }

    @Test
    void aLongNameIsCut() {
        Device device = new Device("d".repeat(300), List.of("l".repeat(300)), MEMORY);
        Placement placement = new Placement(
                List.of(new Host<>("host", List.of(new Group<>("group", List.of(device, device))))), false, List.of());
        SvgTexts.assertFits(PlanPicture.draw(
                new PlanScene("m".repeat(500), List.of("w ".repeat(300), "w".repeat(300)), placement, List.of())));
    }

    /// The label of work at any place under any roofs finds room.
    @Test
    void rooflinesOfEveryDeviceFit() {
        for (DeviceEntry entry : DeviceCatalogue.builtIn().entries()) {
            DeviceFigures device = DeviceFigures.of(entry);
            if (!device.isComplete()) {
                continue;
            }
            for (double peak : List.of(device.half(), device.halfSums(), device.four())) {
                Roofline roofline = Roofline.of(device, peak);
                double low = roofline.ridge() / 200;
                double high = roofline.ridge() * 9;
                String picture = PlanPicture.draw(new PlanScene(
                        entry.name(),
                        List.of(),
                        placement(),
                        List.of(new RooflineChart(
                                entry.name(),
                                roofline,
                                List.of(
                                        new RooflineChart.Mark("decode", at(roofline, low), ""),
                                        new RooflineChart.Mark("prefill", at(roofline, high), "of the time all"))))));
                SvgTexts.assertFits(picture);
                assertThat(picture).doesNotContain("NaN", "Infinity");
            }
        }
    }

    private static Roofline.RooflinePoint at(Roofline roofline, double intensity) {
        return new Roofline.RooflinePoint(intensity, 1, intensity / (0.4 * roofline.bound(intensity)));
    }

    private static Placement placement() {
        return new Placement(
                List.of(new Host<>(
                        "host", List.of(new Group<>("group", List.of(new Device("device 0", List.of(), MEMORY)))))),
                true,
                List.of());
    }
}
