// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.rehearse;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.measure.MeshCalibration.Collective;
import dev.muster.mesh.MeshSpec;
import dev.muster.mesh.rehearse.RankGroup;
import dev.muster.mesh.rehearse.Rehearsal;
import dev.muster.mesh.rehearse.RehearsalFigures;
import dev.muster.mesh.rehearse.RehearsalFigures.CallFigures;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A rehearsal as arguments of a rank process, and its figures as a line of output.
final class RehearsalWords {
    private static final String MARK = "rehearsed\t";
    private static final String FIELD = ";";
    private static final String AXIS = "+";

    private RehearsalWords() {}

    static List<String> of(Rehearsal rehearsal) {
        List<String> words = new ArrayList<>();
        words.add(rehearsal.mesh().toString());
        words.add(Double.toString(rehearsal.computeSeconds()));
        for (Rehearsal.Call call : rehearsal.calls()) {
            words.add(String.join(
                    FIELD,
                    call.name(),
                    String.join(AXIS, call.group().axes()),
                    Integer.toString(call.group().members()),
                    call.collective().text(),
                    Long.toString(call.bytes()),
                    Long.toString(call.count()),
                    Boolean.toString(call.isOverlapped())));
        }
        return words;
    }

    static Rehearsal parse(List<String> words) {
        List<Rehearsal.Call> calls = new ArrayList<>();
        for (String word : words.subList(2, words.size())) {
            String[] fields = word.split(FIELD, -1);
            calls.add(new Rehearsal.Call(
                    fields[0],
                    new RankGroup(List.of(fields[1].split("\\" + AXIS, -1)), Integer.parseInt(fields[2])),
                    Collective.find(fields[3]).orElseThrow(),
                    Long.parseLong(fields[4]),
                    Long.parseLong(fields[5]),
                    Boolean.parseBoolean(fields[6])));
        }
        return new Rehearsal(MeshSpec.parse(words.getFirst()), Double.parseDouble(words.get(1)), calls);
    }

    static String line(RehearsalFigures figures) {
        return MARK
                + JsonObject.builder()
                        .put("backend", figures.backend())
                        .put("hosts", figures.hosts())
                        .put("rounds", figures.rounds())
                        .put("share", figures.share())
                        .put("calls", figures.calls(), RehearsalWords::json)
                        .build()
                        .toText();
    }

    private static JsonValue json(CallFigures call) {
        return JsonObject.builder()
                .put("made", call.made())
                .put("p50", call.p50())
                .put("p99", call.p99())
                .put("waited", call.waited())
                .put("slowestRank", call.slowestRank())
                .put("slowestGroup", call.slowestGroup(), JsonNumber::of)
                .build();
    }

    /// Parses a line; empty for other output.
    static Optional<RehearsalFigures> figures(String line) {
        if (!line.startsWith(MARK)) {
            return Optional.empty();
        }
        JsonValue found = JsonValue.parse(line.substring(MARK.length()));
        return Optional.of(new RehearsalFigures(
                found.requireText("backend"),
                (int) number(found, "hosts"),
                (int) number(found, "rounds"),
                number(found, "share"),
                found.requireItems("calls").stream().map(RehearsalWords::call).toList()));
    }

    private static CallFigures call(JsonValue call) {
        return new CallFigures(
                (long) number(call, "made"),
                number(call, "p50"),
                number(call, "p99"),
                number(call, "waited"),
                (int) number(call, "slowestRank"),
                call.requireItems("slowestGroup").stream()
                        .map(rank -> rank instanceof JsonNumber number ? (int) number.toDouble() : -1)
                        .toList());
    }

    private static double number(JsonValue object, String key) {
        return object.requireNumber(key).toDouble();
    }
}
