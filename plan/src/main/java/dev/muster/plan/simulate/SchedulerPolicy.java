// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.simulate;

/// The scheduling policy of an engine. First come, first served; if the KV cache is full, the running sequences that
/// came last are preempted and recomputed.
///
/// @param engine the engine, as on the command line
/// @param release first release with this policy
/// @param prompts steps of prefill and decode
/// @param isChunked true if prompts are cut at the token budget
/// @param tokenBudget largest number of tokens of a step
/// @param maxSequences largest number of running sequences
/// @param newOutputShare share of the answer that is reserved when a request is admitted
/// @param runningOutputShare share of the rest of running answers that is reserved then
/// @param pollSteps decode steps between two polls for new requests
/// @param waitSteps largest number of steps for which new prompts wait for others during decode; 0 for none
/// @param waitShare share of the token budget that ends such waiting
/// @param streamInterval tokens sent to a client at once, behind the first
/// @param source source of these facts
public record SchedulerPolicy(
        String engine,
        String release,
        Prompts prompts,
        boolean isChunked,
        int tokenBudget,
        int maxSequences,
        double newOutputShare,
        double runningOutputShare,
        int pollSteps,
        int waitSteps,
        double waitShare,
        int streamInterval,
        String source) {
    /// The sharing of steps between prefill and decode.
    public enum Prompts {
        /// Sequences in decode come first, prompts fill the step.
        MIXED("mixed"),
        /// A step has prompts alone as long as there are any; sequences in decode wait.
        ALONE("alone"),
        /// A batch runs from its prompts to its longest answer, padded, and nothing joins it.
        BATCH("batch");

        private final String label;

        Prompts(String label) {
            this.label = label;
        }

        /// Returns the word in tables.
        public String label() {
            return label;
        }
    }

    public SchedulerPolicy {
        if (tokenBudget < 1 || maxSequences < 1 || pollSteps < 1 || waitSteps < 0 || streamInterval < 1) {
            throw new IllegalArgumentException("a scheduler has at least one token, sequence and step");
        }
        if (!isShare(newOutputShare) || !isShare(runningOutputShare) || !isShare(waitShare)) {
            throw new IllegalArgumentException("a share is from 0 to 1");
        }
    }

    private static boolean isShare(double share) {
        return share >= 0 && share <= 1;
    }

    /// Returns the policy of a number of attention ranks that step together, each with sequences of its own.
    public SchedulerPolicy times(int ranks) {
        return with(tokenBudget * ranks, maxSequences * ranks);
    }

    /// Returns a copy with another largest number of tokens of a step.
    public SchedulerPolicy withTokenBudget(int tokens) {
        return with(tokens, maxSequences);
    }

    /// Returns a copy with another largest number of running sequences.
    public SchedulerPolicy withMaxSequences(int sequences) {
        return with(tokenBudget, sequences);
    }

    private SchedulerPolicy with(int tokens, int sequences) {
        return new SchedulerPolicy(
                engine,
                release,
                prompts,
                isChunked,
                tokens,
                sequences,
                newOutputShare,
                runningOutputShare,
                pollSteps,
                waitSteps,
                waitShare,
                streamInterval,
                source);
    }

    /// Reports whether a request is admitted beside the running ones.
    ///
    /// @param used KV cache of running sequences
    /// @param running units missing from running answers
    /// @param held units of the request at the end of its prompt
    /// @param rest units missing from its answer then
    /// @param room capacity of the KV cache
    boolean admits(long used, long running, long held, long rest, long room) {
        return used + runningOutputShare * running + held + newOutputShare * rest <= room;
    }
}
