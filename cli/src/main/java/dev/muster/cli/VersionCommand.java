package dev.muster.cli;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.RegistryDocument;
import java.util.List;

/// `muster version`.
final class VersionCommand implements Command {
    private final String javaVersion;

    VersionCommand(String javaVersion) {
        this.javaVersion = javaVersion;
    }

    @Override
    public CommandSpec spec() {
        return new CommandSpec("version", "show the version", "", 0, List.of(), List.of(), List.of(), List.of());
    }

    @Override
    public int run(Arguments arguments, Session session) {
        OutputFormat format = OutputFormat.ofReport(arguments);
        session.print(
                switch (format) {
                    case JSON, YAML -> Report.of(json(), format, session.terminal());
                    case TABLE, WIDE, CSV, TSV, NAME -> "muster " + Version.TEXT + " (Java " + javaVersion + ")\n";
                });
        return ExitCode.OK;
    }

    private JsonValue json() {
        return JsonObject.builder()
                .put("schema", 1)
                .put("kind", "version")
                .put("version", Version.TEXT)
                .put("registrySchema", RegistryDocument.SCHEMA)
                .put("java", javaVersion)
                .build();
    }
}
