// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.sentence;

import dev.muster.core.measure.MeshCalibration;
import dev.muster.core.text.FixedText;
import dev.muster.plan.answer.PlanNote;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.report.text.Count;
import java.time.ZoneOffset;
import java.util.List;

/// Notes as sentences.
///
/// @param text the names of parameters
record NoteText(NamedText text) {
    private static final double GIGA = 1e9;
    private static final double MILLI = 1e3;
    private static final double PERCENT = 100;

    String of(PlanNote note) {
        List<Object> values = note.values();
        return switch (note.topic()) {
            case EXCLUDED_DEVICE, UNPLANNED_DEVICES -> throw new IllegalArgumentException("needs other sentences");
            case INCOMPLETE_DEVICE -> incomplete(values);
            case NO_FRAMEWORK ->
                fill(
                        "no framework was measured on {0}; it is left out (choose one with <framework>, and take its"
                                + " figures as a guess)",
                        values);
            case DERIVED_FIGURES ->
                fill(
                        "no catalogue knows {0}; its figures follow from what was detected, and intervals are twice as"
                                + " wide (a row for it "
                                + text.option("with --device-catalogue FILE", "in the device catalogue")
                                + " is better)",
                        values);
            case RELATIVE_FIGURES ->
                fill("{0} is in no catalogue; what is unknown of it is taken from its nearest relative, {1}", values);
            case HOST_MEMORY_RATE ->
                "the memory of " + (values.size() > 1 ? values.getLast() : "the host") + " is taken to move "
                        + Math.round((double) values.getFirst() / GIGA)
                        + fill(
                                " GB/s; say it with <hostBandwidthGbps>, or measure it with 'muster calibrate --cpu'",
                                values);
            case NETWORK ->
                "the network between hosts is unknown; a port of 25 Gb/s for each host is assumed, which is "
                        + FixedText.of((double) values.getFirst() / GIGA, 2) + " GB/s for each device (state it as in "
                        + text.option("--synthetic ", "") + "'2x[h100-sxm:8 ib:8x400]')";
            case UNMEASURED_ENGINE ->
                fill(
                        "no engine was measured on {0}; planned with {1}, which runs there, and its intervals are twice"
                                + " as wide",
                        values);
            case LEAST_FORM -> fill("devices named '{0}' are taken for {1}, the form with the least memory", values);
            case BEST_FORMAT -> fill("of the formats {0}, {1} is best for {2}", values);
            case COMMON_FORMAT ->
                fill(
                        "{0} does not fit on both machines; compared in {1}, the format with the most bits that does"
                                + " (another with <formats>)",
                        values);
            case MOST_SEQUENCES ->
                fill("planned for {0} sequences of {1} tokens at once, as many as the memory holds", values)
                        + (values.getFirst().equals(ServingRequest.MOST_SEQUENCES) ? " and engines start with" : "")
                        + fill("; say how many there are with <concurrency>", values);
            case NOT_DISAGGREGATED ->
                fill(
                        "{0} does not connect separate servers for prefill and decode; planned with servers for both",
                        values);
            case LLAMA_CPP -> fill("{0} does not run on {1}; planned with llama.cpp", values);
            case CONVERTED_FORMAT ->
                fill(
                        "the weights are published as {0}, which {1} does not run on {2}; planned with {3}, which has to"
                                + " be made of them (another format with <formats>)",
                        values);
            case FP16_FORMAT -> fill("{0} has no bf16, by the rules of {1}; planned with fp16", values);
            case WORSE_DEVICES -> fill("{0} x {1} were planned apart and are worse for the goal", values);
            case IDLE_DEVICES ->
                fill(
                        "{0} x {1} stay idle: alone, and all together in equal parts, they are worse for the goal",
                        values);
            case FREE_MEMORY ->
                "planned for " + percent(values.getFirst())
                        + " % of the memory, so that the peak exceeds the device with a" + " probability of "
                        + percent(values.getLast()) + " % at most";
            case NO_ROOM ->
                "no plan keeps its peak below the device's memory with a risk of " + percent(values.getFirst())
                        + " %; that of this one exceeds it with a probability of " + percent(values.getLast()) + " %";
            case FP16_TRAINING -> fill("{0} has no bf16; what is emitted says fp16, which has as many bits", values);
            case MEASURED_COLLECTIVES -> collectives((MeshCalibration) values.getFirst());
            case CORRECTED_LATENCY ->
                corrected(values) + ": TPOT times " + two(values.get(5)) + ", TTFT times " + two(values.get(6));
            case CORRECTED_SPEED -> corrected(values) + ": speed times " + two(values.get(5));
            case FINE_TUNE ->
                fill(
                        "{0} is not in the catalogue; by its name it is a fine-tune of {1}, and is planned as that",
                        values);
            case LONG_CONTEXT ->
                fill(
                        "{0} is made for {1} tokens; {2} go beyond, and engines refuse them unless they are told"
                                + " otherwise",
                        values);
            case NO_OWN_MEMORY -> fill("{0} has no memory but the host's, so there is nothing to leave there", values);
            case UNKNOWN_HOST_MEMORY ->
                "the host's memory is unknown, so nothing is left there; a made-up host has what cpu:64GiB says in its"
                        + " brackets";
            case UNEVEN_BATCH -> uneven(values);
            case SPREAD_REPLICA ->
                fill(
                        "no NVLink domain has {0} such hosts free, so a replica spans {1} and will be slower than"
                                + " planned",
                        values);
            case SCHEDULER -> scheduler(values);
            case CLIENT_DELAY ->
                "a request takes " + Math.round((double) values.getFirst() * MILLI) + " ms, and "
                        + two((double) values.getLast() * MILLI)
                        + " ms for each user of a replica, between client and engine: fitted to runs of others";
            case CACHED_PREFIXES -> "the KV cache of cached prefixes is counted for each sequence that uses it";
            case SPECULATION ->
                "a step gives " + Math.round((double) values.getFirst() * 100) / 100.0
                        + " tokens of each sequence; drafting itself is taken to cost nothing";
            case DECODE_FIRST_TOKEN -> "the first token is there when a decode replica takes the request up";
            case FAILED_REQUESTS -> fill("{0} requests without an answer are left out", values);
            case COARSE_TIMES ->
                fill(
                        "times are coarse ({0} for {1} requests); requests of one stamp are spread evenly up to the"
                                + " next",
                        values);
        };
    }

