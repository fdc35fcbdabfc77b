// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.time;

/// The memory of vLLM on each device beside the weights. From its start-up messages on devices of 80 GB (2025): the
/// peak of its profiling run depends on the vocabulary and the sequence limit alone.
public final class VllmMemory {
    /// Logits in 32 bits, sorted copies, indexes and probabilities, for each sequence and row of the vocabulary.
    private static final double LOGIT_BYTES = 38.6;

    private static final double GIB = 1L << 30;
    /// The largest number of running sequences: more on devices of 70 GiB and more.
    private static final int SEQUENCES = 256;

    private static final int SEQUENCES_OF_LARGE = 1024;
    private static final double LARGE = 70 * GIB;
    private static final double ALONE = 0.13 * GIB;
    private static final double WITH_OTHERS = 0.55 * GIB;
    /// Experts of four bits are padded to this many columns.
    private static final double PADDING = 256;

    private VllmMemory() {}

    /// Returns the peak of a step beside weights and cache.
    ///
    /// @param vocabulary rows of the embedding
    /// @param device bytes of the device
    public static double activationPeak(double vocabulary, double device) {
        return LOGIT_BYTES * vocabulary * (device >= LARGE ? SEQUENCES_OF_LARGE : SEQUENCES);
    }

    /// Returns the memory of libraries and communicators.
    ///
    /// @param devices devices that share the model
    public static double libraries(int devices) {
        return devices == 1 ? ALONE : WITH_OTHERS;
    }

    /// Returns the growth of experts of four bits in memory.
    ///
    /// @param width width that is padded
    public static double padding(double width) {
        return Math.ceil(width / PADDING) * PADDING / width;
    }
}
