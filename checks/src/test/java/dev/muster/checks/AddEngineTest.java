// SPDX-License-Identifier: Apache-2.0
package dev.muster.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Adds a serving engine as `docs/architecture.md` says.
class AddEngineTest {
    @TempDir
    private Path folder;

    @Test
    void aServingEngineIsAConstantAndData() throws Exception {
        ChangedSources changed = new ChangedSources(folder);
        changed.change(
                "ServingEngine.java",
                text -> text.replace(
                        "    /// SGLang.\n",
                        "    /// Acme.\n    ACME(\"acme\", \"Acme\", EnumSet.of(NVIDIA_HBM), Batching.CONTINUOUS,"
                                + " Reserve.byTrial(0.8)),\n    /// SGLang.\n"));
        changed.addRows("engine/acme.csv", "release,rule,on,value,source\n1.0,heads,,,its source\n");
        changed.addRows("simulate/schedulers.csv", "acme,1.0,0,,mixed,yes,4096,64,0,0,1,0,0,1,its source\n");
        changed.addRows(
                "simulate/scheduler-options.csv",
                "acme,token-budget,step-tokens,its source\nacme,sequences,batch,its source\n");
        changed.compile("ServingEngine");

        String machine = " --synthetic h100-sxm:2 --engine acme";
        assertThat(changed.run("plan llama-3.1-8b" + machine)).contains("Acme");
        assertThat(changed.run("simulate llama-3.1-8b --rate 2 --engine-options batch=32" + machine))
                .contains("Acme");

        Map<String, String> documented = ChangedSources.documented("To add a serving engine");
        String rows = String.join("\n", documented.values());
        assertThat(rows).contains("`engine/NAME.csv`", "`simulate/schedulers.csv`", "`simulate/scheduler-options.csv`");
        String engine = documented.keySet().stream()
                .filter(what -> what.startsWith("the engine: "))
                .map(documented::get)
                .collect(Collectors.joining());
        assertThat(ChangedSources.javaFiles(engine)).containsExactlyElementsOf(changed.sources());
    }
}
