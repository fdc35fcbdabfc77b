// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.simulate;

import dev.muster.plan.simulate.SchedulerPolicy.Prompts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// An option of an engine that changes its scheduling, under the engine's own name.
public enum SchedulerOption {
    /// The token budget of a step.
    TOKEN_BUDGET("max-num-batched-tokens", "chunked-prefill-size", "max-num-tokens", "batch-size"),
    /// The largest number of running sequences.
    SEQUENCES("max-num-seqs", "max-running-requests", "max-batch-size", "parallel"),
    /// Prompts in decode steps.
    MIXED("enable-mixed-chunk"),
    /// Chunked prompts.
    CHUNKED("enable-chunked-prefill", "enable-chunked-context"),
    /// Decode steps between two polls for new requests.
    POLLING("scheduler-recv-interval"),
    /// Steps for which new prompts wait.
    WAITING("batch-wait-timeout-iters"),
    /// Share of the budget that ends the waiting.
    WAITING_SHARE("batch-wait-max-tokens-ratio"),
    /// Tokens sent at once.
    STREAMING("stream-interval");

    /// The engines, in the order of the names of budget and sequences.
    private static final List<String> ENGINES = List.of("vllm", "sglang", "tensorrt-llm", "llama.cpp");

    private static final int MOST = 1 << 20;

    private final List<String> names;

    SchedulerOption(String... names) {
        this.names = List.of(names);
    }

    /// Returns the engine's name of the option; empty if it has no such option.
    public Optional<String> findName(String engine) {
        int index = ENGINES.indexOf(engine);
        return index < 0 || index >= names.size() ? Optional.empty() : Optional.of(names.get(index));
    }

    /// Reports whether this is the option with a name.
    public boolean isNamed(String name) {
        return names.contains(name.replace('_', '-'));
    }

    /// Returns all names.
    private static List<String> listNames() {
        List<String> all = new ArrayList<>();
        for (SchedulerOption option : values()) {
            all.addAll(option.names);
        }
        return all;
    }

    /// Returns the option with a name, with hyphens or underscores.
    private static Optional<SchedulerOption> find(String name) {
        for (SchedulerOption option : values()) {
            if (option.isNamed(name)) {
                return Optional.of(option);
            }
        }
        return Optional.empty();
    }

    /// Returns the policy with another token budget.
    public static SchedulerPolicy withTokenBudget(SchedulerPolicy policy, int tokens) {
        return TOKEN_BUDGET.apply(policy, String.valueOf(tokens));
    }

    /// Returns the policy with another number of sequences.
    public static SchedulerPolicy withSequences(SchedulerPolicy policy, int sequences) {
        return SEQUENCES.apply(policy, String.valueOf(sequences));
    }

    /// Returns the policy with another value of an option.
    ///
    /// @throws IllegalArgumentException if there is no such option, or the value is not valid
    public static SchedulerPolicy apply(SchedulerPolicy policy, String name, String value) {
        SchedulerOption option = find(name)
                .orElseThrow(() -> new IllegalArgumentException("no option '" + name
                        + "' of a scheduler is known; there" + " are " + String.join(", ", listNames())));
        try {
            return option.apply(policy, value);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(name + " is '" + value + "'; " + e.getMessage(), e);
        }
    }

    private SchedulerPolicy apply(SchedulerPolicy policy, String value) {
        return new SchedulerPolicy(
                policy.engine(),
                policy.release(),
                this == MIXED ? (isOn(value) ? Prompts.MIXED : Prompts.ALONE) : policy.prompts(),
                this == CHUNKED ? isOn(value) : policy.isChunked(),
                this == TOKEN_BUDGET ? count(value) : policy.tokenBudget(),
                this == SEQUENCES ? count(value) : policy.maxSequences(),
                policy.newOutputShare(),
                policy.runningOutputShare(),
                this == POLLING ? count(value) : policy.pollSteps(),
                this == WAITING ? count(value) : policy.waitSteps(),
                this == WAITING_SHARE ? share(value) : policy.waitShare(),
                this == STREAMING ? count(value) : policy.streamInterval(),
                policy.source());
    }

    private static boolean isOn(String value) {
        return switch (value) {
            case "on", "true", "yes", "1", "" -> true;
            case "off", "false", "no", "0" -> false;
            default -> throw new IllegalArgumentException("write on or off");
        };
    }

    private static int count(String value) {
        try {
            int count = Integer.parseInt(value);
            if (count >= 1 && count <= MOST) {
                return count;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("write a whole number from 1 to " + MOST, e);
        }
        throw new IllegalArgumentException("write a whole number from 1 to " + MOST);
    }

    private static double share(String value) {
        try {
            double share = Double.parseDouble(value);
            if (share >= 0 && share <= 1) {
                return share;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("write a number from 0 to 1", e);
        }
        throw new IllegalArgumentException("write a number from 0 to 1");
    }
}
