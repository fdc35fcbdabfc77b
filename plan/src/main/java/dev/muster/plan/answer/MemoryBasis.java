// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.answer;

import java.util.Locale;

/// Which memory of a device a plan counts on.
///
/// @since 0.1
public enum MemoryBasis {
    /// What is free now.
    FREE,
    /// All that programs get of the device, as if nobody used it.
    TOTAL;

    /// The name on the command line and in documents.
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
