// SPDX-License-Identifier: Apache-2.0
package dev.muster.checks.guides;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.plan.rules.RulePlanner;

// begin model-choice
/// The choice among a model's published files for a machine.
final class ModelChoice {
    private static final long PARAMETERS = 8_030_000_000L;

    private ModelChoice() {}

    static String of(AcceleratorRegistry registry) {
        return switch (RulePlanner.of(registry).suggestQuantization(PARAMETERS).level()) {
            case NONE, FLOAT16, BFLOAT16 -> "llama3.1:8b-instruct-fp16";
            case INT8 -> "llama3.1:8b-instruct-q8_0";
            case INT4 -> "llama3.1:8b-instruct-q4_K_M";
        };
    }
}
// end model-choice
