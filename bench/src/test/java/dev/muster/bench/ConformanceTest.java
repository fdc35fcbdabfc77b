// SPDX-License-Identifier: Apache-2.0
package dev.muster.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.bench.conformance.Conformance;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConformanceTest {
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final Conformance conformance = new Conformance(new PrintStream(printed, true, StandardCharsets.UTF_8));

    @Test
    void answersEveryCommittedGolden() throws IOException {
        boolean clean = conformance.run(Path.of("src/test/resources/golden"));

        assertThat(clean).as(printed.toString(StandardCharsets.UTF_8)).isTrue();
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("accelerator 37/37", "constant 47/47", "profile 14/14", "registry 68/68")
                .contains("registry_from_json 27/27", "registry_pretty 7/7", "requirement 72/72")
                .contains("system_io 20/20", "what_if 37/37", "cli_detect 145/145")
                .contains("estimate_memory 78/78", "plan 1137/1137", "suggest_quantization 450/450")
                .contains("training 220/220");
    }

    @Test
    void aWrongAnswerFailsTheRun(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("wrong.jsonl"), """
                {"kind":"constant","input":{"name":"tpu","value":"V4"},"expected":{"display":"v4","hbm_per_chip_bytes":1}}
                """);

        assertThat(conformance.run(folder)).isFalse();
        assertThat(printed.toString(StandardCharsets.UTF_8)).contains("wrong.jsonl:1", "constant 0/1");
    }

    @Test
    void aFolderWithoutGoldensFailsTheRun(@TempDir Path folder) throws IOException {
        assertThat(conformance.run(folder)).isFalse();
    }
}
