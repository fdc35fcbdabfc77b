// SPDX-License-Identifier: Apache-2.0
package dev.muster.checks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.testing.Needs;
import dev.muster.testing.Program;
import dev.muster.testing.SkippedTests;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/// Requirements of tests on the machine, declared in one way, and the report of tests that were not run.
class NeedsTest {
    private static final Pattern OTHER_WAYS =
            Pattern.compile("(?m)^import .*(jupiter\\.api\\.condition\\.|api\\.Assumptions|TestAbortedException)");
    private static final Pattern PROGRAM = Pattern.compile("(?:programs = |Program\\.require\\()\"([^\"]+)\"");

    /// Run by the launcher below alone.
    static final class Samples {
        @Test
        void runs() {}

        @Test
        @Needs(programs = "no-such-program")
        void needsAProgram() {
            assertThat(Program.find("no-such-program")).as("it is not to run").isPresent();
        }

        @Test
        void learnsWhatItNeeds() {
            assertThat(Program.require("moon")).exists();
        }
    }

    @Test
    void whatWasNotRunIsCountedByWhatItNeeds() {
        List<String> said = new ArrayList<>();
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectClass(Samples.class))
                .build();
        LauncherConfig alone = LauncherConfig.builder()
                .enableTestExecutionListenerAutoRegistration(false)
                .build();
        SkippedTests listener = new SkippedTests(said::add);
        LauncherFactory.create(alone).execute(request, listener);
        LauncherFactory.create(alone).execute(request, listener);
        String once = """
                !!! NOT RUN: 2 tests
                !!!   1: needs moon
                !!!   1: needs no-such-program""";
        assertThat(said).as("each plan speaks of itself").containsExactly(once, once);
    }

    @Test
    void thereIsNoOtherWay() throws IOException {
        assertThat(sources().filter(file -> OTHER_WAYS.matcher(read(file)).find()))
                .as("use dev.muster.testing.Needs")
                .isEmpty();
    }

    @Test
    void everyProgramHasAPackage() throws IOException {
        Set<String> known = Files.readAllLines(Path.of("../scripts/lib/packages.txt")).stream()
                .map(line -> line.split(" ", 2)[0])
                .collect(Collectors.toSet());
        Set<String> needed = new TreeSet<>();
        sources().filter(file -> !file.endsWith("NeedsTest.java")).forEach(file -> {
            Matcher matcher = PROGRAM.matcher(read(file));
            while (matcher.find()) {
                needed.add(matcher.group(1));
            }
        });
        assertThat(needed).hasSizeGreaterThan(5);
        assertThat(known).containsAll(needed);
    }

    private static Stream<Path> sources() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of(".."))) {
            return files
                    .filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> file.toString().replace('\\', '/').contains("/src/test/java/"))
                    .toList()
                    .stream();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
