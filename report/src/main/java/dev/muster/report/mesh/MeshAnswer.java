// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.mesh;

import dev.muster.core.json.JsonValue;
import dev.muster.mesh.DeviceMesh;
import dev.muster.mesh.GroupFamily;
import dev.muster.mesh.MeshPlacement;
import dev.muster.report.terminal.Report;
import dev.muster.report.terminal.Terminal;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A mesh with its groups and placement. Immutable.
///
/// @param mesh the plan
/// @param shown families of groups to show
/// @param placed devices of its ranks; null if there are none to place it on
/// @param problem reason why it could not be placed; blank if it was, or if no devices exist
public record MeshAnswer(
        DeviceMesh mesh, List<GroupFamily> shown, @Nullable MeshPlacement placed, String problem) implements Report {
    /// Returns the devices of its ranks.
    public Optional<MeshPlacement> findPlacement() {
        return Optional.ofNullable(placed);
    }

    @Override
    public String text(Terminal terminal) {
        return MeshPlanText.of(this, terminal);
    }

    @Override
    public JsonValue json() {
        return MeshPlanJson.of(this);
    }
}
