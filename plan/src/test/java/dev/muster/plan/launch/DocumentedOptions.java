// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.launch;

import dev.muster.model.table.CsvRow;
import dev.muster.model.table.CsvTable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// The options that programs document, and the values that they may have where those are listed.
/// Immutable.
final class DocumentedOptions {
    private final Map<String, Map<String, List<String>>> programs;

    private DocumentedOptions(Map<String, Map<String, List<String>>> programs) {
        this.programs = programs;
    }

    /// Returns the options that programs of a template document.
    static DocumentedOptions of(LaunchTemplate template) {
        return of(template.target(), template.version());
    }

    /// Returns the options that programs of any release of a template document: emitted text names its release, and is
    /// checked against both lists.
    static DocumentedOptions ofAnyRelease(LaunchTemplate template) {
        Map<String, Map<String, List<String>>> programs = new HashMap<>(of(template).programs);
        for (CsvRow row : CsvTable.parse(LaunchTemplate.resource("targets.csv")).rows()) {
            if (row.require("target").equals(template.target().label())
                    && !row.orEmpty("also").isEmpty()) {
                of(template.target(), row.require("also"))
                        .programs
                        .forEach((program, options) -> options.forEach(
                                (option, choices) -> programs.computeIfAbsent(program, _ -> new HashMap<>())
                                        .merge(option, choices, DocumentedOptions::union)));
            }
        }
        return new DocumentedOptions(programs);
    }

    private static List<String> union(List<String> one, List<String> other) {
        return one.isEmpty() || other.isEmpty()
                ? List.of()
                : Stream.concat(one.stream(), other.stream()).distinct().toList();
    }

    /// Returns the options that programs of a release of a target document.
    static DocumentedOptions of(LaunchTarget target, String release) {
        String text = LaunchTemplate.resource(target.label() + "-" + release + "-options.csv");
        Map<String, Map<String, List<String>>> programs = new HashMap<>();
        for (CsvRow row : CsvTable.parse(text).rows()) {
            List<String> choices = row.find("choices")
                    .map(list -> List.of(list.split(";", -1)))
                    .orElse(List.of());
            programs.computeIfAbsent(row.require("program"), _ -> new HashMap<>())
                    .put(row.require("option"), choices);
        }
        return new DocumentedOptions(programs);
    }

    /// Returns the documented program that a command line ends with, such as `vllm serve`.
    Optional<String> findProgram(String words) {
        return programs.keySet().stream()
                .filter(program ->
                        words.equals(program) || words.endsWith(" " + program) || words.endsWith("/" + program))
                .findFirst();
    }

    /// Reports whether a program has an option.
    boolean has(String program, String option) {
        return programs.getOrDefault(program, Map.of()).containsKey(option);
    }

    /// Returns the values that an option may have; empty if any may.
    List<String> choices(String program, String option) {
        return programs.getOrDefault(program, Map.of()).getOrDefault(option, List.of());
    }

    /// Returns the name of a setting in the list of documented ones: an index of a list is not part of the name.
    static String setting(String path) {
        return path.replaceAll("/(?:\\d+|[*])", "");
    }
}
