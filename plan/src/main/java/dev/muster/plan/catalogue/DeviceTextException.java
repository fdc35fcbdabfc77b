// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.catalogue;

import dev.muster.model.PlanException;
import java.io.Serial;

/// A text that describes devices or hosts and cannot be understood. The message is one sentence for people: where,
/// what, and what to do.
///
/// @since 0.1
public final class DeviceTextException extends PlanException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final int position;

    DeviceTextException(int position, String what) {
        super("character " + position + ": " + what);
        this.position = position;
    }

    /// The character of the text at which it stops making sense, from 1.
    public int position() {
        return position;
    }
}
