// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.option.ExitCode;
import dev.muster.cli.session.Command;
import dev.muster.cli.session.ReportPrinter;
import dev.muster.cli.session.Session;
import dev.muster.cli.session.Version;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.RegistryDocument;

/// `muster version`.
record VersionCommand(String javaVersion) implements Command {
    @Override
    public CommandTitle title() {
        return CommandTitle.of("version", "show the version").recordedBy("version");
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of(title()).askingNoMachine();
    }

    @Override
    public int run(Arguments arguments, Session session) {
        ReportPrinter.print(
                arguments, session, this::json, _ -> "muster " + Version.TEXT + " (Java " + javaVersion + ")\n");
        return ExitCode.OK;
    }

    private JsonValue json() {
        return JsonObject.document("version")
                .put("version", Version.TEXT)
                .put("registrySchema", RegistryDocument.SCHEMA)
                .put("java", javaVersion)
                .build();
    }
}
