// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.plan;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.plan.ask.Naming;
import dev.muster.plan.launch.Artifact;
import dev.muster.plan.launch.LaunchAnswer;
import dev.muster.plan.launch.LaunchTarget;
import dev.muster.plan.launch.Launcher;
import dev.muster.report.sentence.Sentences;
import dev.muster.report.terminal.Report;
import dev.muster.report.terminal.Terminal;
import java.util.List;

/// The files that start a plan.
///
/// @param target the program that they are for
/// @param artifacts the files
public record LaunchText(LaunchTarget target, List<Artifact> artifacts) implements Report {
    private static final String YAML = "application/yaml";

    /// Returns one file as it is; several with a line before each, and documents of YAML as a stream of them.
    @Override
    public String text(Terminal terminal) {
        if (artifacts.size() == 1) {
            return artifacts.getFirst().text();
        }
        StringBuilder text = new StringBuilder();
        String before = "";
        for (Artifact artifact : artifacts) {
            boolean isStream = before.equals(YAML) && artifact.mediaType().equals(YAML);
            text.append(before.isEmpty() ? "" : isStream ? "---\n" : "\n");
            text.append("# ---- " + artifact.name() + " ----\n" + artifact.text());
            before = artifact.mediaType();
        }
        return text.toString();
    }

    @Override
    public JsonValue json() {
        return JsonObject.document("launch")
                .put("target", target.label())
                .put("version", Launcher.version(target))
                .put("artifacts", artifacts, LaunchText::json)
                .build();
    }

    /// Adds files, or the reason why there are none, to the document of a plan.
    public static void add(LaunchAnswer launch, JsonObject.ObjectBuilder document) {
        switch (launch) {
            case LaunchAnswer.Emitted emitted -> document.put("artifacts", emitted.artifacts(), LaunchText::json);
            case LaunchAnswer.Refused refused ->
                document.put("launchRefusal", Sentences.of(Naming.KEYS).reason(refused.reason()));
        }
    }

    private static JsonValue json(Artifact artifact) {
        return JsonObject.builder()
                .put("name", artifact.name())
                .put("mediaType", artifact.mediaType())
                .put("text", artifact.text())
                .build();
    }
}
