// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh;

import dev.muster.mesh.MeshPlanException.MeshPlanError;

/// One named dimension of a mesh, such as `tp=4`. Immutable.
///
/// @param name lower-case letters, digits and underscores, beginning with a letter
/// @param size number of ranks along it; at least 1
/// @since 0.1
public record MeshDimension(String name, int size) {
    /// Splits every matrix.
    public static final String TENSOR = "tp";
    /// Splits the layers into stages.
    public static final String PIPELINE = "pp";
    /// Copies of the model.
    public static final String DATA = "dp";
    /// Splits the sequence.
    public static final String CONTEXT = "cp";
    /// Splits the experts.
    public static final String EXPERT = "ep";

    private static final int MOST_LETTERS = 32;

    /// Checks the name and the size.
    public MeshDimension {
        if (!isName(name)) {
            throw new MeshPlanException(
                    MeshPlanError.BAD_NAME,
                    "a dimension has a name of lower-case letters, digits and underscores that begins with a letter,"
                            + " such as tp: '" + name + "'");
        }
        if (size < 1) {
            throw new MeshPlanException(
                    MeshPlanError.BAD_SIZE, "dimension " + name + " has a size of at least 1, not " + size);
        }
    }

    /// A dimension of that size.
    ///
    /// @throws MeshPlanException if the size is below 1 or no mesh is as large
    public static MeshDimension of(String name, long size) {
        if (size > MeshSpec.MOST_RANKS) {
            throw new MeshPlanException(
                    MeshPlanError.BAD_SIZE,
                    "dimension " + name + " is too large: " + size + ", of at most " + MeshSpec.MOST_RANKS);
        }
        return new MeshDimension(name, (int) Math.max(size, Integer.MIN_VALUE));
    }

    private static boolean isName(String name) {
        if (name.isEmpty() || name.length() > MOST_LETTERS || !isLetter(name.charAt(0))) {
            return false;
        }
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (!isLetter(c) && (c < '0' || c > '9') && c != '_') {
                return false;
            }
        }
        return true;
    }

    private static boolean isLetter(char c) {
        return c >= 'a' && c <= 'z';
    }

    /// The dimension as it is written: `tp=4`.
    @Override
    public String toString() {
        return name + "=" + size;
    }
}
