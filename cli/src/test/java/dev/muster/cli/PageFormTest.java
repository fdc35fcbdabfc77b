// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.plan.ask.Parameter;
import dev.muster.plan.ask.QuestionKind;
import dev.muster.testing.Needs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageFormTest {
    private static final Path SCRIPT = Path.of("../server/src/main/resources/dev/muster/server/page/question.js")
            .toAbsolutePath();
    private static final int QUESTIONS = 500;

    /// The script itself, by an engine for JavaScript.
    @Test
    @Needs(programs = "node")
    void theScriptOfThePageMakesTheSameBodies(@TempDir Path folder) throws IOException, InterruptedException {
        DrawnQuestion.Source source = new DrawnQuestion.Source();
        List<JsonValue> forms = new ArrayList<>();
        List<String> bodies = new ArrayList<>();
        for (int i = 0; i < QUESTIONS; i++) {
            DrawnQuestion drawn = source.draw();
            PageForm form = new PageForm(JsonObject.builder()
                    .put("properties", properties(drawn.kind()))
                    .build());
            forms.add(JsonObject.builder()
                    .put("schema", form.schema())
                    .put("texts", texts(drawn.texts()))
                    .build());
            bodies.add(form.body(drawn.texts()).toText());
        }
        Path input = folder.resolve("forms.json");
        Files.writeString(
                input, JsonObject.builder().put("forms", forms).build().toText());
        Path script = folder.resolve("run.mjs");
        Files.copy(SCRIPT, folder.resolve("question.mjs"));
        Files.writeString(script, """
                import {readFileSync} from "node:fs";
                import {question} from "./question.mjs";
                for (const {schema, texts} of JSON.parse(readFileSync(process.argv[2], "utf8")).forms) {
                  console.log(JSON.stringify(question(schema, texts)));
                }
                """);
        Process node = new ProcessBuilder("node", script.toString(), input.toString())
                .redirectErrorStream(true)
                .start();
        String made = new String(node.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(node.waitFor()).as(made).isZero();
        assertThat(made.lines().map(line -> JsonValue.parse(line).toText())).containsExactlyElementsOf(bodies);
    }

    private static JsonObject properties(QuestionKind kind) {
        JsonObject.ObjectBuilder properties = JsonObject.builder()
                .put("model", JsonObject.builder().put("type", "string").build());
        for (Parameter<?> parameter : kind.parameters()) {
            properties.put(parameter.key(), parameter.schema());
        }
        return properties.build();
    }

    private static JsonObject texts(Map<String, Object> texts) {
        JsonObject.ObjectBuilder object = JsonObject.builder();
        texts.forEach((key, text) -> {
            if (text instanceof Boolean isOn) {
                object.put(key, isOn);
            } else {
                object.put(key, String.valueOf(text));
            }
        });
        return object.build();
    }
}
