// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.launch;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/// The script of `sh` that each host runs, in which every option is explained above its command.
final class HostScript {
    private static final int FIRST_PORT = 8000;
    /// The port where a server for decode meets the first one for prefill.
    private static final int FIRST_SIDE_PORT = 5600;
    /// Ports that the data-parallel ranks of a server may take there.
    private static final int RANKS = 16;

    private static final int ATTEMPTS = 60;
    private static final int PAUSE_SECONDS = 5;
    private static final String WORKERS = "workers";
    private static final String INDENT = "    ";

    /// Targets that choose the devices that the script sees.
    private static final Set<LaunchTarget> CHOOSING =
            Set.of(LaunchTarget.SLURM, LaunchTarget.KUBERNETES, LaunchTarget.DOCKER_COMPOSE);

    /// Targets whose containers run the script as their first process.
    private static final Set<String> CONTAINING =
            Set.of(LaunchTarget.KUBERNETES.label(), LaunchTarget.DOCKER_COMPOSE.label());
    /// Variables before a command.
    private static final Pattern VARIABLES = Pattern.compile("[A-Z_]+=");

    private final LaunchTemplate template;
    private final LaunchFacts facts;
    private final LaunchShape shape;
    private final boolean together;

    /// @param facts facts of the plan, with those of the shape
    HostScript(LaunchTemplate template, LaunchFacts facts, LaunchShape shape) {
        this.template = template;
        this.facts = facts;
        this.shape = shape;
        // A process sees one slice, even if several are named.
        boolean isSliced = facts.findNames(LaunchFact.DEVICE_NAMES)
                .filter(names -> names.getFirst().startsWith("MIG-"))
                .isPresent();
        this.together = shape.isEven()
                && !isSliced
                && !template.rows(TemplateRow.Part.TOGETHER, facts).isEmpty();
    }

