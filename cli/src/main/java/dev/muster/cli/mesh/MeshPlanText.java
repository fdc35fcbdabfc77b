package dev.muster.cli.mesh;

import dev.muster.cli.render.Count;
import dev.muster.cli.render.Printable;
import dev.muster.cli.render.Terminal;
import dev.muster.cli.render.TextTable;
import dev.muster.cli.render.TextTable.Cell;
import dev.muster.cli.render.TextTable.Column;
import dev.muster.mesh.GroupFamily;
import dev.muster.mesh.MeshDevice;
import dev.muster.mesh.MeshDimension;
import dev.muster.mesh.MeshGroup;
import dev.muster.mesh.MeshPlacement;
import dev.muster.mesh.MeshSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A mesh for people: what it is, its groups, and where its ranks run. Long lists are cut, with a count.
public final class MeshPlanText {
    /// So many groups of a family are read at a glance.
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

    /// The whole text.
    public static String of(MeshAnswer answer, Terminal terminal) {
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
        wrap("Ranks count through " + spec.order() + ", the first fastest.");
    }

    private void families() {
        out.append('\n');
        boolean placed = answer.findPlacement().isPresent();
        List<Column> columns = new ArrayList<>(List.of(
                new Column("ALONG", false, 0, false),
                new Column("GROUPS", true, 0, false),
                new Column("RANKS EACH", true, 0, false),
                new Column("STRIDE", true, 1, false)));
        if (placed) {
            columns.add(new Column("CROSS HOSTS", true, 0, false));
        }
        TextTable table = new TextTable(terminal, columns);
        for (GroupFamily family : answer.shown()) {
            List<Cell> cells = new ArrayList<>(List.of(
                    cell(family.label()),
                    cell(Integer.toString(family.count())),
                    cell(Integer.toString(family.groupSize())),
                    cell(strides(family))));
            if (placed) {
                cells.add(cell(Long.toString(crossing(family))));
            }
            table.add(cells);
        }
        out.append(table.render(true));
    }

    private String strides(GroupFamily family) {
        MeshSpec spec = answer.mesh().spec();
        return family.dimensions().stream()
                .filter(name -> spec.size(name) > 1)
                .map(name -> "+" + spec.stride(name))
                .collect(Collectors.joining(", "));
    }

    /// Groups with ranks on several hosts. Those along one dimension are counted already.
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
        out.append('\n');
        TextTable table = new TextTable(
                terminal, List.of(new Column("GROUP", false, 0, false), new Column("RANKS", false, 0, true)));
        for (GroupFamily family : answer.shown()) {
            if (family.groupSize() == 1) {
                table.add(List.of(cell(family.label()), new Cell("every rank by itself", true)));
                continue;
            }
            int shown = Math.min(family.count(), MOST_GROUPS);
            for (MeshGroup group : family.groups().subList(0, shown)) {
                table.add(List.of(cell(group.name()), cell(group.ranks().toString())));
            }
            if (shown < family.count()) {
                table.add(List.of(new Cell("…", true), new Cell((family.count() - shown) + " more", true)));
            }
        }
        out.append(table.render(true));
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
        List<Column> columns = new ArrayList<>(List.of(new Column("RANK", true, 0, false)));
        spec.names().forEach(name -> columns.add(new Column(name, true, 1, false)));
        columns.add(new Column("DEVICE", false, 0, true));
        columns.add(new Column("NAME", false, 2, true));
        TextTable table = new TextTable(terminal, columns);
        for (int rank = 0; rank < spec.worldSize(); rank++) {
            List<Cell> cells = new ArrayList<>(List.of(cell(Integer.toString(rank))));
            for (int coordinate : spec.coordinates(rank)) {
                cells.add(cell(Integer.toString(coordinate)));
            }
            MeshDevice device = placement.devices().get(rank);
            cells.add(cell(Printable.of(device.label())));
            cells.add(cell(Printable.of(device.name())));
            table.add(cells);
        }
        out.append(table.render(true));
    }

    private void hosts(MeshPlacement placement) {
        TextTable table = new TextTable(
                terminal,
                List.of(
                        new Column("HOST", false, 0, true),
                        new Column("RANKS", true, 0, false),
                        new Column("WHICH", false, 0, true)));
        Map<String, List<Integer>> hosts = placement.ranksByHost();
        hosts.entrySet().stream()
                .limit(MOST_HOSTS)
                .forEach(entry -> table.add(List.of(
                        cell(entry.getKey().isBlank() ? "this host" : Printable.of(entry.getKey())),
                        cell(Integer.toString(entry.getValue().size())),
                        cell(RankRanges.of(entry.getValue())))));
        if (hosts.size() > MOST_HOSTS) {
            table.add(List.of(
                    new Cell("…", true), cell(""), new Cell((hosts.size() - MOST_HOSTS) + " more hosts", true)));
        }
        out.append(table.render(true));
    }

    private void wrap(String sentence) {
        terminal.wrap(out, "", 0, sentence);
    }

    private static Cell cell(String text) {
        return new Cell(text, false);
    }
}
