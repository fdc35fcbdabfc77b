// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.jobs;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonBoolean;
import dev.muster.core.json.JsonValue.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The state of an NCCL job, as its RAS service told it once. Immutable.
///
/// @param version release of NCCL; blank if unknown
/// @param communicators the communicators of the job
/// @param processes processes that do not answer, as text has them beside the communicators
record RasReport(String version, List<Communicator> communicators, List<String> processes) {
    private static final Pattern HEADING = Pattern.compile("#\\d{1,9}-\\d{1,9} \\(([0-9a-f]{1,16})\\) (\\w+)");
    private static final Pattern RANK = Pattern.compile("Rank (\\d{1,9}) .*?-- (.*)");
    private static final Pattern ALONE = Pattern.compile("The missing ranks?: ([0-9, ]+)");
    private static final Pattern PROCESS = Pattern.compile("Process \\d+ on node .*");
    /// NCCL 2.28.9 writes no comma before the status of a rank that does not answer.
    private static final Pattern WITHOUT_COMMA = Pattern.compile("(\"nvml_dev\": \\d{1,9})(\\s{1,99}\"status\")");
    private static final Pattern VERSION = Pattern.compile("NCCL version (\\S{1,40})");

    RasReport {
        communicators = List.copyOf(communicators);
        processes = List.copyOf(processes);
    }

    /// A communicator.
    ///
    /// @param id its hash
    /// @param ranks ranks that answered
    /// @param missing ranks that did not
    /// @param differences differences between ranks, in the words of the service; of text only
    record Communicator(String id, List<Rank> ranks, List<Rank> missing, List<String> differences) {}

    /// A rank of a communicator.
    ///
    /// @param place its process and GPU, for people
    /// @param isDead the service has given it up
    /// @param trouble an error that it reports; blank if there is none
    /// @param counts number of launched operations by their name
    record Rank(int number, String place, boolean isDead, String trouble, Map<String, Long> counts) {}

    /// Reads an answer, JSON or text.
    ///
    /// @throws dev.muster.core.json.DocumentException if it is JSON of another kind
    static RasReport parse(String answer) {
        return answer.stripLeading().startsWith("{")
                ? ofJson(JsonValue.parse(WITHOUT_COMMA.matcher(answer).replaceAll("$1,$2")))
                : ofText(answer);
    }

    static RasReport ofJson(JsonValue document) {
        List<Communicator> communicators = new ArrayList<>();
        for (JsonValue one : Fields.list(document, "communicators")) {
            communicators.add(new Communicator(
                    Fields.text(one, "hash"),
                    Fields.list(one, "ranks").stream().map(RasReport::rank).toList(),
                    Fields.list(one, "missing_ranks").stream()
                            .map(RasReport::rank)
                            .toList(),
                    List.of()));
        }
        return new RasReport(Fields.findText(document, "nccl_version").orElse(""), communicators, List.of());
    }

    private static Rank rank(JsonValue rank) {
        JsonValue status = rank.find("status").orElse(JsonObject.builder().build());
        Map<String, Long> counts = new TreeMap<>();
        if (rank.find("collective_counts").orElse(null) instanceof JsonObject all) {
            all.members().forEach((name, _) -> counts.put(name, Fields.number(all, name)));
        }
        String place = "process " + Fields.number(rank, "pid") + " on " + Fields.text(rank, "host") + ", GPU "
                + Fields.number(rank, "cuda_dev");
        return new Rank(
                Math.clamp(Fields.number(rank, "rank"), 0, Integer.MAX_VALUE),
                place,
                is(status, "considered_dead"),
                trouble(status),
                counts);
    }

    private static boolean is(JsonValue status, String name) {
        return status.find(name).orElse(null) instanceof JsonBoolean(boolean value) && value;
    }

    /// 0 is success, 7 is an initialization that is under way.
    private static String trouble(JsonValue status) {
        long init = Fields.findNumber(status, "init_state").orElse(0L);
        long later = Fields.findNumber(status, "async_error").orElse(0L);
        if (init != 0 && init != 7) {
            return "initialization failed (ncclResult " + init + ")";
        }
        if (later != 0 && later != 7) {
            return "asynchronous error (ncclResult " + later + ")";
        }
        return is(status, "abort_flag") ? "it was aborted" : "";
    }

    private static RasReport ofText(String text) {
        List<Communicator> communicators = new ArrayList<>();
        List<String> processes = new ArrayList<>();
        Matcher version = VERSION.matcher(text);
        String release = version.find() ? version.group(1) : "";
        String[] lines = text.split("\n", -1);
        for (int i = 0; i < lines.length; i++) {
            Matcher heading = HEADING.matcher(lines[i]);
            if (!heading.lookingAt()) {
                if (PROCESS.matcher(lines[i].strip()).matches()) {
                    processes.add(lines[i].strip());
                }
                continue;
            }
            List<String> body = new ArrayList<>();
            while (i + 1 < lines.length && lines[i + 1].startsWith("  ")) {
                body.add(lines[++i].strip());
            }
            communicators.add(ofText(heading.group(1), heading.group(2), body));
        }
        return new RasReport(
                release, communicators, processes.stream().distinct().toList());
    }

    private static Communicator ofText(String id, String kind, List<String> body) {
        List<Rank> ranks = new ArrayList<>();
        for (String line : body) {
            Matcher rank = RANK.matcher(line);
            Matcher alone = ALONE.matcher(line);
            if (rank.matches()) {
                ranks.add(ofText(rank.group(1), rank.group(2), kind.equals("ERROR") ? "error" : ""));
            } else if (alone.matches()) {
                for (String number : alone.group(1).split("[, ]+")) {
                    ranks.add(ofText(number, "", ""));
                }
            }
        }
        return switch (kind) {
            case "INCOMPLETE" -> new Communicator("0x" + id, List.of(), ranks, List.of());
            case "MISMATCH" -> new Communicator("0x" + id, List.of(), List.of(), body);
            default -> new Communicator("0x" + id, ranks, List.of(), List.of());
        };
    }

    private static Rank ofText(String number, String place, String trouble) {
        long parsed = number.length() > 9 ? Integer.MAX_VALUE : Long.parseLong(number);
        return new Rank((int) parsed, place, false, trouble, Map.of());
    }
}
