// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh;

import java.io.Serial;

/// A mesh that cannot be planned as asked. The message says what is wrong and, where it helps, what to
/// do; the code says it to programs.
///
/// @since 0.1
public final class MeshPlanException extends MeshException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final MeshPlanError code;

    MeshPlanException(MeshPlanError code, String message) {
        super(message, null);
        this.code = code;
    }

    /// Returns the kind of error, for programs.
    public MeshPlanError code() {
        return code;
    }

    /// The kinds of errors in a plan.
    public enum MeshPlanError {
        /// Fewer devices than the sizes ask for.
        TOO_FEW_DEVICES,
        /// More devices than the sizes fill, and idle ones were not allowed.
        SURPLUS_DEVICES,
        /// A size below 1, or more ranks than a mesh can have.
        BAD_SIZE,
        /// A name that is invalid or taken.
        BAD_NAME,
        /// A text that describes no mesh.
        BAD_TEXT,
        /// An order that leaves out a dimension or names one twice.
        BAD_ORDER,
        /// A dimension that the mesh does not have.
        UNKNOWN_DIMENSION,
        /// Dimensions that do not lie next to each other, or not in the mesh's order.
        NOT_CONTIGUOUS,
        /// Sizes whose product is not the one asked for.
        SHAPE_MISMATCH,
        /// A rank outside the mesh.
        RANK_OUT_OF_BOUNDS,
        /// A group that the mesh does not have.
        GROUP_NOT_FOUND,
        /// A group without ranks.
        EMPTY_GROUP,
        /// A group that names a rank twice.
        DUPLICATE_RANK,
        /// A group that talks much and lies on several hosts.
        CROSSES_HOSTS,
        /// Ranks that have different plans.
        PLANS_DIFFER
    }
}
