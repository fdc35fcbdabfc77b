// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.picture;

import dev.muster.mesh.GroupFamily;
import dev.muster.mesh.MeshDevice;
import dev.muster.mesh.MeshPlacement;
import dev.muster.mesh.MeshSpec;
import dev.muster.report.mesh.MeshAnswer;
import dev.muster.report.picture.Flow.Spot;
import dev.muster.report.picture.Frames.Group;
import dev.muster.report.picture.Frames.Host;
import dev.muster.report.text.Count;
import dev.muster.report.text.Font;
import dev.muster.report.text.SvgCanvas;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// A mesh as a picture: hosts as frames, in them the groups that communicate most, in those the ranks with their
/// place in the mesh and their device. Each group has a colour; lines are the links between neighbours: a fabric, the
/// host's own, and the network between hosts. Of a large mesh only the first ranks are drawn.
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
    private static final double LEAST_WIDTH = 420;
    /// The space between boxes, wide enough to show a link.
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

    public static String of(MeshAnswer answer) {
        return new MeshPicture(answer).draw();
    }

    private int drawn() {
        return Math.min(spec.worldSize(), MOST_DRAWN);
    }

    /// Returns a rank, its place in the mesh, and its device.
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

    /// Returns the ranks that are drawn, by host and by group.
    private List<Host<Integer>> hosts() {
        Map<String, Map<String, List<Integer>>> hosts = new LinkedHashMap<>();
        for (int rank = 0; rank < drawn(); rank++) {
            String host = findDevice(rank).map(MeshDevice::host).orElse("");
            String group = busiest.groupOf(rank).name();
            hosts.computeIfAbsent(host, _ -> new LinkedHashMap<>())
                    .computeIfAbsent(group, _ -> new ArrayList<>())
                    .add(rank);
        }
        List<Host<Integer>> all = new ArrayList<>();
        hosts.forEach((host, groups) -> {
            List<Group<Integer>> inside = new ArrayList<>();
            groups.forEach((name, ranks) -> inside.add(new Group<>(name, ranks)));
            all.add(new Host<>(title(host), inside));
        });
        return all;
    }

    private String draw() {
        List<Host<Integer>> hosts = hosts();
        Frames<Integer> frames = new Frames<>(hosts, box, Page.WIDTH, GAP, GAP);
        String title = "Mesh " + spec;
        double inner = Math.clamp(Math.max(frames.width(), Font.TITLE.width(title)), LEAST_WIDTH, Page.WIDTH);
        List<String> facts = Page.wrap(facts(), inner);
        List<Link> links = links(hosts);
        double top = Page.head(facts.size() + (links.isEmpty() ? 0 : 1)) + GAP;
        SvgCanvas canvas = Page.open(title, facts, inner, top + frames.height(), LIGHT, DARK);
        drawLegend(canvas, links, Page.head(facts.size() + 1) - 4);
        drawNetwork(canvas, frames.spots(Page.MARGIN, top));
        frames.draw(canvas, Page.MARGIN, top, (ranks, spots) -> drawRanks(canvas, ranks, spots));
        return canvas.finish();
    }

    /// The link between two neighbours.
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

    private List<Link> links(List<Host<Integer>> hosts) {
        Set<Link> shown = EnumSet.noneOf(Link.class);
        hosts.stream()
                .flatMap(host -> host.groups().stream())
                .map(Group::members)
                .forEach(ranks -> {
                    for (int i = 1; i < ranks.size(); i++) {
                        findLink(ranks.get(i - 1), ranks.get(i)).ifPresent(shown::add);
                    }
                });
        if (hosts.size() > 1) {
            shown.add(Link.NETWORK);
        }
        return List.copyOf(shown);
    }

    /// Returns the link between two ranks of a host; empty if ranks have no devices.
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
        double x = Page.MARGIN;
        for (Link link : links) {
            line(canvas, link, x, y - 4, x + SAMPLE, y - 4);
            canvas.text("line", x + SAMPLE + 6, y, link.meaning);
            x += SAMPLE + 6 + Font.LINE.width(link.meaning) + GAP;
        }
    }

    private static void line(SvgCanvas canvas, Link link, double x, double y, double toX, double toY) {
        canvas.line(link.style(), link.thickness, x, y, toX, toY);
    }

    /// Draws the network: hosts of a row are joined through the gap between them, rows along the left margin.
    private static void drawNetwork(SvgCanvas canvas, List<Spot> hosts) {
        double bus = Page.MARGIN / 2;
        for (int i = 1; i < hosts.size(); i++) {
            Spot before = hosts.get(i - 1);
            Spot host = hosts.get(i);
            double y = Frames.middleOfTitle(host);
            if (host.y() > before.y()) {
                double above = Frames.middleOfTitle(before);
                line(canvas, Link.NETWORK, Page.MARGIN, above, bus, above);
                line(canvas, Link.NETWORK, bus, above, bus, y);
                line(canvas, Link.NETWORK, bus, y, Page.MARGIN, y);
            } else {
                line(canvas, Link.NETWORK, before.x() + before.width(), y, host.x(), y);
            }
        }
    }

    private List<String> facts() {
        List<String> facts = new ArrayList<>();
        facts.add(Count.of(spec.worldSize(), "rank") + "; ranks are numbered along " + spec.order()
                + ", the first fastest; plan " + answer.mesh().planHash());
        facts.add("Inner frames and colours are the process groups along " + busiest.label() + ".");
        answer.findPlacement().map(MeshPlacement::warnings).ifPresent(facts::addAll);
        if (drawn() < spec.worldSize()) {
            facts.add("The first " + drawn() + " ranks are drawn.");
        }
        if (!answer.problem().isEmpty()) {
            facts.add("No placement: " + answer.problem() + ".");
        }
        return facts;
    }

    private String title(String host) {
        return host.isBlank() ? (answer.findPlacement().isPresent() ? "host" : "ranks without devices") : host;
    }

    private void drawRanks(SvgCanvas canvas, List<Integer> ranks, List<Spot> spots) {
        for (int i = 0; i < ranks.size(); i++) {
            if (i > 0) {
                drawLink(canvas, findLink(ranks.get(i - 1), ranks.get(i)), spots.get(i - 1), spots.get(i));
            }
            drawRank(canvas, ranks.get(i), spots.get(i));
        }
    }

    /// Draws a link through the gap between two boxes of a row, or from the first of a row to that of the next.
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
        spot.draw(canvas, "rank-" + busiest.indexOf(rank) % COLOURS, 4);
        double baseline = spot.y() + BOX_PADDING + BOX_LINE - 3;
        String style = "line";
        for (String line : lines) {
            canvas.text(style, spot.x() + BOX_PADDING, baseline, Font.LINE.cut(line, spot.width() - 2 * BOX_PADDING));
            baseline += BOX_LINE;
            style = "small";
        }
        canvas.endGroup();
    }
}
