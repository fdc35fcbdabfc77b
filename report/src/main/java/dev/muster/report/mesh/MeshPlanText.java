// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.mesh;

import dev.muster.mesh.GroupFamily;
import dev.muster.mesh.MeshDevice;
import dev.muster.mesh.MeshDimension;
import dev.muster.mesh.MeshGroup;
import dev.muster.mesh.MeshPlacement;
import dev.muster.mesh.MeshSpec;
import dev.muster.report.terminal.Terminal;
import dev.muster.report.text.Count;
import dev.muster.report.text.Printable;
import dev.muster.report.text.Table;
import dev.muster.report.text.TextTable.Cell;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// A mesh as text: its shape, its groups, and the placement of its ranks. Long lists are cut, with a count.
final class MeshPlanText {
    /// The largest number of groups of a family that are easy to read.
    private static final int MOST_GROUPS = 8;
    private static final int MOST_RANKS = 16;
    private static final int MOST_HOSTS = 16;

    private final MeshAnswer answer;
    private final Terminal terminal;
    private final StringBuilder out = new StringBuilder();

    private MeshPlanText(MeshAnswer answer, Terminal terminal) {
        this.answer = answer;
        this.terminal = terminal;
    }

    static String of(MeshAnswer answer, Terminal terminal) {
        return new MeshPlanText(answer, terminal).write();
    }

    private String write() {
        head();
        families();
        groups();
        answer.findPlacement().ifPresent(this::placement);
        if (!answer.problem().isEmpty()) {
            out.append('\n');
            wrap("No placement: " + answer.problem() + ".");
        }
        return terminal.plain(out.toString());
    }

    private void head() {
        MeshSpec spec = answer.mesh().spec();
        wrap("Mesh " + spec + ": " + Count.of(spec.worldSize(), "rank") + ", plan "
                + answer.mesh().planHash() + ".");
        wrap("Ranks are numbered along " + spec.order() + ", the first fastest.");
    }

    private void families() {
        out.append('\n');
        Table<GroupFamily> table = new Table<GroupFamily>(terminal)
                .left("ALONG", GroupFamily::label)
                .right("GROUPS", GroupFamily::count)
                .right("RANKS EACH", GroupFamily::groupSize)
                .right("STRIDE", 1, this::strides);
        if (answer.findPlacement().isPresent()) {
            table.right("CROSS HOSTS", this::crossing);
        }
        out.append(table.render(answer.shown()));
    }

    private String strides(GroupFamily family) {
        MeshSpec spec = answer.mesh().spec();
        return family.dimensions().stream()
                .filter(name -> spec.size(name) > 1)
                .map(name -> "+" + spec.stride(name))
                .collect(Collectors.joining(", "));
    }

    /// Returns the number of groups with ranks on several hosts, except those along one dimension, which are counted
    /// already. Those along one dimension are counted already.
    private long crossing(GroupFamily family) {
        MeshPlacement placement = answer.findPlacement().orElseThrow();
        return family.dimensions().size() == 1
                ? placement.crossing(family.label()).hosts()
                : family.groups().stream()
                        .filter(group -> hosts(group, placement).limit(2).count() > 1)
                        .count();
    }

    private static Stream<String> hosts(MeshGroup group, MeshPlacement placement) {
        return group.ranks().stream()
                .mapToObj(rank -> placement.devices().get(rank).host())
                .distinct();
    }

    private void groups() {
        List<Line> lines = new ArrayList<>();
        for (GroupFamily family : answer.shown()) {
            if (family.groupSize() == 1) {
                lines.add(new Line(family.label(), "", new Cell("every rank by itself", true)));
                continue;
            }
            int shown = Math.min(family.count(), MOST_GROUPS);
            for (MeshGroup group : family.groups().subList(0, shown)) {
                lines.add(new Line(group.name(), "", group.ranks()));
            }
            if (shown < family.count()) {
                lines.add(Line.cut((family.count() - shown) + " more"));
            }
        }
        out.append('\n')
                .append(new Table<Line>(terminal)
                        .left("GROUP", Line::name)
                        .flexible("RANKS", 0, Line::ranks)
                        .render(lines));
    }

