// SPDX-License-Identifier: Apache-2.0
package dev.muster.model;

import java.io.Serial;

/// The root of the exceptions of this module and of the planner. The message is one sentence for people: what is
/// wrong, where, and what to do.
///
/// @since 0.1
public abstract class PlanException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /// Creates an exception with a message.
    protected PlanException(String message) {
        super(message);
    }
}
