package dev.muster.mesh;

import dev.muster.mesh.MeshPlanException.Code;

/// Rows and columns of devices.
///
/// @param rows at least 1
/// @param columns at least 1
/// @since 0.1
public record MeshShape(long rows, long columns) {
    /// Checks the numbers.
    public MeshShape {
        if (rows < 1 || columns < 1 || rows > MeshSpec.MOST_RANKS / columns) {
            throw new MeshPlanException(
                    Code.BAD_SIZE,
                    "a mesh shape has rows and columns, at least one each and at most " + MeshSpec.MOST_RANKS
                            + " devices: " + rows + " x " + columns);
        }
    }

    /// How many devices the shape has.
    public long product() {
        return rows * columns;
    }

    @Override
    public String toString() {
        return rows + " x " + columns;
    }
}
