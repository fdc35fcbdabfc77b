// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.simulate;

import java.util.Arrays;

/// Step times of a layout in the parts that a simulation sums, computed by its model once: rows at four points of
/// each octave with linear interpolation, contexts by the chord from none to the mean one. Confined to one thread.
public final class ModelStepTimes implements StepTimes {
    private static final int POINTS = 4;
    private static final int OCTAVES = 22;

    private final Steps steps;
    private final double context;
    private double[] decodes = new double[0];
    private final double[] rows = new double[POINTS * OCTAVES + 1];

    /// Creates empty tables.
    ///
    /// @param context mean context tokens of a sequence in decode
    public ModelStepTimes(Steps steps, double context) {
        this.steps = steps;
        this.context = context;
        Arrays.fill(rows, Double.NaN);
    }

    /// The step times of a layout.
    public interface Steps {
        /// Returns a step of a number of rows without attention and without the part of sequences.
        double rows(double tokens);

        /// Returns the attention of sequences in decode, each with a number of context tokens.
        double attention(double sequences, double before);

        /// Returns the overhead of a step, and that of sequences in decode with any context, without attention.
        double sequences(double sequences);

        /// Returns the attention of a piece of a prompt.
        double prompt(double before, double tokens);

        /// Returns the additional overhead of a step with prompts.
        double promptStep();

        /// Returns its lower bound without the attention of prompts and contexts.
        double promptFloor();
    }

    @Override
    public double rows(double tokens) {
        double at = Math.max(1, tokens);
        int octave = Math.getExponent(at);
        double base = Math.scalb(1.0, octave);
        int quarter = (int) (POINTS * (at / base - 1));
        int index = POINTS * octave + quarter;
        double low = base * (1 + quarter / (double) POINTS);
        double share = (at - low) / (base / POINTS);
        return (1 - share) * point(index) + share * point(index + 1);
    }

    private double point(int index) {
        if (Double.isNaN(rows[index])) {
            double base = Math.scalb(1.0, index / POINTS);
            rows[index] = steps.rows(base * (1 + index % POINTS / (double) POINTS));
        }
        return rows[index];
    }

    @Override
    public double sequences(int sequences) {
        return sequences == 0 ? steps.sequences(0) : known(sequences, 0);
    }

    @Override
    public double contextToken(int sequences) {
        return sequences == 0 ? 0 : known(sequences, 1);
    }

    /// Returns the cost of sequences or of their contexts: both are needed with each step.
    private double known(int sequences, int which) {
        int at = 2 * sequences;
        if (at >= decodes.length) {
            int size = decodes.length;
            decodes = Arrays.copyOf(decodes, Math.max(2 * at, 256));
            Arrays.fill(decodes, size, decodes.length, Double.NaN);
        }
        if (Double.isNaN(decodes[at])) {
            double bare = steps.attention(sequences, 0);
            double full = steps.attention(sequences, context);
            decodes[at] = steps.sequences(sequences) + bare;
            decodes[at + 1] = Math.max(0, full - bare) / (sequences * context);
        }
        return decodes[at + which];
    }

    @Override
    public double prompt(double before, double tokens) {
        return steps.prompt(before, tokens);
    }

    @Override
    public double promptStep() {
        return steps.promptStep();
    }

    @Override
    public double promptFloor() {
        return steps.promptFloor();
    }
}
