// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.simulate;

/// How an engine chooses what its next step works on. First come, first served; of sequences that run, those that came
/// last give way where the KV cache is full, and are computed anew.
///
/// @param engine the engine, as on the command line
/// @param release the first release that does so
/// @param prompts how prompts and sequences that decode share steps
/// @param isChunked whether prompts are cut where the token budget ends
/// @param tokenBudget tokens of a step at most
/// @param maxSequences sequences that run at most
/// @param newOutputShare what is kept free of the answer of a request that is let in
/// @param runningOutputShare what is kept free then of the rest of the answers that run
/// @param pollSteps steps that decode between two looks at new requests
/// @param waitSteps steps at most for which new prompts wait for others while sequences decode; 0 for none
/// @param waitShare share of the token budget that ends such waiting
/// @param streamInterval tokens that are sent to a client at once, behind the first
/// @param source where all of it was read
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
    /// How prompts and sequences that decode share steps.
    public enum Prompts {
        /// Sequences that decode come first, prompts fill the step.
        MIXED("mixed"),
        /// A step has prompts alone as long as there are any; sequences that decode wait.
        ALONE("alone"),
        /// A batch runs from its prompts to its longest answer, padded, and nothing joins it.
        BATCH("batch");

        private final String label;

        Prompts(String label) {
            this.label = label;
        }

        /// The word of tables.
        public String label() {
            return label;
        }
    }

    /// Checks the numbers.
    ///
    /// @throws IllegalArgumentException if one is out of range
    public SchedulerPolicy {
        if (tokenBudget < 1 || maxSequences < 1 || pollSteps < 1 || waitSteps < 0 || streamInterval < 1) {
            throw new IllegalArgumentException("a scheduler has a token, a sequence and a step at least");
        }
        if (!isShare(newOutputShare) || !isShare(runningOutputShare) || !isShare(waitShare)) {
            throw new IllegalArgumentException("a share is from 0 to 1");
        }
    }

    private static boolean isShare(double share) {
        return share >= 0 && share <= 1;
    }

    /// The policy of so many ranks that each attend to sequences of their own and step together.
    public SchedulerPolicy times(int ranks) {
        return new SchedulerPolicy(
                engine,
                release,
                prompts,
                isChunked,
                tokenBudget * ranks,
                maxSequences * ranks,
                newOutputShare,
                runningOutputShare,
                pollSteps,
                waitSteps,
                waitShare,
                streamInterval,
                source);
    }

    /// Whether a request is let in beside those that run.
    ///
    /// @param used what runs holds of the KV cache
    /// @param running what is missing of the answers that run
    /// @param held what the request holds once its prompt is read
    /// @param rest what is missing of its answer then
    /// @param room what the KV cache holds
    boolean admits(long used, long running, long held, long rest, long room) {
        return used + runningOutputShare * running + held + newOutputShare * rest <= room;
    }
}
