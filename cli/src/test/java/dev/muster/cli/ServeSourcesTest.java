// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.option.ExitCode;
import dev.muster.core.json.JsonValue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `serve --source`: a server that follows a fleet.
class ServeSourcesTest {
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static String freeAddress() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return "127.0.0.1:" + socket.getLocalPort();
        }
    }

    private static JsonValue fleet(String address) {
        try (var body =
                URI.create("http://" + address + "/api/v1/fleet").toURL().openStream()) {
            return JsonValue.parse(body.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Returns the fleet of a server once the condition holds, and stops the server.
    private static JsonValue served(Predicate<JsonValue> wanted, String... sources) throws IOException {
        String address = freeAddress();
        List<JsonValue> seen = new ArrayList<>();
        MusterRun run = MusterRun.inPipe().withPause(_ -> {
            long end = System.nanoTime() + LIMIT_NANOS;
            do {
                seen.add(fleet(address));
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            } while (!wanted.test(seen.getLast()) && System.nanoTime() < end);
            return false;
        });
        List<String> words =
                new ArrayList<>(List.of("serve", "--listen", address, "--no-token", "--synthetic", "h100-sxm:1"));
        for (String source : sources) {
            words.addAll(List.of("--source", source));
        }
        Outcome outcome = run.run(words);
        assertThat(outcome.code()).as(outcome.err()).isEqualTo(ExitCode.OK);
        assertThat(outcome.out()).contains(address.substring(address.indexOf(":")) + "/");
        assertThat(wanted.test(seen.getLast())).as(seen.getLast().toText()).isTrue();
        return seen.getLast();
    }

    @Test
    void aFleetIsServed(@TempDir Path folder) throws IOException {
        JsonValue fleet = served(
                document -> !document.requireItems("hosts").isEmpty()
                        && document.toText().contains("file not found"),
                "synthetic:3xh100-sxm:4,seed=1",
                "file:" + folder.resolve("none.json"));
        assertThat(fleet.requireText("kind")).isEqualTo("fleet-summary");
        assertThat(fleet.requireItems("hosts")).hasSize(3);
        assertThat(fleet.requireItems("sources")).hasSize(2);
        assertThat(fleet.requireItems("sources").getFirst().toText()).doesNotContain("failure");
    }

    @Test
    void withoutSourcesThereIsNoFleet() throws IOException {
        JsonValue fleet = served(_ -> true);
        assertThat(fleet.requireItems("hosts")).isEmpty();
        assertThat(fleet.requireItems("sources")).isEmpty();
    }

    @Test
    void whatIsNoSourceIsRefusedInOneSentence() {
        MusterRun pipe = MusterRun.inPipe();
        for (String source : List.of("slurn", "file:", "slurm:nowhere", "synthetic:x", "muster:n1", "prometheus:")) {
            Outcome outcome = pipe.run("serve", "--listen", "127.0.0.1:0", "--source", source);
            assertThat(outcome.code()).as(source).isEqualTo(ExitCode.USAGE);
            assertThat(outcome.err().lines()).as(source).hasSize(1);
            assertThat(outcome.err()).as(source).contains("--source");
            assertThat(outcome.out()).as(source).isEmpty();
        }
        Outcome twice = pipe.run("serve", "--listen", "127.0.0.1:0", "--source", "slurm", "--source", "slurm");
        assertThat(twice.code()).isEqualTo(ExitCode.USAGE);
        assertThat(twice.err()).contains("two sources are called slurm");
    }
}
