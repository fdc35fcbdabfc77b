// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.fit;

import dev.muster.plan.time.Coefficient;
import dev.muster.plan.time.Coefficients;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/// Coefficients fitted to measurements: the least sum of absolute logarithmic errors with priors (Levenberg-Marquardt
/// on reweighted least squares). Deterministic; immutable once fitted.
final class CoefficientFit {
    /// The error that counts like one standard deviation of a prior.
    private static final double NOISE = 0.14;
    /// Below this, errors count squared.
    private static final double ROUND = 0.03;
    /// The largest error that counts, a factor of 4.5; a row beyond it is taken for a mistake of its source.
    private static final double CAP = Math.log(4.5);

    private static final double STEP = 1e-4;
    private static final int MAX_ROUNDS = 200;
    private static final int MAX_ATTEMPTS = 16;
    private static final double ENOUGH = 1e-5;
    /// Steps taken with the same Jacobian, which costs far more than a step.
    private static final int ROUNDS_OF_SLOPES = 4;

    private final List<MeasuredCase> cases;
    private final TrialCoefficients trial;
    /// The indices of the fitted coefficients, and their priors.
    private final int[] places;

    private final double[] priors;
    private final double[] tightness;
    private final double[] best;
    /// The fitted coefficients that each case uses, and the derivatives of its error.
    private final int[][] columns;

    private final double[][] slopes;

    private CoefficientFit(List<MeasuredCase> cases, TrialCoefficients trial) {
        this.cases = cases;
        this.trial = trial;
        this.places = trial.fittedPlaces();
        this.priors = trial.priorLogs(places);
        this.tightness = trial.tightness(places);
        this.columns = new int[cases.size()][];
        this.slopes = new double[cases.size()][];
        this.best = run();
        takeSlopes(best);
    }

    /// Fits the coefficients that cases use.
    ///
    /// @param priors prior values; names that end with `*` stand for all names that cases use
    /// @param start initial values
    static CoefficientFit of(List<Coefficient> priors, List<MeasuredCase> cases, Coefficients start) {
        List<MeasuredCase> counted =
                cases.stream().filter(one -> one.weight() > 0).toList();
        TrialCoefficients trial = TrialCoefficients.of(priors, counted);
        trial.begin(start);
        return new CoefficientFit(counted, trial);
    }

    /// Returns the coefficients that cases use, with fitted values.
    List<Coefficient> fitted() {
        return trial.fitted(places, best);
    }

    /// Returns the coefficients fitted without a group. Errors are computed anew at every step; the Jacobian is taken
    /// from the fit to all groups, which lies near.
    List<Coefficient> fittedWithout(String group) {
        BitSet others = new BitSet();
        for (int i = 0; i < cases.size(); i++) {
            others.set(i, !cases.get(i).group().equals(group));
        }
        return trial.fitted(places, descend(trial.copy(), others, best, MAX_ROUNDS));
    }

    private double[] run() {
        BitSet all = new BitSet();
        all.set(0, cases.size());
        double[] logs = trial.logs(places);
        double before = Double.POSITIVE_INFINITY;
        double cost = cost(trial, all, logs);
        for (int round = 0; round < MAX_ROUNDS && before - cost > ENOUGH * cost; round++) {
            takeSlopes(logs);
            logs = descend(trial, all, logs, ROUNDS_OF_SLOPES);
            before = cost;
            cost = cost(trial, all, logs);
        }
        return logs;
    }

    /// Takes some steps with the current Jacobian.
    private double[] descend(TrialCoefficients at, BitSet counted, double[] from, int rounds) {
        double damping = 1e-3;
        double[] logs = from;
        double cost = cost(at, counted, logs);
        for (int round = 0; round < rounds; round++) {
            NormalEquations normal = normal(at, counted, logs);
            double before = cost;
            for (int attempt = 0; attempt < MAX_ATTEMPTS && cost == before; attempt++) {
                double[] next = normal.step(logs, damping);
                double other = cost(at, counted, next);
                if (other < cost) {
                    logs = next;
                    cost = other;
                    damping = Math.max(1e-9, damping / 5);
                } else {
                    damping *= 5;
                }
            }
            if (before - cost <= ENOUGH * cost) {
                break;
            }
        }
        return logs;
    }

