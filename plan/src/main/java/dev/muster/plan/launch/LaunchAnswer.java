// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.launch;

import java.util.List;

/// What came of handing a plan to a target.
///
/// @since 0.1
public sealed interface LaunchAnswer {
    /// The target can run the plan.
    ///
    /// @param artifacts what starts it, the file to begin with first
    record Emitted(List<Artifact> artifacts) implements LaunchAnswer {
        /// Copies the list.
        public Emitted {
            artifacts = List.copyOf(artifacts);
        }
    }

    /// It cannot.
    ///
    /// @param reason why, and what to do, in a sentence for people
    record Refused(String reason) implements LaunchAnswer {}
}
