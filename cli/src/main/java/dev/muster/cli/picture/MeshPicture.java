package dev.muster.cli.picture;

import dev.muster.cli.mesh.MeshAnswer;
import dev.muster.cli.picture.Flow.Spot;
import dev.muster.cli.render.Count;
import dev.muster.cli.render.Font;
import dev.muster.cli.render.SvgCanvas;
import dev.muster.mesh.GroupFamily;
import dev.muster.mesh.MeshDevice;
import dev.muster.mesh.MeshPlacement;
import dev.muster.mesh.MeshSpec;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// A mesh as a picture: hosts as frames, in them the groups that communicate most, in those the ranks with
/// their place in the mesh and their device. Each group has a colour; lines are the links between neighbours: a fabric,
/// the host's own, and the network between hosts. Of a large mesh the first ranks are drawn.
public final class MeshPicture {
    private static final String LIGHT = PlanStyle.LIGHT + """
            .rank-0 { fill: #d6e9f5; stroke: #0072b2; }
            .rank-1 { fill: #fbe6d5; stroke: #d55e00; }
            .rank-2 { fill: #d5efe6; stroke: #009e73; }
            .rank-3 { fill: #f6e4ee; stroke: #cc79a7; }
            .rank-4 { fill: #fcf0d0; stroke: #e69f00; }
            .rank-5 { fill: #dcf0fb; stroke: #56b4e9; }
            .link-fabric { stroke: #009e73; fill: none; }
            .link-host { stroke: #76819a; fill: none; }
            .link-network { stroke: #d55e00; fill: none; }
            """;
    private static final String DARK = PlanStyle.DARK + """
            .rank-0 { fill: #173447; stroke: #56b4e9; }
            .rank-1 { fill: #44270f; stroke: #d55e00; }
            .rank-2 { fill: #0f3a2e; stroke: #009e73; }
            .rank-3 { fill: #402736; stroke: #cc79a7; }
            .rank-4 { fill: #433208; stroke: #e69f00; }
            .rank-5 { fill: #1b3a4b; stroke: #56b4e9; }
            """;
    private static final int COLOURS = 6;
    private static final double SAMPLE = 26;
    private static final double MARGIN = 24;
    private static final double WIDTH = 1000;
    private static final double LEAST_WIDTH = 420;
    private static final double TITLE = 26;
    private static final double LINE = 16;
    private static final double PADDING = 10;
    private static final double HEAD = 20;
    /// Wide enough for a link to be seen.
    private static final double GAP = 16;

