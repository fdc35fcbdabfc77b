package dev.muster.plan.simulate;

import dev.muster.plan.simulate.SchedulerPolicy.Prompts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// An option of an engine that changes how it schedules, by the name that the engine gives it.
public enum SchedulerOption {
    /// Tokens of a step.
    TOKEN_BUDGET("max-num-batched-tokens", "chunked-prefill-size", "max-num-tokens", "batch-size"),
    /// Sequences that run.
    SEQUENCES("max-num-seqs", "max-running-requests", "max-batch-size", "parallel"),
    /// Prompts in steps that decode.
    MIXED("enable-mixed-chunk"),
    /// Prompts that are cut.
    CHUNKED("enable-chunked-prefill", "enable-chunked-context"),
    /// Steps between two looks at new requests.
    POLLING("scheduler-recv-interval"),
    /// Steps for which new prompts wait.
    WAITING("batch-wait-timeout-iters"),
    /// Share of the budget that ends it.
    WAITING_SHARE("batch-wait-max-tokens-ratio"),
    /// Tokens that are sent at once.
    STREAMING("stream-interval");

    private static final int MOST = 1 << 20;

    private final List<String> names;

    SchedulerOption(String... names) {
        this.names = List.of(names);
    }

    /// All names.
    private static List<String> listNames() {
        List<String> all = new ArrayList<>();
        for (SchedulerOption option : values()) {
            all.addAll(option.names);
        }
        return all;
    }

    /// The option of that name, with hyphens or underscores.
    private static Optional<SchedulerOption> find(String name) {
        String plain = name.replace('_', '-');
        for (SchedulerOption option : values()) {
            if (option.names.contains(plain)) {
                return Optional.of(option);
            }
        }
        return Optional.empty();
    }

    /// The policy with another value of an option.
    ///
    /// @throws IllegalArgumentException if there is no such option, or the value is none of it
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