    /// Ranks of a group, or the number of further groups.
    private record Line(Object name, Object count, Object ranks) {
        static Line cut(String more) {
            return new Line(new Cell("…", true), "", new Cell(more, true));
        }
    }

    private void placement(MeshPlacement placement) {
        out.append('\n');
        if (placement.devices().size() <= MOST_RANKS) {
            ranks(placement);
        } else {
            hosts(placement);
        }
        List<String> sentences = new ArrayList<>();
        if (placement.isFlat()) {
            sentences.add("One fabric joins all devices, so ranks keep the order of devices.");
        } else {
            placement
                    .findBusiest()
                    .ifPresent(name ->
                            sentences.add("Ranks along " + name + ", which communicate most, are placed nearest."));
        }
        placement
                .findHybridSplit()
                .filter(split -> split.outer().worldSize() > 1)
                .ifPresent(split -> sentences.add(
                        "Inside a host: " + sizes(split.inner()) + "; between hosts: " + sizes(split.outer()) + "."));
        placement.warnings().forEach(warning -> sentences.add("Warning: " + warning + "."));
        if (!placement.idle().isEmpty()) {
            sentences.add(Count.of(placement.idle().size(), "device") + " idle: " + labels(placement.idle()) + ".");
        }
        out.append('\n');
        sentences.forEach(this::wrap);
    }

    private static String sizes(MeshSpec part) {
        String sizes = part.dimensions().stream()
                .filter(dimension -> dimension.size() > 1)
                .map(MeshDimension::toString)
                .collect(Collectors.joining(","));
        return sizes.isEmpty() ? "nothing" : sizes;
    }

    private static String labels(List<MeshDevice> devices) {
        String first = devices.stream()
                .limit(MOST_GROUPS)
                .map(device -> Printable.of(device.label()))
                .collect(Collectors.joining(", "));
        return devices.size() <= MOST_GROUPS ? first : first + " and " + (devices.size() - MOST_GROUPS) + " more";
    }

    private void ranks(MeshPlacement placement) {
        MeshSpec spec = placement.spec();
        Table<Integer> table = new Table<Integer>(terminal).right("RANK", rank -> rank);
        for (int i = 0; i < spec.names().size(); i++) {
            int dimension = i;
            table.right(spec.names().get(dimension), 1, rank -> spec.coordinates(rank)[dimension]);
        }
        table.flexible("DEVICE", 0, rank -> placement.devices().get(rank).label());
        table.flexible("NAME", 2, rank -> placement.devices().get(rank).name());
        out.append(table.render(IntStream.range(0, spec.worldSize()).boxed().toList()));
    }

    private void hosts(MeshPlacement placement) {
        List<Line> lines = new ArrayList<>();
        Map<String, List<Integer>> hosts = placement.ranksByHost();
        hosts.forEach((host, ranks) -> {
            if (lines.size() < MOST_HOSTS) {
                lines.add(new Line(host.isBlank() ? "this host" : host, ranks.size(), ranges(ranks)));
            }
        });
        if (hosts.size() > MOST_HOSTS) {
            lines.add(Line.cut((hosts.size() - MOST_HOSTS) + " more hosts"));
        }
        out.append(new Table<Line>(terminal)
                .flexible("HOST", 0, Line::name)
                .right("RANKS", Line::count)
                .flexible("WHICH", 0, Line::ranks)
                .render(lines));
    }

    /// Returns ascending ranks with neighbours joined: `0-3,8`.
    private static String ranges(List<Integer> ranks) {
        StringBuilder text = new StringBuilder();
        int at = 0;
        while (at < ranks.size()) {
            int end = at;
            while (end + 1 < ranks.size() && ranks.get(end + 1) == ranks.get(end) + 1) {
                end++;
            }
            text.append(text.isEmpty() ? "" : ",").append(ranks.get(at));
            text.append(end == at ? "" : "-" + ranks.get(end));
            at = end + 1;
        }
        return text.toString();
    }

    private void wrap(String sentence) {
        terminal.wrap(out, "", 0, sentence);
    }
}