    private static final double THICK = 4;
    private static final double THIN = 2;
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
                width = Math.max(width, Font.LINE.width(line) + 2 * BOX_PADDING);
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
        String title = "Mesh " + spec;
        double inner = Math.clamp(Math.max(hosts.width(), Font.TITLE.width(title)), LEAST_WIDTH, WIDTH);
        List<String> facts = facts(inner);
        List<Link> links = links(frames);
        double head = MARGIN + TITLE + (facts.size() + (links.isEmpty() ? 0 : 1)) * LINE;
        double width = inner + 2 * MARGIN;
        double height = head + GAP + hosts.height() + MARGIN;
        SvgCanvas canvas = new SvgCanvas(width, height, title, LIGHT, DARK);
        canvas.text("title", MARGIN, MARGIN + Font.TITLE.size(), Font.TITLE.cut(title, inner));
        double y = MARGIN + TITLE + LINE - 4;
        for (String fact : facts) {
            canvas.text("line", MARGIN, y, fact);
            y += LINE;
        }
        drawLegend(canvas, links, y);
        List<Spot> spots = hosts.spots().stream()
                .map(spot -> moved(spot, MARGIN, head + GAP))
                .toList();
        drawNetwork(canvas, spots);
        int at = 0;
        for (Map.Entry<String, Map<String, List<Integer>>> frame : frames.entrySet()) {
            drawHost(canvas, frame.getKey(), frame.getValue(), spots.get(at++));
        }
        return canvas.finish();
    }

    /// What joins two neighbours.
    private enum Link {
        FABRIC("fabric", THICK),
        HOST("the host", THIN),
        NETWORK("network", THICK);

        private final String meaning;
        private final double thickness;

        Link(String meaning, double thickness) {
            this.meaning = meaning;
            this.thickness = thickness;
        }

        String style() {
            return "link-" + name().toLowerCase(Locale.ROOT);
        }
    }

    /// Those that the picture shows.
    private List<Link> links(Map<String, Map<String, List<Integer>>> frames) {
        Set<Link> shown = EnumSet.noneOf(Link.class);
        for (Map<String, List<Integer>> groups : frames.values()) {
            for (List<Integer> ranks : groups.values()) {
                for (int i = 1; i < ranks.size(); i++) {
                    findLink(ranks.get(i - 1), ranks.get(i)).ifPresent(shown::add);
                }
            }
        }
        if (frames.size() > 1) {
            shown.add(Link.NETWORK);
        }
        return List.copyOf(shown);
    }

    /// What joins two ranks of a host; nothing where ranks have no devices.
    private Optional<Link> findLink(int one, int other) {
        return findDevice(one)
                .flatMap(first -> findDevice(other).map(second -> {
                    Optional<String> fabric = first.fabricDomain().find();
                    return fabric.isPresent()
                                    && fabric.equals(second.fabricDomain().find())
                            ? Link.FABRIC
                            : Link.HOST;
                }));
    }

    private static void drawLegend(SvgCanvas canvas, List<Link> links, double y) {
        double x = MARGIN;
        for (Link link : links) {
            line(canvas, link, x, y - 4, x + SAMPLE, y - 4);
            canvas.text("line", x + SAMPLE + 6, y, link.meaning);
            x += SAMPLE + 6 + Font.LINE.width(link.meaning) + GAP;
        }
    }

    private static void line(SvgCanvas canvas, Link link, double x, double y, double toX, double toY) {
        canvas.line(link.style(), link.thickness, x, y, toX, toY);
    }

    /// Joins hosts of a row through the gap between them, and rows along the left margin.
    private static void drawNetwork(SvgCanvas canvas, List<Spot> hosts) {
        double bus = MARGIN / 2;
        for (int i = 1; i < hosts.size(); i++) {
            Spot before = hosts.get(i - 1);
            Spot host = hosts.get(i);
            double y = host.y() + PADDING + Font.NAME.size() / 2;
            if (host.y() > before.y()) {
                double above = before.y() + PADDING + Font.NAME.size() / 2;
                line(canvas, Link.NETWORK, MARGIN, above, bus, above);
                line(canvas, Link.NETWORK, bus, above, bus, y);
                line(canvas, Link.NETWORK, bus, y, MARGIN, y);
            } else {
                line(canvas, Link.NETWORK, before.x() + before.width(), y, host.x(), y);
            }
        }
    }

    private List<String> facts(double width) {
        List<String> facts = new ArrayList<>();
        facts.add(Count.of(spec.worldSize(), "rank") + "; ranks count through " + spec.order()
                + ", the first fastest; plan " + answer.mesh().planHash());
        facts.add("Inner frames and colours are the process groups along " + busiest.label() + ".");
        answer.findPlacement().map(MeshPlacement::warnings).ifPresent(facts::addAll);
        if (drawn() < spec.worldSize()) {
            facts.add("The first " + drawn() + " ranks are drawn.");
        }
        if (!answer.problem().isEmpty()) {
            facts.add("No placement: " + answer.problem() + ".");
        }
        return facts.stream()
                .flatMap(fact -> Font.LINE.wrap(fact, width).stream())
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
        double width = Math.max(inside.width(), Font.NAME.width(title));
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
        canvas.text("name", spot.x() + PADDING, spot.y() + PADDING + Font.NAME.size(), title(host));
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
        canvas.text("line", spot.x() + PADDING, spot.y() + PADDING + Font.LINE.size(), name);
        Flow flow = flow(ranks);
        for (int i = 0; i < ranks.size(); i++) {
            Spot own = inside(flow.spots().get(i), spot);
            if (i > 0) {
                Spot before = inside(flow.spots().get(i - 1), spot);
                drawLink(canvas, findLink(ranks.get(i - 1), ranks.get(i)), before, own);
            }
            drawRank(canvas, ranks.get(i), own);
        }
    }

    /// Through the gap between two boxes of a row, or from the first of a row to that of the next.
    private static void drawLink(SvgCanvas canvas, Optional<Link> link, Spot before, Spot own) {
        if (link.isPresent() && own.y() == before.y()) {
            double y = own.y() + own.height() / 2;
            line(canvas, link.get(), before.x() + before.width(), y, own.x(), y);
        } else if (link.isPresent()) {
            double x = own.x() + own.width() / 2;
            line(canvas, link.get(), x, own.y() - GAP, x, own.y());
        }
    }

    private void drawRank(SvgCanvas canvas, int rank, Spot spot) {
        List<String> lines = lines(rank);
        canvas.startGroup(String.join("; ", lines)
                + findDevice(rank).map(device -> "; " + device.name()).orElse(""));
        canvas.box("rank-" + colour(rank), spot.x(), spot.y(), spot.width(), spot.height(), 4);
        double baseline = spot.y() + BOX_PADDING + BOX_LINE - 3;
        String style = "line";
        for (String line : lines) {
            canvas.text(style, spot.x() + BOX_PADDING, baseline, Font.LINE.cut(line, spot.width() - 2 * BOX_PADDING));
            baseline += BOX_LINE;
            style = "small";
        }
        canvas.endGroup();
    }

    private int colour(int rank) {
        return busiest.indexOf(rank) % COLOURS;
    }
}
