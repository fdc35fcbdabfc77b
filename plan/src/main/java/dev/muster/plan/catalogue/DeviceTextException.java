// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.catalogue;

import dev.muster.model.PlanException;
import java.io.Serial;

/// A description of devices or hosts that cannot be parsed. The message is one sentence: the place, the problem, and
/// what to do.
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

    /// Returns the position of the error in the text, from 1.
    public int position() {
        return position;
    }
}
