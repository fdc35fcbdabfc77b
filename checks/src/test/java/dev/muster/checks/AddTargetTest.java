// SPDX-License-Identifier: Apache-2.0
package dev.muster.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Adds a launch target as `docs/architecture.md` says.
class AddTargetTest {
    private static final String TEMPLATE = """
            command,part,name,value,when,why
            serve,run,all,acme serve,,
            serve,option,--model,{model},,
            serve,option,--tp,{tensor},,tensor parallel over {tensor} devices
            """;

    @TempDir
    private Path folder;

    @Test
    void aTargetIsAConstantAndItsTables() throws Exception {
        ChangedSources changed = new ChangedSources(folder);
        changed.change(
                "LaunchTarget.java",
                text -> text.replace(
                        "    /// TensorRT-LLM.\n",
                        "    /// Acme.\n    ACME(\"acme\", \"Acme\", LaunchKind.SERVING),\n    /// TensorRT-LLM.\n"));
        changed.addRows("launch/targets.csv", "acme,1.0,,its manual,2026-11-18\n");
        changed.addRows("launch/acme-1.0.csv", TEMPLATE);
        changed.compile("LaunchTarget");

        assertThat(changed.run("plan llama-3.1-8b --synthetic h100-sxm:2 --goal latency --concurrency 1 --emit acme"))
                .contains("acme serve", "--model meta-llama/Llama-3.1-8B", "--tp 2: tensor parallel over 2 devices");

        Map<String, String> documented = ChangedSources.documented("To add an emit target");
        String row = documented.getOrDefault("serves or trains", "");
        assertThat(ChangedSources.javaFiles(row)).containsExactlyElementsOf(changed.sources());
        assertThat(row).contains("`targets.csv`", "`NAME-VERSION.csv`");
    }
}