    private double cost(TrialCoefficients at, BitSet counted, double[] logs) {
        at.set(places, logs);
        double cost = 0;
        for (int i = counted.nextSetBit(0); i >= 0; i = counted.nextSetBit(i + 1)) {
            MeasuredCase one = cases.get(i);
            double error = Math.min(CAP, Math.abs(one.residual(at)));
            if (Double.isNaN(error)) {
                return Double.POSITIVE_INFINITY;
            }
            cost += one.weight() * Math.sqrt(error * error + ROUND * ROUND) / NOISE;
        }
        for (int i = 0; i < logs.length; i++) {
            double off = logs[i] - priors[i];
            cost += off * off * tightness[i] / 2;
        }
        return cost;
    }

    private void takeSlopes(double[] logs) {
        trial.set(places, logs);
        for (int row = 0; row < slopes.length; row++) {
            MeasuredCase one = cases.get(row);
            columns[row] = trial.trace(one).stream()
                    .map(place -> Arrays.binarySearch(places, place))
                    .toArray();
            slopes[row] = new double[columns[row].length];
            double error = one.residual(trial);
            for (int k = 0; k < slopes[row].length; k++) {
                int column = columns[row][k];
                trial.set(places[column], logs[column] + STEP);
                slopes[row][k] = (one.residual(trial) - error) / STEP;
                trial.set(places[column], logs[column]);
            }
        }
    }

    private NormalEquations normal(TrialCoefficients at, BitSet counted, double[] logs) {
        NormalEquations normal = new NormalEquations(logs.length);
        for (int i = 0; i < logs.length; i++) {
            normal.add(i, i, tightness[i]);
            normal.slope(i, tightness[i] * (logs[i] - priors[i]));
        }
        at.set(places, logs);
        for (int row = counted.nextSetBit(0); row >= 0; row = counted.nextSetBit(row + 1)) {
            MeasuredCase one = cases.get(row);
            double error = one.residual(at);
            double size = Math.abs(error);
            if (size >= CAP) {
                continue;
            }
            double weight = one.weight() / (NOISE * Math.sqrt(size * size + ROUND * ROUND));
            int[] asked = columns[row];
            double[] values = slopes[row];
            for (int k = 0; k < values.length; k++) {
                normal.slope(asked[k], weight * values[k] * error);
                for (int l = 0; l <= k; l++) {
                    normal.add(asked[k], asked[l], weight * values[k] * values[l]);
                }
            }
        }
        return normal;
    }

    /// The normal equations of a Levenberg-Marquardt step, of which the lower half is kept, solved by Cholesky
    /// decomposition. Confined to one thread.
    private static final class NormalEquations {
        /// The largest change of a logarithm in one step: a factor of two.
        private static final double LONGEST = 0.7;
        /// Keeps a coefficient that no row uses unchanged.
        private static final double LEAST = 1e-12;

        private final double[][] matrix;
        private final double[] slopes;

        NormalEquations(int size) {
            matrix = new double[size][size];
            slopes = new double[size];
        }

        void add(int row, int column, double value) {
            matrix[row][column] += value;
        }

        void slope(int row, double value) {
            slopes[row] += value;
        }

        /// Returns the result of a step.
        ///
        /// @param damping the damping factor, which shortens the step
        double[] step(double[] from, double damping) {
            double[][] lower = factor(damping);
            double[] step = solve(lower);
            for (int i = 0; i < step.length; i++) {
                step[i] = from[i] + Math.max(-LONGEST, Math.min(LONGEST, step[i]));
            }
            return step;
        }

        private double[][] factor(double damping) {
            int size = slopes.length;
            double[][] lower = new double[size][size];
            for (int i = 0; i < size; i++) {
                for (int j = 0; j <= i; j++) {
                    double sum = i == j ? matrix[i][i] * (1 + damping) + LEAST : matrix[i][j];
                    for (int k = 0; k < j; k++) {
                        sum -= lower[i][k] * lower[j][k];
                    }
                    lower[i][j] = i == j ? Math.sqrt(Math.max(sum, LEAST)) : sum / lower[j][j];
                }
            }
            return lower;
        }

        private double[] solve(double[][] lower) {
            int size = slopes.length;
            double[] solution = new double[size];
            for (int i = 0; i < size; i++) {
                double sum = -slopes[i];
                for (int k = 0; k < i; k++) {
                    sum -= lower[i][k] * solution[k];
                }
                solution[i] = sum / lower[i][i];
            }
            for (int i = size - 1; i >= 0; i--) {
                double sum = solution[i];
                for (int k = i + 1; k < size; k++) {
                    sum -= lower[k][i] * solution[k];
                }
                solution[i] = sum / lower[i][i];
            }
            return solution;
        }
    }
}
