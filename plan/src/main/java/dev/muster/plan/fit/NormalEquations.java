package dev.muster.plan.fit;

/// Symmetric equations of a step of Levenberg and Marquardt, solved by Cholesky's way. Confined to one thread.
final class NormalEquations {
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
