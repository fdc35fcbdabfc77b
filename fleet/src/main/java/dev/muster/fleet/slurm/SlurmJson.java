// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.slurm;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonBoolean;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.core.unit.Bytes;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Reads the answers of `sinfo --json`, `squeue --json` and `slurmrestd`: the forms of 21.08 and 22.05 (openapi v0.0.37
/// and v0.0.38, where states are texts) and of data_parser v0.0.39 to v0.0.44 (where they are lists, and
/// numbers are objects that say whether they are set).
///
/// @param source the source of facts
record SlurmJson(Provenance source) {
    private static final long MIB = 1L << 20;
    private static final List<BigDecimal> UNKNOWN_NUMBERS =
            List.of(new BigDecimal("4294967294"), new BigDecimal("18446744073709551614"), BigDecimal.valueOf(-2));

    List<SlurmNode> nodes(JsonValue answer) {
        List<SlurmNode> nodes = new ArrayList<>();
        for (JsonValue node : items(answer, "nodes")) {
            String name = text(node, "name");
            if (!name.isBlank()) {
                nodes.add(node(name, node));
            }
        }
        return nodes;
    }

    private SlurmNode node(String name, JsonValue node) {
        List<String> states = new ArrayList<>();
        for (String word : words(node, "state")) {
            states.addAll(NodeStates.split(word));
        }
        for (String flag : words(node, "state_flags")) {
            states.add(flag.toUpperCase(Locale.ROOT));
        }
        return new SlurmNode(
                name,
                states.stream().distinct().toList(),
                text(node, "reason"),
                Gres.parse(text(node, "gres")),
                Gres.parse(text(node, "gres_used")),
                Tres.gpus(text(node, "tres_used")),
                Tres.gpus(text(node, "tres")),
                words(node, "partitions"),
                words(node, "active_features"),
                text(node, "reservation"),
                number(node, "cpus"),
                number(node, "real_memory").map(mib -> new Bytes(mib * MIB)));
    }

    List<SlurmJob> jobs(JsonValue answer) {
        List<SlurmJob> jobs = new ArrayList<>();
        for (JsonValue job : items(answer, "jobs")) {
            List<String> states = words(job, "job_state");
            long array = number(job, "array_job_id").find().orElse(0L);
            String own = number(job, "job_id").find().map(String::valueOf).orElse("?");
            String task =
                    number(job, "array_task_id").find().map(String::valueOf).orElse("");
            jobs.add(new SlurmJob(
                    array == 0 || task.isEmpty() ? own : array + "_" + task,
                    text(job, "user_name"),
                    states.stream().anyMatch(List.of("RUNNING", "SUSPENDED", "COMPLETING")::contains),
                    held(job)));
        }
        return jobs;
    }

    /// `gres_detail` has an item for each node of the job, in the order of its nodes.
    private static Map<String, List<Gres>> held(JsonValue job) {
        Map<String, List<Gres>> held = new LinkedHashMap<>();
        List<String> nodes = ScontrolText.hosts(text(job, "nodes"));
        List<JsonValue> details = items(job, "gres_detail");
        int gpus = Tres.gpus(text(job, "tres_alloc_str"));
        for (int i = 0; i < nodes.size(); i++) {
            held.put(
                    nodes.get(i),
                    details.size() == nodes.size() ? Gres.parse(text(details.get(i))) : Tres.share(gpus, nodes.size()));
        }
        return held;
    }

    List<SlurmReservation> reservations(JsonValue answer, Instant now) {
        List<SlurmReservation> all = new ArrayList<>();
        for (JsonValue one : items(answer, "reservations")) {
            Instant start = time(one, "start_time");
            Instant end = time(one, "end_time");
            all.add(new SlurmReservation(
                    text(one, "name"),
                    !now.isBefore(start) && now.isBefore(end),
                    ScontrolText.hosts(text(one, "node_list")),
                    ScontrolText.reservedFor(
                            start.toString(), end.toString(), text(one, "users"), text(one, "accounts"))));
        }
        return all;
    }

    private Instant time(JsonValue object, String key) {
        long seconds = number(object, key).find().orElse(0L);
        return Instant.ofEpochSecond(Math.min(seconds, Integer.MAX_VALUE * 2L));
    }

    /// The error in the answer; blank without one.
    static String error(JsonValue answer) {
        for (JsonValue error : items(answer, "errors")) {
            String said = text(error, "description").isBlank() ? text(error, "error") : text(error, "description");
            if (!said.isBlank()) {
                return said;
            }
        }
        return "";
    }

    private static List<JsonValue> items(JsonValue object, String key) {
        return object.find(key).orElse(new JsonArray(List.of())) instanceof JsonArray(List<JsonValue> items)
                ? items
                : List.of();
    }

    private static String text(JsonValue object, String key) {
        return object.find(key).map(SlurmJson::text).orElse("");
    }

    private static String text(JsonValue value) {
        return value instanceof JsonString(String text) ? text : "";
    }

    /// A list of texts; older releases write a text with commas.
    private static List<String> words(JsonValue object, String key) {
        JsonValue value = object.find(key).orElse(new JsonArray(List.of()));
        List<String> words = value instanceof JsonArray(List<JsonValue> items)
                ? items.stream().map(SlurmJson::text).toList()
                : Arrays.asList(text(value).split(",", -1));
        return words.stream().filter(word -> !word.isBlank()).toList();
    }

    private Reading<Long> number(JsonValue object, String key) {
        JsonValue value = object.find(key).orElse(JsonValue.JsonObject.builder().build());
        if (value instanceof JsonValue.JsonObject && value.find("number").isPresent()) {
            boolean set =
                    value.find("set").orElse(new JsonBoolean(true)) instanceof JsonBoolean(boolean truth) && truth;
            value = set
                    ? value.find("number").get()
                    : JsonValue.JsonObject.builder().build();
        }
        if (!(value instanceof JsonNumber number) || !number.isWhole()) {
            return Reading.unknown(UnknownReason.NOT_STATED, "Slurm does not say");
        }
        BigDecimal exact = number.toDecimal();
        boolean none = UNKNOWN_NUMBERS.contains(exact) || exact.signum() < 0 || exact.precision() > 15;
        return none
                ? Reading.unknown(UnknownReason.NOT_STATED, "Slurm does not know")
                : Reading.known(exact.longValue(), source);
    }
}