    /// Returns the lines between the first comment and the end.
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (TemplateRow note : template.rows(TemplateRow.Part.NOTE, facts)) {
            // What concerns a server does not concern the router before it.
            if (!isRouter() || note.command().equals(Disaggregation.ROUTER)) {
                note.reason(facts).ifPresent(reason -> lines.add("# " + reason));
            }
        }
        for (TemplateRow line : template.rows(TemplateRow.Part.LINE, facts)) {
            line.value().fill(facts).ifPresent(lines::add);
        }
        int servers = together ? 1 : shape.replicasPerHost();
        if (servers == 1) {
            lines.addAll(isContained() ? inPlaceOfShell(replica(0, true)) : replica(0, true));
            return lines;
        }
        for (int replica = 0; replica < servers; replica++) {
            List<String> commands = replica(replica, replica == 0);
            commands.set(commands.size() - 1, commands.getLast() + " &");
            boolean missing = replica >= shape.replicasOnLastHost();
            lines.addAll(missing ? unlessLast(commands) : commands);
        }
        lines.add("wait");
        return lines;
    }

    /// Returns a command that takes the place of its shell. The first process of a container, if it is a shell, ignores
    /// the signal to end, and requests in flight would be cut.
    private static List<String> inPlaceOfShell(List<String> lines) {
        List<String> changed = new ArrayList<>(lines);
        List<Integer> starts = IntStream.range(0, lines.size())
                .filter(line -> !lines.get(line).startsWith("#")
                        && (line == 0 || !lines.get(line - 1).endsWith("\\")))
                .boxed()
                .toList();
        if (starts.size() == 1) {
            String start = lines.get(starts.getFirst());
            changed.set(starts.getFirst(), (VARIABLES.matcher(start).lookingAt() ? "exec env " : "exec ") + start);
        }
        return changed;
    }

    private List<String> unlessLast(List<String> commands) {
        List<String> lines = new ArrayList<>();
        lines.add("if [ \"$NODE_RANK\" != " + (shape.hostsTogether() - 1) + " ]; then");
        commands.forEach(line -> lines.add(INDENT + line));
        lines.add("fi");
        return lines;
    }

    private List<String> replica(int number, boolean explained) {
        int devices = together ? shape.devicesUsedPerHost() : shape.replicaDevices() / shape.hostsPerReplica();
        int first = isScheduled() ? 0 : facts.number(LaunchFact.FIRST_DEVICE, 0);
        int from = first + number * devices;
        int port = facts.number(LaunchFact.FIRST_PORT, FIRST_PORT) + number;
        LaunchFacts seen = facts.with(LaunchFact.PORT, port)
                .with(LaunchFact.SIDE_PORT, FIRST_SIDE_PORT + (long) RANKS * (port - Disaggregation.PREFILL_PORT))
                .with(LaunchFact.VISIBLE, visible(from, from + devices));
        LaunchFacts own = together ? seen : seen.with(LaunchFact.REPLICAS_PER_HOST, 1);
        boolean isNamed = !isRouter() && (names().isPresent() || devices < shape.devicesPerHost());
        Optional<String> variable = isNamed
                ? DeviceNaming.findSetting(facts, own.find(LaunchFact.VISIBLE).orElseThrow())
                : Optional.empty();
        List<TemplateCommand> commands = template.commands(own);
        boolean dispatched = shape.isSpanning() && commands.stream().anyMatch(command -> isRole(command.where()));
        List<String> lines = new ArrayList<>();
        if (!dispatched) {
            for (TemplateCommand command : commands) {
                if (!command.where().equals(WORKERS)) {
                    lines.addAll(render(command, own, variable, explained));
                }
            }
            return lines;
        }
        lines.add("if [ \"$NODE_RANK\" = 0 ]; then");
        addRole(lines, commands, WORKERS, own, variable);
        lines.add("else");
        addRole(lines, commands, "head", own, variable);
        lines.add("fi");
        return lines;
    }

    private List<String> visible(int from, int to) {
        return names().map(names -> names.subList(from, to))
                .orElseGet(() ->
                        IntStream.range(from, to).mapToObj(Integer::toString).toList());
    }

    /// Returns the devices of a plan, unless they are all. Under a scheduler, the scheduler chooses them.
    private Optional<List<String>> names() {
        return isScheduled() ? Optional.empty() : facts.findNames(LaunchFact.DEVICE_NAMES);
    }

    private boolean isRouter() {
        return facts.find(LaunchFact.ROLE).equals(Optional.of(Disaggregation.ROUTER));
    }

    private boolean isContained() {
        return facts.find(LaunchFact.WRAPPER).stream().anyMatch(CONTAINING::contains);
    }

    private boolean isScheduled() {
        return facts.findWrapper().filter(CHOOSING::contains).isPresent();
    }

    private static boolean isRole(String where) {
        return where.equals("head") || where.equals(WORKERS);
    }

    private void addRole(
            List<String> lines,
            List<TemplateCommand> commands,
            String others,
            LaunchFacts own,
            Optional<String> variable) {
        for (TemplateCommand command : commands) {
            if (!command.where().equals(others)) {
                render(command, own, variable, true).forEach(line -> lines.add(INDENT + line));
            }
        }
    }

    private static List<String> render(
            TemplateCommand command, LaunchFacts facts, Optional<String> variable, boolean explained) {
        List<String> lines = new ArrayList<>();
        if (explained) {
            command.reasons(facts).forEach(reason -> lines.add("# " + reason));
        }
        String variables = variable.map(prefix -> prefix + " ").orElse("") + command.variables(facts);
        List<String> text = ShellWord.lines(variables, command.lines(facts));
        lines.addAll(command.where().equals(WORKERS) ? untilHeadIsThere(text) : text);
        return lines;
    }

    /// Returns a loop around a command: hosts do not start at the same time, so those that join the first retry for a
    /// while.
    private static List<String> untilHeadIsThere(List<String> command) {
        List<String> lines = new ArrayList<>();
        lines.add("attempts=" + ATTEMPTS);
        lines.add("until " + command.getFirst());
        lines.addAll(command.subList(1, command.size()));
        lines.set(lines.size() - 1, lines.getLast() + "; do");
        lines.add(INDENT + "attempts=$((attempts - 1))");
        lines.add(INDENT + "[ \"$attempts\" -gt 0 ] || exit 1");
        lines.add(INDENT + "sleep " + PAUSE_SECONDS);
        lines.add("done");
        return lines;
    }
}
