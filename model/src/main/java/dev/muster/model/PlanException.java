// SPDX-License-Identifier: Apache-2.0
package dev.muster.model;

import java.io.Serial;

/// What this module cannot read or do. The message is one sentence for people: what is wrong, where, and what to do.
///
/// @since 0.1
public abstract class PlanException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /// An exception of one of the packages.
    protected PlanException(String message) {
        super(message);
    }
}
