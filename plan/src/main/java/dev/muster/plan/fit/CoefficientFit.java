package dev.muster.plan.fit;

import dev.muster.plan.time.Coefficient;
import dev.muster.plan.time.CoefficientTable;
import dev.muster.plan.time.Coefficients;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/// Fits coefficients to measurements: the least sum of absolute logarithmic errors, held near what is believed before
/// (Levenberg and Marquardt's steps on reweighted squares). Deterministic.
final class CoefficientFit {
    /// Errors of this size count like one spread of a prior.
    private static final double NOISE = 0.14;
    /// Below this, errors count squared.
    private static final double ROUND = 0.03;
    /// Beyond a factor of 4.5 a row is taken for a mistake of its source.
    private static final double CAP = Math.log(4.5);

    private static final double STEP = 1e-4;
    private static final int MAX_ROUNDS = 200;
    private static final double ENOUGH = 1e-4;

    private final List<MeasuredCase> cases;
    private final TrialCoefficients trial;
    private final double[] priors;
    private final double[] tightness;

    private CoefficientFit(List<MeasuredCase> cases, TrialCoefficients trial) {
        this.cases = cases;
        this.trial = trial;
        this.priors = trial.priorLogs();
        this.tightness = trial.tightness();
    }

    /// The coefficients that cases ask for, with fitted values.
    ///
    /// @param priors what is believed before; names that end with `*` stand for all names that cases ask for
    static List<Coefficient> fit(List<Coefficient> priors, List<MeasuredCase> cases) {
        return fit(priors, cases, CoefficientTable.of(List.of()));
    }

    /// The same from a start that is not the priors.
    ///
    /// @param start where to begin with coefficients that it has
    static List<Coefficient> fit(List<Coefficient> priors, List<MeasuredCase> cases, Coefficients start) {
        List<MeasuredCase> counted =
                cases.stream().filter(one -> one.weight() > 0).toList();
        TrialCoefficients trial = TrialCoefficients.of(priors, counted);
        trial.begin(start);
        new CoefficientFit(counted, trial).run();
        return trial.fitted();
    }

    private void run() {
        double damping = 1e-3;
        double[] logs = trial.logs();
        double cost = cost(logs);
        for (int round = 0; round < MAX_ROUNDS; round++) {
            NormalEquations normal = normal(logs);
            boolean better = false;
            double gain = 0;
            for (int attempt = 0; attempt < 16 && !better; attempt++) {
                double[] next = normal.step(logs, damping);
                double other = cost(next);
                if (other < cost) {
                    gain = cost - other;
                    better = true;
                    logs = next;
                    cost = other;
                    damping = Math.max(1e-9, damping / 5);
                } else {
                    damping *= 5;
                }
            }
            if (!better || gain < ENOUGH * cost) {
                break;
            }
        }
        trial.set(logs);
    }

    private double cost(double[] logs) {
        trial.set(logs);
        double cost = 0;
        for (MeasuredCase one : cases) {
            double error = Math.min(CAP, Math.abs(one.residual(trial)));
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

    /// The equations of one step.
    private NormalEquations normal(double[] logs) {
        NormalEquations normal = new NormalEquations(logs.length);
        for (int i = 0; i < logs.length; i++) {
            normal.add(i, i, tightness[i]);
            normal.slope(i, tightness[i] * (logs[i] - priors[i]));
        }
        List<Integer> touched = new ArrayList<>();
        for (MeasuredCase one : cases) {
            trial.set(logs);
            BitSet asked = trial.trace(one);
            double error = one.residual(trial);
            double size = Math.abs(error);
            if (size >= CAP) {
                continue;
            }
            double weight = one.weight() / (NOISE * Math.sqrt(size * size + ROUND * ROUND));
            touched.clear();
            asked.stream().filter(i -> tightness[i] < TrialCoefficients.FIXED).forEach(touched::add);
            double[] slopes = new double[touched.size()];
            for (int k = 0; k < slopes.length; k++) {
                int i = touched.get(k);
                trial.set(i, logs[i] + STEP);
                slopes[k] = (one.residual(trial) - error) / STEP;
                trial.set(i, logs[i]);
            }
            for (int k = 0; k < slopes.length; k++) {
                normal.slope(touched.get(k), weight * slopes[k] * error);
                for (int l = 0; l < slopes.length; l++) {
                    normal.add(touched.get(k), touched.get(l), weight * slopes[k] * slopes[l]);
                }
            }
        }
        return normal;
    }

    /// Symmetric equations of a step of Levenberg and Marquardt, solved by Cholesky's way. Confined to one thread.
    private static final class NormalEquations {
        /// No logarithm goes further in one step: a factor of two.
        private static final double LONGEST = 0.7;
        /// Keeps a coefficient that no row asks for where it is.
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

        /// Where a step leads.
        ///
        /// @param damping how much shorter it gets
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
