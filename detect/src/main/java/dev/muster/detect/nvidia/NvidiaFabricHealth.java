// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import dev.muster.core.Reading;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/// The health of a GPU's NVLink fabric: a fabric that is complete may still have lost its routes.
///
/// @param summary in lower case: `healthy`, `unhealthy` or `limited capacity`; blank if unknown
/// @param troubles the faults, such as `route unhealthy`
record NvidiaFabricHealth(String summary, List<String> troubles) {
    private static final String WELL = "healthy";
    private static final String UNHEALTHY = "unhealthy";
    private static final String FOLDER = "fabric/health/";
    private static final List<String> NO_TROUBLE = List.of("", "n/a", "[n/a]", "success");
    private static final List<String> FLAGS =
            List.of("route_recovery_in_progress", "route_unhealthy", "access_timeout_recovery");

    NvidiaFabricHealth {
        troubles = List.copyOf(troubles);
    }

    /// Reads the fabric element of `nvidia-smi -q -x`.
    ///
    /// @param values looks up a value of the GPU
    static NvidiaFabricHealth of(Function<String, NvidiaValue> values) {
        List<String> troubles = new ArrayList<>();
        if (values.apply(FOLDER + "bandwidth").word().matches("degraded"::equals)) {
            troubles.add("bandwidth degraded");
        }
        for (String flag : FLAGS) {
            if (values.apply(FOLDER + flag).word().matches("true"::equals)) {
                troubles.add(flag.replace('_', ' '));
            }
        }
        values.apply(FOLDER + "incorrect_configuration")
                .word()
                .find()
                .filter(word -> !word.equals("none") && !word.equals("false"))
                .ifPresent(word -> troubles.add("incorrect configuration: " + word));
        return new NvidiaFabricHealth(
                values.apply(FOLDER + "summary").word().find().orElse(""), troubles);
    }

    /// Returns the state of a fabric, such as `completed`, with the reason for a failure.
    static Reading<String> state(NvidiaValue state, NvidiaValue status) {
        // Words that mean an unknown value elsewhere, such as "Unknown Error", are the result here.
        String word = status.raw().strip().toLowerCase(Locale.ROOT);
        String trouble = NO_TROUBLE.contains(word) ? "" : ", " + word;
        return state.word().map(text -> text + trouble);
    }

    private boolean isUnhealthy() {
        return summary.equals(UNHEALTHY) || (summary.isEmpty() && troubles.contains("route unhealthy"));
    }

    /// The state of the fabric, with what is wrong behind it.
    Reading<String> describe(Reading<String> state) {
        boolean silent = troubles.isEmpty() && (summary.isEmpty() || summary.equals(WELL));
        return silent ? state : state.map(text -> text + ", " + words());
    }

    /// Returns the GPU's health: a GPU without a working fabric is unhealthy, even if its own health is good.
    Reading<String> judge(Reading<String> health) {
        return isUnhealthy() && health.matches("ok"::equals) ? health.map(_ -> "NVLink fabric " + words()) : health;
    }

    private String words() {
        String first = summary.isEmpty() || summary.equals(WELL) ? "" : summary;
        String rest = String.join(", ", troubles);
        return first.isEmpty() ? rest : rest.isEmpty() ? first : first + " (" + rest + ")";
    }
}
