// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.testing.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// The resources that a store made in this process: threads of both kinds, and descriptors of sockets and files.
///
/// @param threads names of threads that a store started
/// @param descriptors targets of descriptors
record Resources(List<String> threads, List<String> descriptors) {
    static Resources now(Path folder) {
        return new Resources(storeThreads(folder), storeDescriptors(folder));
    }

    /// Holds after everything that was opened since has been closed.
    void assertSameNow(Path folder) {
        Resources now = now(folder);
        assertThat(now.threads).as("threads").isEqualTo(threads);
        assertThat(now.descriptors).as("descriptors").hasSameSizeAs(descriptors);
    }

    /// Only a dump of threads into a file lists virtual ones, too.
    private static List<String> storeThreads(Path folder) {
        Path dump = folder.resolve("threads-" + System.nanoTime());
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        String pid = Long.toString(ProcessHandle.current().pid());
        try {
            Process process = new ProcessBuilder(jcmd, pid, "Thread.dump_to_file", dump.toString())
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            assertThat(process.waitFor(Waiting.seconds(60), TimeUnit.SECONDS)).isTrue();
            List<String> lines = Files.readAllLines(dump);
            assertThat(lines).hasSizeGreaterThan(10);
            Files.delete(dump);
            return lines.stream()
                    .filter(line -> line.startsWith("#") && line.contains("\"muster-store-"))
                    .map(line -> line.replaceAll("^[^\"]*\"([^\"]*)\".*", "$1"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> storeDescriptors(Path folder) {
        List<String> found = new ArrayList<>();
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            for (Path descriptor : descriptors.toList()) {
                String target = target(descriptor);
                if (target.startsWith("socket:") || target.startsWith(folder.toString())) {
                    found.add(target);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    private static String target(Path descriptor) throws IOException {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (NoSuchFileException _) {
            return "";
        }
    }
}
