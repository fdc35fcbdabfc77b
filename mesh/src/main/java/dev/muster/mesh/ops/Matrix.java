// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.ops;

import dev.muster.mesh.ops.DistributedOps.Share;
import java.util.Arrays;

/// Numbers in rows and columns, row by row in one array. Arithmetic gives new matrices; a caller that holds
/// the array may change it. Sums run from the first element to the last, in floats.
///
/// @since 0.1
public final class Matrix {
    private final int rows;
    private final int columns;
    private final float[] values;

    private Matrix(int rows, int columns, float[] values) {
        this.rows = rows;
        this.columns = columns;
        this.values = values;
    }

    /// A matrix over that array, which is not copied.
    ///
    /// @throws IllegalArgumentException if the array has another length
    public static Matrix of(int rows, int columns, float... values) {
        if (rows < 0 || columns < 0 || (long) rows * columns != values.length) {
            throw new IllegalArgumentException(
                    rows + " rows of " + columns + " do not have " + values.length + " elements");
        }
        return new Matrix(rows, columns, values);
    }

    /// Zeros.
    public static Matrix zeros(int rows, int columns) {
        return new Matrix(rows, columns, new float[Math.multiplyExact(rows, columns)]);
    }

    /// Returns the number of rows.
    public int rows() {
        return rows;
    }

    /// Returns the number of columns.
    public int columns() {
        return columns;
    }

    /// The elements, row by row; the very array.
    public float[] values() {
        return values;
    }

    /// Some consecutive rows.
    public Matrix rows(Share part) {
        int from = Math.toIntExact(part.from() * columns);
        return new Matrix(
                (int) part.count(), columns, Arrays.copyOfRange(values, from, from + (int) part.count() * columns));
    }

    /// Some consecutive columns.
    public Matrix columns(Share part) {
        Matrix picked = zeros(rows, (int) part.count());
        for (int row = 0; row < rows; row++) {
            System.arraycopy(
                    values, row * columns + (int) part.from(), picked.values, row * picked.columns, picked.columns);
        }
        return picked;
    }

    /// Writes a matrix of as many rows into some consecutive columns.
    void put(Matrix part, int firstColumn) {
        for (int row = 0; row < rows; row++) {
            System.arraycopy(part.values, row * part.columns, values, row * columns + firstColumn, part.columns);
        }
    }

    /// This matrix times another.
    public Matrix times(Matrix other) {
        require(columns == other.rows, "times", other);
        Matrix product = zeros(rows, other.columns);
        for (int row = 0; row < rows; row++) {
            for (int middle = 0; middle < columns; middle++) {
                product.addRow(row, values[row * columns + middle], other, middle);
            }
        }
        return product;
    }

    /// This matrix times another one turned: each row of this with each row of that.
    public Matrix timesTransposed(Matrix other) {
        require(columns == other.columns, "times the transposed", other);
        Matrix product = zeros(rows, other.rows);
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < other.rows; column++) {
                float sum = 0;
                for (int i = 0; i < columns; i++) {
                    sum += values[row * columns + i] * other.values[column * columns + i];
                }
                product.values[row * product.columns + column] = sum;
            }
        }
        return product;
    }

    /// This matrix turned, times another.
    public Matrix transposedTimes(Matrix other) {
        require(rows == other.rows, "transposed times", other);
        Matrix product = zeros(columns, other.columns);
        for (int middle = 0; middle < rows; middle++) {
            for (int row = 0; row < columns; row++) {
                product.addRow(row, values[middle * columns + row], other, middle);
            }
        }
        return product;
    }

    /// Adds a row of another matrix, so many times, to a row of this.
    void addRow(int row, float factor, Matrix other, int otherRow) {
        for (int column = 0; column < columns; column++) {
            values[row * columns + column] += factor * other.values[otherRow * columns + column];
        }
    }

    /// This matrix with a row added to each of its rows.
    public Matrix plusRow(Matrix addend) {
        require(addend.rows == 1 && addend.columns == columns, "plus a row of", addend);
        Matrix sum = new Matrix(rows, columns, values.clone());
        for (int row = 0; row < rows; row++) {
            sum.addRow(row, 1, addend, 0);
        }
        return sum;
    }

    /// The sum of the rows, as one row.
    public Matrix sumOfRows() {
        Matrix sum = zeros(1, columns);
        for (int row = 0; row < rows; row++) {
            sum.addRow(0, 1, this, row);
        }
        return sum;
    }

    private void require(boolean fits, String what, Matrix other) {
        if (!fits) {
            throw new IllegalArgumentException(this + " " + what + " " + other + " do not fit");
        }
    }

    /// The shape: `2x3`.
    @Override
    public String toString() {
        return rows + "x" + columns;
    }
}
