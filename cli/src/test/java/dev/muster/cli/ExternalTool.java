// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/// Programs of this machine that judge our output.
final class ExternalTool {
    private static final int DEADLINE_SECONDS = 20;

    private ExternalTool() {}

    /// What a program said, both streams together, and its exit code.
    record Result(int code, String output) {}

    /// Skips the test, loudly, where a program is not installed.
    static void require(String program, String consequence) {
        if (!isThere(program, consequence)) {
            Assumptions.abort("NOT TESTED: " + program + " is not installed here; " + consequence);
        }
    }

    /// Says loudly where a program is not installed.
    static boolean isThere(String program, String consequence) {
        boolean installed = Arrays.stream(
                        System.getenv().getOrDefault("PATH", "").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
        if (!installed) {
            System.out.println("!!! NOT TESTED: " + program + " is not installed here; " + consequence);
        }
        return installed;
    }

    static Result run(List<String> line) throws IOException, InterruptedException {
        return run(line, Map.of());
    }

    /// Runs a program with a UTF-8 locale and some more variables.
    static Result run(List<String> line, Map<String, String> environment) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
        builder.environment().put("LC_ALL", "C.UTF-8");
        builder.environment().remove("JAVA_TOOL_OPTIONS"); // Java announces it on standard error
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException(line + " did not end");
        }
        return new Result(process.exitValue(), output);
    }
}
