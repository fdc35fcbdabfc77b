// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.option.ExitCode;
import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonBoolean;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/// Every command has the same opinion of a faulty machine.
class SickMachinesTest {
    private static final int GPUS = 4;

    @TempDir
    private Path folder;

    private Outcome run(String... words) {
        List<String> line = new ArrayList<>(List.of(words));
        line.add("--host");
        line.add(folder.toString());
        return MusterRun.inPipe().run(line);
    }

    @ParameterizedTest(name = "{0}")
    @CsvFileSource(
            files = "src/test/resources/fixtures/sick/machines__synthetic.csv",
            useHeadersInDisplayName = true,
            emptyValue = "")
    void allCommandsAgree(String name, String edit, String faulty, String state, String check, String advice)
            throws IOException, DocumentException {
        new SickMachine(folder).edit(edit == null ? "" : edit).save();
        List<String> ids = faulty == null ? List.of() : List.of(faulty.split(" "));

        assertThat(unusable()).as("detect --json").containsExactlyElementsOf(divided(state) ? List.of() : ids);
        for (String id : ids) {
            assertThat(run("devices", "--device", id, "--fields", "state", "--no-header")
                            .out()
                            .strip())
                    .as("devices")
                    .isEqualTo(state);
            assertThat(run("plan", "llama-3.1-8b").err()).as("plan").contains(id + " ");
        }
        assertThat(checkPasses(GPUS - ids.size())).as("check").isTrue();
        assertThat(checkPasses(GPUS - ids.size() + 1)).as("check of one more").isFalse();
        assertThat(run("plan", "llama-3.1-8b").out())
                .as("plan")
                .contains(ids.size() == GPUS ? "cpu:0" : " of " + (GPUS - ids.size()) + " x H100");
        JsonObject finding = finding(check == null ? "device.available" : check);
        assertThat(text(finding, "status")).as("doctor").isEqualTo(status(check, state));
        assertThat(text(finding, "next")).contains(advice == null ? "" : advice);
    }

    private static boolean divided(String state) {
        return state != null && state.equals("divided");
    }

    private static String status(String check, String state) {
        if (check == null) {
            return "pass";
        }
        return state == null || state.equals("hidden") || state.equals("divided") ? "warn" : "fail";
    }

    private boolean checkPasses(int count) {
        return run("check", "--requirement", "gpu", "--count", Integer.toString(count))
                        .code()
                == ExitCode.OK;
    }

    private List<String> unusable() throws DocumentException {
        List<String> ids = new ArrayList<>();
        for (JsonValue device : list(JsonValue.parse(run("detect", "--json").out()), "devices")) {
            JsonObject object = (JsonObject) device;
            if (object.members().get("usable") instanceof JsonBoolean usable && !usable.value()) {
                ids.add(text(object, "id"));
            }
        }
        return ids;
    }

    private JsonObject finding(String id) throws DocumentException {
        for (JsonValue finding : list(JsonValue.parse(run("doctor", "--json").out()), "checks")) {
            if (text((JsonObject) finding, "id").equals(id)) {
                return (JsonObject) finding;
            }
        }
        throw new AssertionError("no finding " + id);
    }

    private static List<JsonValue> list(JsonValue document, String key) {
        return document.requireItems(key);
    }

    private static String text(JsonObject object, String key) {
        return object.members().get(key) instanceof JsonString(String value) ? value : "";
    }

    @Test
    void aLinkThatIsDownLeavesTheSwitchOne() throws IOException {
        new SickMachine(folder).edit("link 3 5").save();

        assertThat(run("detect").out()).contains("NVSwitch (4 GPUs)");
        assertThat(run("check", "--requirement", "gpu", "--count", "3", "--link", "nvlink")
                        .code())
                .isEqualTo(ExitCode.OK);
    }
}
