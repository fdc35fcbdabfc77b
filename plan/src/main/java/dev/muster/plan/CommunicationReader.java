// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan;

import dev.muster.core.json.DocumentException;
import dev.muster.core.json.DocumentException.DocumentErrorCode;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonBoolean;
import dev.muster.core.measure.MeshCalibration.Collective;
import dev.muster.plan.cost.StepCommunication;
import dev.muster.plan.cost.StepCommunication.Axis;
import dev.muster.plan.cost.StepCommunication.Call;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// Reads the communication of ranks from a saved plan.
final class CommunicationReader {
    /// More kinds of calls than a plan has.
    private static final int MOST_CALLS = 64;
    /// A double holds whole numbers up to here.
    private static final double MOST = 1L << 53;

    private CommunicationReader() {}

    static StepCommunication read(JsonValue communication) {
        List<JsonValue> items = communication.requireItems("calls");
        if (items.size() > MOST_CALLS) {
            throw DocumentException.of(
                    DocumentErrorCode.TOO_LARGE, "a plan has at most " + MOST_CALLS + " kinds of calls");
        }
        List<Call> calls = new ArrayList<>();
        try {
            for (JsonValue item : items) {
                calls.add(call(item));
            }
        } catch (IllegalArgumentException e) {
            throw DocumentException.of(DocumentErrorCode.WRONG_VALUE, String.valueOf(e.getMessage()));
        }
        return new StepCommunication(number(communication, "stepSeconds"), calls);
    }

    private static Call call(JsonValue item) {
        String axis = item.requireText("axis");
        return new Call(
                Arrays.stream(Axis.values())
                        .filter(one -> one.label().equals(axis))
                        .findFirst()
                        .orElseThrow(() -> unknown("axis")),
                Collective.find(item.requireText("collective")).orElseThrow(() -> unknown("collective")),
                (int) whole(item, "members"),
                whole(item, "bytes"),
                whole(item, "count"),
                item.require("overlapped") instanceof JsonBoolean(boolean truth) && truth,
                number(item, "seconds"),
                number(item, "exposedSeconds"));
    }

    static SequencedMap<String, Integer> mesh(JsonValue plan) {
        SequencedMap<String, Integer> axes = new LinkedHashMap<>();
        for (JsonValue axis : plan.requireItems("mesh")) {
            axes.put(axis.requireText("axis"), (int) whole(axis, "size"));
        }
        return Collections.unmodifiableSequencedMap(axes);
    }

    private static DocumentException unknown(String key) {
        return DocumentException.of(DocumentErrorCode.WRONG_VALUE, "'" + key + "' has a value that is not known");
    }

    private static double number(JsonValue object, String key) {
        double number = object.requireNumber(key).toDouble();
        if (!(number >= 0) || Double.isInfinite(number)) {
            throw DocumentException.of(DocumentErrorCode.WRONG_VALUE, "'" + key + "' is negative or not a number");
        }
        return number;
    }

    private static long whole(JsonValue object, String key) {
        double number = number(object, key);
        if (number != Math.rint(number) || number > MOST) {
            throw DocumentException.of(DocumentErrorCode.WRONG_VALUE, "'" + key + "' is not an integer");
        }
        return (long) number;
    }
}
