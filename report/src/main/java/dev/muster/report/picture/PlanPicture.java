// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.picture;

import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.serving.MixedPlan;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.training.TrainingPlan;
import dev.muster.report.text.SvgCanvas;
import java.util.List;

/// A plan as a picture: the content of each device, and the limits of its work.
public record PlanPicture(PlanScene scene) {
    private static final double SECTION = 34;

    /// Returns the picture of a serving plan; of the nearest one if none fits.
    public static String of(PlanAnswer<ServingPlan> answer) {
        return draw(ServingScene.of(answer));
    }

    /// Returns the picture of a split over unlike devices.
    public static String of(MixedPlan plan) {
        return draw(MixedScene.of(plan));
    }

    /// Returns the picture of a training plan; of the nearest one if none fits.
    public static String ofTraining(PlanAnswer<TrainingPlan> answer) {
        return draw(TrainingScene.of(answer));
    }

    static String draw(PlanScene scene) {
        return new PlanPicture(scene).draw();
    }

    private String draw() {
        PlacementPicture placement = new PlacementPicture(scene.placement(), Page.WIDTH);
        List<String> lines = Page.wrap(scene.facts(), Page.WIDTH);
        double y = Page.head(lines.size()) + SECTION;
        double charts = scene.charts().size() * (SECTION + RooflinePicture.height());
        double bottom = y + placement.height() + charts;
        SvgCanvas canvas = Page.open(scene.title(), lines, Page.WIDTH, bottom, PlanStyle.LIGHT, PlanStyle.DARK);
        canvas.text("title", Page.MARGIN, y - 10, "Placement");
        placement.draw(canvas, Page.MARGIN, y);
        y += placement.height();
        for (RooflineChart chart : scene.charts()) {
            canvas.text("title", Page.MARGIN, y + SECTION - 10, "Roofline");
            y += SECTION;
            new RooflinePicture(chart, Page.WIDTH).draw(canvas, Page.MARGIN, y);
            y += RooflinePicture.height();
        }
        return canvas.finish();
    }
}
