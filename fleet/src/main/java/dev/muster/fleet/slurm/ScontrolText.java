// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.slurm;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.core.text.HostList;
import dev.muster.core.unit.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads the output of `scontrol show node`, `show job` and `show reservation`: records of `Key=value`, on one line or
/// on many. Values may hold blanks, so that a value ends where the next key begins; of a key that stands there
/// twice, the first counts, since what people write freely stands last.
///
/// @param source the source of facts
record ScontrolText(Provenance source) {
    /// The most records that are read.
    static final int MAX_RECORDS = HostList.MAX_HOSTS;

    private static final Pattern KEY = Pattern.compile("(?:^|\\s)([A-Z][A-Za-z_/:]*)=");
    private static final int MAX_DIGITS = 15;
    private static final long MIB = 1L << 20;
    /// The numbers that Slurm writes for an unknown one: the largest but one of 32 bits, of 64 bits, and minus two.
    private static final List<String> UNKNOWN_NUMBERS = List.of("4294967294", "18446744073709551614", "-2");

    List<SlurmNode> nodes(String text) {
        List<SlurmNode> nodes = new ArrayList<>();
        for (Map<String, String> node : records(text, "NodeName")) {
            nodes.add(node(node));
        }
        return nodes;
    }

    private SlurmNode node(Map<String, String> node) {
        return new SlurmNode(
                value(node, "NodeName"),
                NodeStates.split(value(node, "State")),
                withoutAuthor(value(node, "Reason")),
                Gres.parse(value(node, "Gres")),
                Gres.parse(value(node, "GresUsed")),
                Tres.gpus(value(node, "AllocTRES")),
                Tres.gpus(value(node, "CfgTRES")),
                words(value(node, "Partitions")),
                words(value(node, "ActiveFeatures")),
                value(node, "ReservationName"),
                number(value(node, "CPUTot"), source),
                number(value(node, "RealMemory"), source).map(mib -> new Bytes(mib * MIB)));
    }

    List<SlurmJob> jobs(String text) {
        List<SlurmJob> jobs = new ArrayList<>();
        for (String record : split(text, "JobId")) {
            Map<String, String> job = fields(record);
            String user = value(job, "UserId");
            int bracket = user.indexOf('(');
            String array = value(job, "ArrayJobId");
            String id = array.isEmpty() ? value(job, "JobId") : array + "_" + value(job, "ArrayTaskId");
            String state = value(job, "JobState");
            jobs.add(new SlurmJob(
                    id,
                    bracket < 0 ? user : user.substring(0, bracket),
                    state.equals("RUNNING") || state.equals("SUSPENDED") || state.equals("COMPLETING"),
                    held(record, job)));
        }
        return jobs;
    }

    /// With `--details` a job tells what it holds on each node, `Nodes=n[1-2] … GRES=gpu:2(IDX:0-1)`; else
    /// what it was given in all, which is spread evenly.
    private static Map<String, List<Gres>> held(String record, Map<String, String> job) {
        Map<String, List<Gres>> held = new LinkedHashMap<>();
        Matcher line = DETAIL.matcher(record);
        while (line.find()) {
            List<Gres> gres = Gres.parse(line.group(2));
            for (String node : hosts(line.group(1))) {
                held.put(node, gres);
            }
        }
        List<String> nodes = hosts(value(job, "NodeList"));
        int gpus = Tres.gpus(value(job, "AllocTRES").isEmpty() ? value(job, "TRES") : value(job, "AllocTRES"));
        if (held.isEmpty()) {
            for (String node : nodes) {
                held.put(node, Tres.share(gpus, nodes.size()));
            }
        }
        return held;
    }

    private static final Pattern DETAIL =
            Pattern.compile("(?:^|\\s)Nodes=(\\S+) CPU_IDs=\\S* Mem=\\S* GRES(?:_IDX)?=(\\S*)");

    List<SlurmReservation> reservations(String text) {
        List<SlurmReservation> all = new ArrayList<>();
        for (Map<String, String> one : records(text, "ReservationName")) {
            all.add(new SlurmReservation(
                    value(one, "ReservationName"),
                    value(one, "State").equals("ACTIVE"),
                    hosts(value(one, "Nodes")),
                    reservedFor(
                            value(one, "StartTime"),
                            value(one, "EndTime"),
                            value(one, "Users"),
                            value(one, "Accounts"))));
        }
        return all;
    }

    /// A reservation in words.
    static String reservedFor(String start, String end, String users, String accounts) {
        List<String> parts = new ArrayList<>();
        if (!start.isEmpty()) {
            parts.add(start + " to " + end);
        }
        if (!users.isEmpty()) {
            parts.add("users " + users);
        }
        if (!accounts.isEmpty()) {
            parts.add("accounts " + accounts);
        }
        return String.join(", ", parts);
    }

    private static List<Map<String, String>> records(String text, String first) {
        return split(text, first).stream().map(ScontrolText::fields).toList();
    }

    private static List<String> split(String text, String first) {
        Matcher start = Pattern.compile("(?m)^\\s*" + first + "=").matcher(text);
        List<String> records = new ArrayList<>();
        int from = -1;
        while (records.size() < MAX_RECORDS && start.find()) {
            if (from >= 0) {
                records.add(text.substring(from, start.start()));
            }
            from = start.start();
        }
        if (from >= 0 && records.size() < MAX_RECORDS) {
            records.add(text.substring(from));
        }
        return records;
    }

    private static Map<String, String> fields(String record) {
        Map<String, String> fields = new LinkedHashMap<>();
        Matcher key = KEY.matcher(record);
        Optional<String> name = Optional.empty();
        int from = 0;
        while (key.find()) {
            put(fields, name, record.substring(from, key.start()));
            name = Optional.of(key.group(1));
            from = key.end();
        }
        put(fields, name, record.substring(from));
        return fields;
    }

    private static void put(Map<String, String> fields, Optional<String> name, String value) {
        name.ifPresent(key -> fields.putIfAbsent(key, value.strip()));
    }

    private static String value(Map<String, String> fields, String key) {
        String text = fields.getOrDefault(key, "");
        return text.equals("(null)") || text.equals("N/A") || text.equals("n/a") ? "" : text;
    }

    /// `Kill task failed [root@2024-08-08T02:35:06]`: who said so, and when, is not why.
    private static String withoutAuthor(String reason) {
        int bracket = reason.lastIndexOf(" [");
        return bracket > 0 && reason.endsWith("]") ? reason.substring(0, bracket) : reason;
    }

    private static List<String> words(String list) {
        return list.isEmpty()
                ? List.of()
                : Arrays.stream(list.split(",", -1))
                        .filter(word -> !word.isBlank())
                        .toList();
    }

    /// A number, unless it is one of those that mean that there is none.
    static Reading<Long> number(String text, Provenance source) {
        if (UNKNOWN_NUMBERS.contains(text) || text.isEmpty()) {
            return Reading.unknown(UnknownReason.NOT_STATED, "Slurm does not say");
        }
        if (text.length() > MAX_DIGITS || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return Reading.unknown(UnknownReason.UNREADABLE, "Slurm reports text that is not a number");
        }
        return Reading.known(Long.parseLong(text), source);
    }

    /// The hosts of a list; empty if the text is not a list.
    static List<String> hosts(String list) {
        try {
            return HostList.expand(list);
        } catch (IllegalArgumentException _) {
            return List.of();
        }
    }
}
