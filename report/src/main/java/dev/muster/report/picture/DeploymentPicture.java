// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.picture;

import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.serving.ServingSimulation.DeploymentPlan;
import dev.muster.plan.serving.SimulationRequest;
import dev.muster.report.plan.ServingText;
import dev.muster.report.text.Font;
import dev.muster.report.text.SvgCanvas;
import java.util.ArrayList;
import java.util.List;

/// Interactivity against throughput: tokens per second of each user and of each device, for the Pareto front of
/// deployments and the chosen one.
public final class DeploymentPicture {
    private static final String LIGHT = """
            .plot { fill: #ffffff; stroke: #97a1b2; }
            .grid { stroke: #e1e5ec; fill: none; }
            .front { stroke: #0072b2; fill: none; }
            .kept { fill: #0072b2; }
            .missed { fill: #ffffff; stroke: #0072b2; }
            .chosen { fill: #d55e00; }
            """;
    private static final String DARK = """
            .plot { fill: #1b212b; stroke: #5d6879; }
            .grid { stroke: #2e3744; }
            .front { stroke: #56b4e9; }
            .kept { fill: #56b4e9; }
            .missed { fill: #1b212b; stroke: #56b4e9; }
            """;
    private static final double AXIS = 66;
    private static final double PLOT_WIDTH = 560;
    private static final double PLOT_HEIGHT = 360;
    private static final double HEAD = 110;
    private static final double FOOT = 46;
    private static final double DOT = 4;
    private static final double THICK = 2;
    private static final double LEGEND = 150;

    private DeploymentPicture() {}

    public static String of(SimulationRequest request, PlanAnswer<DeploymentPlan> answer, List<DeploymentPlan> front) {
        String title =
                request.serving().model().name() + " with " + request.load().display();
        SvgCanvas canvas =
                new SvgCanvas(2 * Page.MARGIN + AXIS + PLOT_WIDTH, HEAD + PLOT_HEIGHT + FOOT, title, LIGHT, DARK);
        canvas.text("title", Page.MARGIN, Page.MARGIN + Font.TITLE.size(), title);
        canvas.text(
                "line",
                Page.MARGIN,
                Page.MARGIN + 2 * Font.TITLE.size() + 4,
                answer.findFirst()
                        .map(plan -> ServingText.sentence(plan.plan()))
                        .orElse(""));
        legend(canvas);
        List<DeploymentPlan> drawn = new ArrayList<>(front);
        answer.findFirst().filter(_ -> answer.isFeasible()).ifPresent(drawn::add);
        drawn.removeIf(plan -> plan.tokensPerSecondPerUser() <= 0);
        if (!drawn.isEmpty()) {
            draw(canvas, drawn, answer, front);
        }
        return canvas.finish();
    }

    private static void legend(SvgCanvas canvas) {
        List<String> styles = List.of("kept", "missed", "chosen");
        List<String> names = List.of("meets the targets", "misses one", "chosen");
        double y = Page.MARGIN + 4 * Font.TITLE.size();
        for (int i = 0; i < styles.size(); i++) {
            double x = Page.MARGIN + i * LEGEND;
            dot(canvas, styles.get(i), x + DOT, y);
            canvas.text("line", x + 16, y + 4, names.get(i));
        }
    }

    private static void draw(
            SvgCanvas canvas,
            List<DeploymentPlan> drawn,
            PlanAnswer<DeploymentPlan> answer,
            List<DeploymentPlan> front) {
        LogPlot plot = new LogPlot(
                Page.MARGIN + AXIS,
                HEAD,
                LogPlot.Axis.around(
                        drawn.stream()
                                .map(DeploymentPlan::tokensPerSecondPerUser)
                                .toList(),
                        PLOT_WIDTH),
                LogPlot.Axis.around(
                        drawn.stream()
                                .map(DeploymentPlan::tokensPerSecondPerDevice)
                                .toList(),
                        PLOT_HEIGHT));
        plot.draw(canvas, Magnitude::of, Magnitude::of, "tokens per second of each user");
        canvas.ending("small", plot.right(), HEAD - 8, "output tokens per second of each device");
        double[] way = new double[2 * front.size()];
        for (int i = 0; i < front.size(); i++) {
            way[2 * i] = plot.x(front.get(i).tokensPerSecondPerUser());
            way[2 * i + 1] = plot.y(front.get(i).tokensPerSecondPerDevice());
        }
        if (front.size() > 1) {
            canvas.path("front", THICK, "M##" + "L##".repeat(front.size() - 1), way);
        }
        for (DeploymentPlan plan : front) {
            point(canvas, plot, plan, plan.isAccepted() ? "kept" : "missed");
        }
        answer.findFirst().filter(_ -> answer.isFeasible()).ifPresent(plan -> point(canvas, plot, plan, "chosen"));
    }

    private static void point(SvgCanvas canvas, LogPlot plot, DeploymentPlan plan, String style) {
        canvas.startGroup(ServingText.sentence(plan.plan()) + ": " + Magnitude.of(plan.tokensPerSecondPerUser())
                + " tokens/s of each user, " + Magnitude.of(plan.tokensPerSecondPerDevice()) + " of each device");
        dot(canvas, style, plot.x(plan.tokensPerSecondPerUser()), plot.y(plan.tokensPerSecondPerDevice()));
        canvas.endGroup();
    }

    private static void dot(SvgCanvas canvas, String style, double x, double y) {
        canvas.box(style, x - DOT, y - DOT, 2 * DOT, 2 * DOT, DOT);
    }
}
