package dev.muster.cli.picture;

import dev.muster.cli.mesh.MeshAnswer;
import dev.muster.cli.picture.Flow.Spot;
import dev.muster.cli.render.Count;
import dev.muster.cli.render.SvgCanvas;
import dev.muster.cli.render.SvgText;
import dev.muster.mesh.GroupFamily;
import dev.muster.mesh.MeshDevice;
import dev.muster.mesh.MeshPlacement;
import dev.muster.mesh.MeshSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A mesh as a picture: hosts as frames, in them the groups that talk most, in those the ranks with
/// their place in the mesh and their device. Of a large mesh the first ranks are drawn: nobody reads a
/// thousand boxes.
public final class MeshPicture {
    private static final double MARGIN = 24;
    private static final double WIDTH = 1000;
    private static final double TITLE = 26;
    private static final double LINE = 16;
    private static final double PADDING = 10;
    private static final double HEAD = 20;
    private static final double GAP = 8;
    private static final double BOX_LINE = 13;
    private static final double BOX_PADDING = 7;
    private static final double LEAST_BOX = 80;
    private static final double WIDEST_BOX = 240;
    private static final int MOST_DRAWN = 64;

    private final MeshAnswer answer;
    private final MeshSpec spec;
    private final GroupFamily busiest;
    private final Spot box;

    private MeshPicture(MeshAnswer answer) {
        this.answer = answer;
        this.spec = answer.mesh().spec();
        String first = answer.findPlacement()
                .flatMap(MeshPlacement::findBusiest)
                .orElse(spec.names().getFirst());
        this.busiest = spec.along(first);
        double width = LEAST_BOX;
        for (int rank = 0; rank < drawn(); rank++) {
            for (String line : lines(rank)) {
                width = Math.max(width, SvgText.width(line, PlanStyle.LINE_SIZE) + 2 * BOX_PADDING);
            }
        }
        int lines = lines(0).size();
        this.box = new Spot(0, 0, Math.min(width, WIDEST_BOX), 2 * BOX_PADDING + lines * BOX_LINE);
    }

    /// The picture as SVG.
    public static String of(MeshAnswer answer) {
        return new MeshPicture(answer).draw();
    }

    private int drawn() {
        return Math.min(spec.worldSize(), MOST_DRAWN);
    }

    /// A rank, its place in the mesh, and its device.
    private List<String> lines(int rank) {
        List<String> lines = new ArrayList<>(List.of("rank " + rank));
        List<String> places = new ArrayList<>();
        for (String name : spec.names()) {
            if (spec.size(name) > 1) {
                places.add(name + " " + spec.coordinate(rank, name));
            }
        }
        lines.add(places.isEmpty() ? "alone" : String.join(", ", places));
        findDevice(rank).ifPresent(device -> lines.add(device.localLabel()));
        return lines;
    }

    private Optional<MeshDevice> findDevice(int rank) {
        return answer.findPlacement().map(placement -> placement.devices().get(rank));
    }

    /// The ranks that are drawn, by host and by group.
    private Map<String, Map<String, List<Integer>>> frames() {
        Map<String, Map<String, List<Integer>>> frames = new LinkedHashMap<>();
        for (int rank = 0; rank < drawn(); rank++) {
            String host = findDevice(rank).map(MeshDevice::host).orElse("");
            String group = busiest.groupOf(rank).name();
            frames.computeIfAbsent(host, _ -> new LinkedHashMap<>())
                    .computeIfAbsent(group, _ -> new ArrayList<>())
                    .add(rank);
        }
        return frames;
    }

    private String draw() {
        Map<String, Map<String, List<Integer>>> frames = frames();
        List<Spot> sizes = new ArrayList<>();
        frames.forEach((host, groups) -> sizes.add(framed(flow(groups), title(host))));
        Flow hosts = Flow.of(sizes, WIDTH, GAP);
        List<String> facts = facts();
        double head = MARGIN + TITLE + facts.size() * LINE;
        double width = WIDTH + 2 * MARGIN;
        double height = head + GAP + hosts.height() + MARGIN;
        String title = "Mesh " + spec;
        SvgCanvas canvas = new SvgCanvas(width, height, title, PlanStyle.LIGHT, PlanStyle.DARK);
        canvas.text(
                "title", MARGIN, MARGIN + PlanStyle.TITLE_SIZE, SvgText.cutBold(title, WIDTH, PlanStyle.TITLE_SIZE));
        double y = MARGIN + TITLE + LINE - 4;
        for (String fact : facts) {
            canvas.text("line", MARGIN, y, fact);
            y += LINE;
        }
        int at = 0;
        for (Map.Entry<String, Map<String, List<Integer>>> frame : frames.entrySet()) {
            Spot spot = moved(hosts.spots().get(at++), MARGIN, head + GAP);
            drawHost(canvas, frame.getKey(), frame.getValue(), spot);
        }
        return canvas.finish();
    }

