package dev.muster.plan.launch;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// What each machine runs: a script of `sh` in which every option is explained above its command.
final class HostScript {
    private static final int FIRST_PORT = 8000;
    private static final int ATTEMPTS = 60;
    private static final int PAUSE_SECONDS = 5;
    private static final String WORKERS = "workers";
    private static final String INDENT = "    ";

    private final LaunchTemplate template;
    private final LaunchFacts facts;
    private final LaunchShape shape;
    private final boolean together;

    /// @param facts those of the plan, of the shape among them
    HostScript(LaunchTemplate template, LaunchFacts facts, LaunchShape shape) {
        this.template = template;
        this.facts = facts;
        this.shape = shape;
        this.together =
                shape.isEven() && !template.rows(TemplatePart.TOGETHER, facts).isEmpty();
    }

    /// The lines between the first comment and the end.
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (TemplateRow note : template.rows(TemplatePart.NOTE, facts)) {
            note.reason(facts).ifPresent(reason -> lines.add("# " + reason));
        }
        int servers = together ? 1 : shape.copiesPerHost();
        if (servers == 1) {
            lines.addAll(copy(0, true));
            return lines;
        }
        for (int copy = 0; copy < servers; copy++) {
            List<String> commands = copy(copy, copy == 0);
            commands.set(commands.size() - 1, commands.getLast() + " &");
            boolean missing = copy >= shape.copiesOnLastHost();
            lines.addAll(missing ? unlessLast(commands) : commands);
        }
        lines.add("wait");
        return lines;
    }

    private List<String> unlessLast(List<String> commands) {
        List<String> lines = new ArrayList<>();
        lines.add("if [ \"$NODE_RANK\" != " + (shape.hostsTogether() - 1) + " ]; then");
        commands.forEach(line -> lines.add(INDENT + line));
        lines.add("fi");
        return lines;
    }

    private List<String> copy(int number, boolean explained) {
        int devices = together ? shape.devicesUsedPerHost() : shape.copyDevices() / shape.hostsPerCopy();
        LaunchFacts.Builder builder = facts.toBuilder()
                .put(LaunchFact.PORT, FIRST_PORT + number)
                .put(
                        LaunchFact.VISIBLE,
                        IntStream.range(number * devices, (number + 1) * devices)
                                .mapToObj(Integer::toString)
                                .collect(Collectors.joining(",")));
        if (!together) {
            builder.put(LaunchFact.COPIES_PER_HOST, 1);
        }
        LaunchFacts own = builder.build();
        Optional<String> variable = devices < shape.devicesPerHost()
                ? DeviceNaming.findVariable(facts)
                        .map(name -> name + "="
                                + ShellWord.of(own.find(LaunchFact.VISIBLE).orElseThrow())
                                        .quoted())
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
        List<String> text = ShellText.lines(variable.map(prefix -> prefix + " ").orElse(""), command.lines(facts));
        lines.addAll(command.where().equals(WORKERS) ? untilHeadIsThere(text) : text);
        return lines;
    }

    /// Hosts do not start at the same moment, so those that join the first try for a while.
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
