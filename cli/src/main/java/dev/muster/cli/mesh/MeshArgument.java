// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.mesh;

import dev.muster.cli.option.CommandException;
import dev.muster.cli.option.TextFile;
import dev.muster.cli.option.UsageException;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.mesh.MeshDimension;
import dev.muster.mesh.MeshPlanException;
import dev.muster.mesh.MeshSpec;
import dev.muster.report.plan.PlansText;
import dev.muster.report.text.Printable;
import java.io.File;
import java.util.ArrayList;
import java.util.List;

/// A mesh on the command line: sizes such as `tp=2,dp=4`, or a plan that was saved.
final class MeshArgument {
    private MeshArgument() {}

    /// Reads a mesh.
    ///
    /// @throws UsageException if the text describes none
    /// @throws CommandException if the file holds none
    static MeshSpec read(String text) {
        boolean isFile = text.endsWith(".json") || text.indexOf('/') >= 0 || new File(text).isFile();
        if (isFile) {
            return saved(text);
        }
        try {
            return MeshSpec.parse(text);
        } catch (MeshPlanException e) {
            throw new UsageException(Printable.of(e));
        }
    }

    /// Plans list axes with the outermost first; ranks count through the last one first.
    private static MeshSpec saved(String file) {
        PlansText.Saved plan = TextFile.readPlan(file, "write a mesh as sizes, such as tp=2,pp=2,dp=2");
        List<MeshDimension> dimensions = new ArrayList<>();
        if (plan.plan().plan().find("mesh").orElse(new JsonArray(List.of()))
                instanceof JsonArray(List<JsonValue> axes)) {
            axes.forEach(axis -> dimensions.addFirst(dimension(file, axis)));
        }
        if (dimensions.isEmpty()) {
            throw noMesh(file);
        }
        try {
            return MeshSpec.of(dimensions);
        } catch (MeshPlanException e) {
            throw new CommandException("'" + Printable.of(file) + "'", e);
        }
    }

    private static MeshDimension dimension(String file, JsonValue axis) {
        if (axis.find("axis").orElse(axis) instanceof JsonString(String name)
                && axis.find("size").orElse(axis) instanceof JsonNumber size
                && size.isWhole()) {
            try {
                return MeshDimension.of(name, size.toDecimal().longValueExact());
            } catch (ArithmeticException _) {
                throw noMesh(file);
            } catch (MeshPlanException e) {
                throw new CommandException("'" + Printable.of(file) + "'", e);
            }
        }
        throw noMesh(file);
    }

    private static CommandException noMesh(String file) {
        return new CommandException("'" + Printable.of(file) + "' is a plan without mesh axes");
    }
}
