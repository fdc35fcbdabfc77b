// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.jobs;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A dump of PyTorch's flight recorder: the last collectives of one rank. Immutable.
///
/// @param rank rank of the process, from the name of its file
/// @param groups ranks of process groups by their names
/// @param calls collectives, oldest first
record TorchDump(int rank, Map<String, List<Integer>> groups, List<Call> calls) {
    private static final Pattern LAST_NUMBER = Pattern.compile("([0-9]{1,9})[^0-9]*$");
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");
    private static final int MOST_RANKS = 1_000_000;

    /// A collective of a process group.
    ///
    /// @param group name of the process group
    /// @param number its number within the group
    /// @param what operation and shapes, for people
    /// @param place line of the program that called it; blank if unknown
    /// @param isCompleted true if it ended on this rank
    record Call(String group, long number, String what, String place, boolean isCompleted) {}

    /// Returns the rank that the name of a file ends with, as in `nccl_trace_rank_3`.
    static OptionalInt rankOf(String file) {
        String name = file.substring(file.lastIndexOf('/') + 1).replaceFirst("\\.(json|pickle|pkl)$", "");
        Matcher number = LAST_NUMBER.matcher(name);
        return number.find() ? OptionalInt.of(Integer.parseInt(number.group(1))) : OptionalInt.empty();
    }

    /// Reports whether a document is such a dump.
    static boolean isDump(JsonValue document) {
        return document.find("entries").isPresent() && document.find("version").isPresent();
    }

    static TorchDump of(int rank, JsonValue document) {
        Map<String, List<Integer>> groups = new TreeMap<>();
        if (document.find("pg_config").orElse(null) instanceof JsonObject all) {
            all.members()
                    .forEach((key, group) -> groups.put(
                            Fields.findText(group, "name").orElse(key),
                            numbers(Fields.findText(group, "ranks").orElse(""))));
        }
        List<Call> calls = new ArrayList<>();
        for (JsonValue entry : Fields.list(document, "entries")) {
            boolean isMessage =
                    entry.find("is_p2p").orElse(null) instanceof JsonValue.JsonBoolean(boolean value) && value;
            if (!isMessage) {
                calls.add(call(entry));
            }
        }
        return new TorchDump(rank, groups, List.copyOf(calls));
    }

    private static List<Integer> numbers(String list) {
        return NUMBER.matcher(list)
                .results()
                .limit(MOST_RANKS)
                .map(number -> Integer.valueOf(number.group()))
                .toList();
    }

    private static Call call(JsonValue entry) {
        List<JsonValue> group = Fields.list(entry, "process_group");
        String name = !group.isEmpty() && group.getFirst() instanceof JsonString(String text)
                ? text
                : String.valueOf(Fields.findNumber(entry, "pg_id").orElse(0L));
        long number = Fields.findNumber(entry, "collective_seq_id")
                .or(() -> Fields.findNumber(entry, "seq_id"))
                .orElseThrow(() -> Fields.missing("collective_seq_id"));
        String operation = Fields.text(entry, "profiling_name");
        String shown = operation.substring(operation.indexOf(':') + 1);
        String what = shown + " of " + sizes(entry, "input_sizes") + types(entry);
        return new Call(
                name, number, what, place(entry), Fields.text(entry, "state").equals("completed"));
    }

    private static String sizes(JsonValue entry, String name) {
        return new JsonArray(Fields.list(entry, name)).toText();
    }

    private static String types(JsonValue entry) {
        List<JsonValue> types = Fields.list(entry, "input_dtypes");
        return types.isEmpty() || !(types.getFirst() instanceof JsonString(String type)) ? "" : " " + type;
    }

    private static String place(JsonValue entry) {
        for (JsonValue frame : Fields.list(entry, "frames")) {
            String file = Fields.findText(frame, "filename").orElse("");
            if (!file.isEmpty() && !file.contains("/torch/")) {
                return file + ":" + Fields.findNumber(frame, "line").orElse(0L);
            }
        }
        return "";
    }
}