    private String fill(String template, List<Object> values) {
        return text.fill(template, values);
    }

    private static long percent(Object share) {
        return Math.round(PERCENT * (double) share);
    }

    private static String two(Object number) {
        return FixedText.of((double) number, 2);
    }

    private String incomplete(List<Object> values) {
        List<?> missing = (List<?>) values.getLast();
        return fill("{0} ({1}) is left out: its ", values)
                + String.join(" and ", missing.stream().map(String::valueOf).toList())
                + (missing.size() == 1 ? " is" : " are") + " unknown; add a row for it "
                + text.option("with --device-catalogue FILE", "to the device catalogue")
                + ", or measure it with 'muster calibrate'";
    }

    private static String collectives(MeshCalibration mesh) {
        return "collectives take as long as 'muster calibrate --mesh' measured between " + mesh.ranks()
                + " ranks over " + mesh.backend() + " on " + Count.of(mesh.hosts(), "host") + " ("
                + mesh.measuredAt().atZone(ZoneOffset.UTC).toLocalDate() + "), in groups of sizes that it measured";
    }

    private String corrected(List<Object> values) {
        int runs = (int) values.getFirst();
        return "predictions are corrected by " + (runs == 1 ? "your run" : runs + " runs of yours, the newest")
                + fill(" of {1} ({2}, kept {3})", values)
                + ((boolean) values.get(4) ? "" : ", of a neighbour with the same engine and kind of device, by half");
    }

    private String uneven(List<Object> values) {
        return fill("{0} ", values) + (values.getFirst().equals(1) ? "sequence does" : "sequences do")
                + fill(
                        " not divide among {1} devices; with <batch> {2}, {3} work in place of {4}, and tokens take ",
                        values)
                + percent(values.getLast()) + " % less time";
    }

    private String scheduler(List<Object> values) {
        String prompts = switch (String.valueOf(values.get(2))) {
            case "mixed" -> "prompts share steps with decodes";
            case "alone" -> "prompts run alone, decodes wait";
            default -> "a batch runs to its longest answer before the next one starts";
        };
        return fill("scheduler of {0} since {1}: ", values)
                + prompts
                + fill(", {4} tokens a step, prompts are ", values)
                + ((boolean) values.get(3) ? "cut" : "kept whole")
                + fill(", {5} sequences ({6})", values);
    }
}
