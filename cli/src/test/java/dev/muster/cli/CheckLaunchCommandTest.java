// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckLaunchCommandTest {
    private final MusterRun pipe = MusterRun.inPipe();

    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void emit() throws IOException {
        Outcome emitted =
                pipe.run("plan", "llama-3.1-8b", "--emit", "vllm", "--concurrency", "16", "--synthetic", "h100-sxm:2");
        file = Files.writeString(folder.resolve("serve.sh"), emitted.out());
    }

    @Test
    void theMachineOfThePlanFits() {
        Outcome outcome = pipe.run("check-launch", file.toString(), "--synthetic", "h100-sxm:2");
        assertThat(outcome.code()).isZero();
        assertThat(outcome.out())
                .contains("PASS  count", "PASS  memory", "PASS  device")
                .doesNotContain("FAIL");
    }

    @Test
    void anotherMachineDoesNotAndSaysWhy() {
        Outcome outcome = pipe.run("check-launch", file.toString(), "--synthetic", "l40s:1", "--json");
        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.out()).contains("\"kind\":\"check\"", "\"passed\":false", "\"id\":\"device\"");
    }

    @Test
    void aFileThatWasNotEmittedIsRefused() throws IOException {
        Files.writeString(file, "#!/bin/sh\nvllm serve\n");
        Outcome outcome = pipe.run("check-launch", file.toString(), "--synthetic", "h100-sxm:2");
        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.err()).contains("no launch line");
        assertThat(pipe.run("check-launch").code()).isEqualTo(2);
    }
}