    private List<String> facts() {
        List<String> facts = new ArrayList<>();
        facts.add(Count.of(spec.worldSize(), "rank") + "; ranks count through " + spec.order()
                + ", the first fastest; plan " + answer.mesh().planHash());
        facts.add("Frames inside are the groups along " + busiest.label() + ".");
        answer.findPlacement().map(MeshPlacement::warnings).ifPresent(facts::addAll);
        if (drawn() < spec.worldSize()) {
            facts.add("The first " + drawn() + " ranks are drawn.");
        }
        if (!answer.problem().isEmpty()) {
            facts.add("No placement: " + answer.problem() + ".");
        }
        return facts.stream()
                .flatMap(fact -> SvgText.wrap(fact, WIDTH, PlanStyle.LINE_SIZE).stream())
                .toList();
    }

    private String title(String host) {
        return host.isBlank() ? (answer.findPlacement().isPresent() ? "host" : "ranks without devices") : host;
    }

    private Flow flow(Map<String, List<Integer>> groups) {
        List<Spot> sizes = new ArrayList<>();
        groups.forEach((name, ranks) -> sizes.add(framed(flow(ranks), name)));
        return Flow.of(sizes, WIDTH - 2 * PADDING, GAP);
    }

    private Flow flow(List<Integer> ranks) {
        return Flow.of(ranks.stream().map(_ -> box).toList(), WIDTH - 4 * PADDING, GAP);
    }

    private static Spot framed(Flow inside, String title) {
        double width = Math.max(inside.width(), SvgText.boldWidth(title, PlanStyle.NAME_SIZE));
        return new Spot(0, 0, width + 2 * PADDING, inside.height() + HEAD + 2 * PADDING);
    }

    private static Spot moved(Spot spot, double x, double y) {
        return new Spot(x + spot.x(), y + spot.y(), spot.width(), spot.height());
    }

    private static Spot inside(Spot spot, Spot frame) {
        return moved(spot, frame.x() + PADDING, frame.y() + PADDING + HEAD);
    }

    private void drawHost(SvgCanvas canvas, String host, Map<String, List<Integer>> groups, Spot spot) {
        canvas.box("host", spot.x(), spot.y(), spot.width(), spot.height(), 8);
        canvas.text("name", spot.x() + PADDING, spot.y() + PADDING + PlanStyle.NAME_SIZE, title(host));
        Flow flow = flow(groups);
        int at = 0;
        for (Map.Entry<String, List<Integer>> group : groups.entrySet()) {
            drawGroup(
                    canvas,
                    group.getKey(),
                    group.getValue(),
                    inside(flow.spots().get(at++), spot));
        }
    }

    private void drawGroup(SvgCanvas canvas, String name, List<Integer> ranks, Spot spot) {
        canvas.box("group", spot.x(), spot.y(), spot.width(), spot.height(), 6);
        canvas.text("line", spot.x() + PADDING, spot.y() + PADDING + PlanStyle.LINE_SIZE, name);
        Flow flow = flow(ranks);
        for (int i = 0; i < ranks.size(); i++) {
            drawRank(canvas, ranks.get(i), inside(flow.spots().get(i), spot));
        }
    }

    private void drawRank(SvgCanvas canvas, int rank, Spot spot) {
        List<String> lines = lines(rank);
        canvas.startGroup(String.join("; ", lines)
                + findDevice(rank).map(device -> "; " + device.name()).orElse(""));
        canvas.box("device", spot.x(), spot.y(), spot.width(), spot.height(), 4);
        double baseline = spot.y() + BOX_PADDING + BOX_LINE - 3;
        String style = "line";
        for (String line : lines) {
            canvas.text(
                    style,
                    spot.x() + BOX_PADDING,
                    baseline,
                    SvgText.cut(line, spot.width() - 2 * BOX_PADDING, PlanStyle.LINE_SIZE));
            baseline += BOX_LINE;
            style = "small";
        }
        canvas.endGroup();
    }
}
