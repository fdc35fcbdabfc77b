// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.cost;

import java.util.Locale;

/// The memory of a device that a plan counts on.
///
/// @since 0.1
public enum MemoryBasis {
    /// The free memory.
    FREE,
    /// All memory for programs, as if the device were idle.
    TOTAL;

    /// Returns the name on the command line and in documents.
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
