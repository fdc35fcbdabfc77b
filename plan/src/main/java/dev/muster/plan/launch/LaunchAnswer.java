// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.launch;

import dev.muster.plan.answer.Shortfall;
import java.util.List;

/// The result of emitting a plan for a target.
///
/// @since 0.1
public sealed interface LaunchAnswer {
    /// A result if the target can run the plan.
    ///
    /// @param artifacts files that start it, the one to begin with first
    record Emitted(List<Artifact> artifacts) implements LaunchAnswer {
        public Emitted {
            artifacts = List.copyOf(artifacts);
        }
    }

    /// A result if the target cannot run the plan.
    ///
    /// @param reason the reason
    record Refused(Shortfall reason) implements LaunchAnswer {}
}
