package dev.muster.cli.picture;

import dev.muster.cli.render.SvgCanvas;
import dev.muster.cli.render.SvgText;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.serving.MixedPlan;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.training.TrainingPlan;
import java.util.List;

/// A plan as a picture: which device holds what, and what limits its work.
public final class PlanPicture {
    private static final double MARGIN = 24;
    private static final double WIDTH = 1000;
    private static final double TITLE = 26;
    private static final double LINE = 16;
    private static final double SECTION = 34;

    private final PlanScene scene;

    private PlanPicture(PlanScene scene) {
        this.scene = scene;
    }

    /// How a model is served; the plan that lacks least where none fits.
    public static String of(PlanAnswer<ServingPlan> answer) {
        return draw(ServingScene.of(answer));
    }

    /// How a model is split over unlike devices.
    public static String of(MixedPlan plan) {
        return draw(MixedScene.of(plan));
    }

    /// How a model is trained; the plan that lacks least where none fits.
    public static String ofTraining(PlanAnswer<TrainingPlan> answer) {
        return draw(TrainingScene.of(answer));
    }

    static String draw(PlanScene scene) {
        return new PlanPicture(scene).draw();
    }

    private String draw() {
        PlacementPicture placement = new PlacementPicture(scene.placement(), WIDTH);
        List<String> lines = scene.facts().stream()
                .flatMap(fact -> SvgText.wrap(fact, WIDTH, PlanStyle.LINE_SIZE).stream())
                .toList();
        double head = MARGIN + TITLE + lines.size() * LINE;
        double charts = scene.charts().size() * (SECTION + RooflinePicture.height());
        double height = head + SECTION + placement.height() + charts + MARGIN;
        double width = WIDTH + 2 * MARGIN;
        SvgCanvas canvas = new SvgCanvas(width, height, scene.title(), PlanStyle.LIGHT, PlanStyle.DARK);
        canvas.text(
                "title",
                MARGIN,
                MARGIN + PlanStyle.TITLE_SIZE,
                SvgText.cutBold(scene.title(), WIDTH, PlanStyle.TITLE_SIZE));
        double y = MARGIN + TITLE + LINE - 4;
        for (String line : lines) {
            canvas.text("line", MARGIN, y, line);
            y += LINE;
        }
        y = head;
        canvas.text("title", MARGIN, y + SECTION - 10, "Placement");
        y += SECTION;
        placement.draw(canvas, MARGIN, y);
        y += placement.height();
        for (RooflineChart chart : scene.charts()) {
            canvas.text("title", MARGIN, y + SECTION - 10, "Roofline");
            y += SECTION;
            new RooflinePicture(chart, WIDTH).draw(canvas, MARGIN, y);
            y += RooflinePicture.height();
        }
        return canvas.finish();
    }
}
