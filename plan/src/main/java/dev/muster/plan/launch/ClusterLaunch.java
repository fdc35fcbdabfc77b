// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.launch;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// A launch by a scheduler: a job file around the script that each machine runs, or a document that holds it.
///
/// @param wrapper the scheduler
/// @param engine template of the program that it starts
/// @param facts facts of the plan
/// @param script script that each host runs
record ClusterLaunch(LaunchTemplate wrapper, LaunchTemplate engine, LaunchFacts facts, HostScript script) {
    private static final String DIRECTIVES = "directives";
    /// Several dollars, or one before a parenthesis.
    private static final Pattern DOLLARS = Pattern.compile("\\$(?:\\$+\\(?|\\()");

    private static final String JOB_LINES = "job";

    List<Artifact> artifacts() {
        List<Artifact> artifacts = new ArrayList<>();
        List<ConfigFile> settings = engine.files(facts);
        List<ConfigFile> documents = wrapper.files(documentFacts(settings));
        artifacts.addAll(documents.isEmpty() ? List.of(job(settings)) : documents(documents));
        if (wrapper.target() == LaunchTarget.SYSTEMD) {
            artifacts.addAll(Launcher.standalone(engine, facts, script));
            return artifacts;
        }
        boolean isInside = wrapper.target() == LaunchTarget.KUBERNETES;
        artifacts.addAll(Launcher.sideFiles(engine, engine, facts, isInside ? List.of() : settings));
        artifacts.addAll(Launcher.sideFiles(engine, wrapper, facts, List.of()));
        return artifacts;
    }

    private LaunchFacts documentFacts(List<ConfigFile> settings) {
        if (wrapper.target() == LaunchTarget.KSERVE) {
            return facts.withScript(LaunchFact.OPTIONS, options(facts))
                    .withScript(LaunchFact.PREFILL_OPTIONS, options(facts.with(LaunchFact.ROLE, "prefill")));
        }
        List<String> lines = new ArrayList<>();
        if (wrapper.target() == LaunchTarget.KUBERNETES) {
            // A pod has no folder of its user's.
            for (ConfigFile file : settings) {
                lines.add("cat >" + file.name() + " <<'END'\n"
                        + file.toArtifact("").text() + "END");
            }
        }
        lines.addAll(inner(settings));
        String text = String.join("\n", lines) + "\n";
        return facts.withScript(
                LaunchFact.LAUNCH,
                wrapper.target() == LaunchTarget.DOCKER_COMPOSE ? text.replace("$", "$$") : escapeReferences(text));
    }

    /// Returns the options of the engine, without the program and the model, in one line.
    private String options(LaunchFacts role) {
        return engine.findCommand("serve", role).orElseThrow().lines(role).stream()
                .skip(1)
                .map(line -> ShellWord.join(line, " "))
                .collect(Collectors.joining(" "));
    }

    /// Escapes the dollars of a script: Kubernetes replaces `$(NAME)` in arguments by itself and takes two dollars
    /// for one.
    static String escapeReferences(String script) {
        return DOLLARS.matcher(script)
                .replaceAll(match -> Matcher.quoteReplacement(match.group().replace("$", "$$")));
    }

    private List<Artifact> documents(List<ConfigFile> files) {
        String comment = String.join("\n", comments()) + "\n";
        List<Artifact> artifacts = new ArrayList<>();
        files.forEach(file -> artifacts.add(file.toArtifact(comment)));
        return artifacts;
    }

    private List<String> comments() {
        List<String> lines = new ArrayList<>(LaunchComment.title(engine, facts));
        for (TemplateRow note : wrapper.rows(TemplateRow.Part.NOTE, facts)) {
            note.reason(facts).ifPresent(reason -> lines.add("# " + reason));
        }
        return lines;
    }

    private Artifact job(List<ConfigFile> settings) {
        List<String> lines = new ArrayList<>();
        lines.add("#!/bin/sh");
        Optional<TemplateCommand> directives = wrapper.findCommand(DIRECTIVES, facts);
        directives.ifPresent(command -> lines.addAll(directives(command)));
        lines.addAll(comments());
        directives.ifPresent(command -> command.reasons(facts).forEach(reason -> lines.add("# " + reason)));
        lines.addAll(shellLines(JOB_LINES));
        for (TemplateCommand command : wrapper.commands(facts)) {
            if (!command.run().command().equals(DIRECTIVES)) {
                command.reasons(facts).forEach(reason -> lines.add("# " + reason));
                List<String> rendered = ShellWord.lines("", command.lines(facts));
                List<String> body = inner(settings);
                String quoted =
                        ShellWord.of("\n" + String.join("\n", body) + "\n").quoted();
                // Arguments of the job are passed on to the script in it; the word before is its name.
                boolean forwards = body.stream().anyMatch(line -> line.contains("\"$@\""));
                rendered.set(
                        rendered.size() - 1,
                        rendered.getLast() + " sh -c " + quoted + (forwards ? " launch \"$@\"" : ""));
                lines.addAll(rendered);
            }
        }
        String name = wrapper.target().label() + ".sh";
        return new Artifact(name, Artifact.SHELL, String.join("\n", lines) + "\n");
    }

    /// Returns directives, which are comments to the shell, one option a line.
    private List<String> directives(TemplateCommand command) {
        List<List<ShellWord>> words = command.lines(facts);
        String start = ShellWord.join(words.getFirst(), " ").replace("'", "");
        return words.stream()
                .skip(1)
                .map(option -> start + " " + ShellWord.join(option, "="))
                .toList();
    }

    private List<String> inner(List<ConfigFile> settings) {
        List<String> lines = new ArrayList<>(shellLines("launch"));
        for (ConfigFile file : settings) {
            file.reasons().forEach(reason -> lines.add("# " + reason));
        }
        List<String> body = script.lines();
        lines.addAll(LaunchComment.requirements(engine, facts, body));
        lines.addAll(body);
        return lines;
    }

    private List<String> shellLines(String command) {
        return wrapper.rows(TemplateRow.Part.LINE, facts).stream()
                .filter(row -> row.command().equals(command))
                .map(row -> row.value().fill(facts).orElseThrow())
                .toList();
    }
}
