// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.json.RegistryDocument;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.host.CommandLimits;
import dev.muster.detect.host.CommandOutcome;
import dev.muster.detect.host.HostCommands;
import dev.muster.detect.host.Tool;
import dev.muster.fleet.FleetException;
import dev.muster.fleet.HostReport;
import dev.muster.fleet.SourceKind;
import dev.muster.fleet.SourceReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/// The commands for hosts and their answers; `scripts/check-fleet-ssh` has real ones.
class SshSourceTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final String DOCUMENT =
            RegistryDocument.write(AcceleratorRegistry.of(List.of(AcceleratorProfile.cuda(0, Bytes.ofGib(80)))));
    private static final CommandOutcome NO_MUSTER = done(127, "", "sh: 1: muster: not found\n");

    private final List<List<String>> sent = new CopyOnWriteArrayList<>();

    private static CommandOutcome done(int code, String output, String error) {
        return new CommandOutcome.Completed(code, output, error, Duration.ZERO, false);
    }

    /// The answer of a host to a command.
    private interface Answer {
        CommandOutcome to(String host, List<String> words) throws InterruptedException;
    }

    private SourceReport read(String list, Duration limit, Answer answer) {
        HostCommands ssh = new HostCommands() {
            @Override
            public Optional<String> findPath(Tool tool) {
                return Optional.of("/usr/bin/" + tool.name());
            }

            @Override
            public CommandOutcome run(Tool tool, List<String> arguments, CommandLimits limits) {
                assertThat(tool.name()).isEqualTo("ssh");
                sent.add(arguments);
                int end = arguments.indexOf("--");
                try {
                    return answer.to(arguments.get(end + 1), arguments.subList(end + 2, arguments.size()));
                } catch (InterruptedException _) {
                    Thread.currentThread().interrupt();
                    return new CommandOutcome.Failed("interrupted");
                }
            }
        };
        return SshSource.of(
                        list,
                        List.of("-F", "/c"),
                        ssh,
                        InstantSource.fixed(Instant.EPOCH),
                        System.getLogger("dev.muster.test"))
                .read(limit);
    }

    private static List<String> names(SourceReport report) {
        return report.hosts().stream().map(HostReport::name).toList();
    }

    @Test
    void musterThereIsAskedFirst() {
        SourceReport report = read("me@n[1-2]", LIMIT, (_, _) -> done(0, "Welcome!\n" + DOCUMENT, "a warning\n"));
        assertThat(names(report)).containsExactly("n1", "n2");
        assertThat(report.kind()).isEqualTo(SourceKind.HOST);
        assertThat(report.gaps()).isEmpty();
        assertThat(sent).hasSize(2).allSatisfy(words -> {
            assertThat(words)
                    .startsWith("-F", "/c", "-l", "me", "-T")
                    .contains("BatchMode=yes", "StrictHostKeyChecking=yes", "ConnectTimeout=9")
                    .doesNotContain("-t");
            assertThat(words.subList(words.indexOf("--") + 2, words.size()))
                    .startsWith("muster", "detect", "--json", "--timeout")
                    .last()
                    .asString()
                    .matches("1[0-9]{4}ms");
        });
    }

    @Test
    void withoutMusterToolsAreAsked() {
        SourceReport report = read("n1,ok", LIMIT, (host, words) -> switch (words.getFirst()) {
            case "muster" -> host.equals("ok") ? done(0, DOCUMENT, "") : NO_MUSTER;
            case "ls" -> done(2, "/usr/bin/nvidia-smi\n/opt/elsewhere/rocm-smi\n", "ls: cannot access\n");
            default -> done(9, "", "NVIDIA-SMI has failed\n");
        });
        // A tool that failed does not prove that the host has no device.
        assertThat(names(report)).containsExactly("ok");
        assertThat(report.gaps())
                .extracting(Gap::display)
                .anyMatch(text -> text.startsWith("ssh n1: nvidia-smi: exited with code 9"));
        List<List<String>> runs =
                sent.stream().filter(words -> words.contains("timeout")).toList();
        assertThat(runs).isNotEmpty().allSatisfy(words -> {
            List<String> there = words.subList(words.indexOf("--") + 2, words.size());
            assertThat(there.getFirst()).isEqualTo("timeout");
            assertThat(there.subList(2, 5)).containsExactly("env", "LC_ALL=C", "/usr/bin/nvidia-smi");
            assertThat(there).allMatch(word -> word.matches("[A-Za-z0-9._/=:,%@+-]+"));
        });
    }

    @Test
    void toolsTellOfDevicesAlone() throws IOException {
        Path recorded = Path.of("../detect/src/test/resources/fixtures/nvidia/h200-microvm");
        String devices = Files.readString(recorded.resolve("nvidia-smi-q.xml"));
        String topology = Files.readString(recorded.resolve("nvidia-smi-topo.txt"));
        SourceReport report = read("n1", LIMIT, (_, words) -> switch (words.getFirst()) {
            case "muster" -> NO_MUSTER;
            case "ls" -> done(2, "/usr/bin/nvidia-smi\n", "");
            default -> done(0, words.contains("-x") ? devices : words.contains("topo") ? topology : "", "");
        });
        assertThat(report.gaps()).isEmpty();
        assertThat(report.hosts().getFirst().registry().profiles())
                .singleElement()
                .extracting(device -> device.reading(DeviceFact.DEVICE_NAME).find())
                .isEqualTo(Optional.of("NVIDIA H200"));
    }

    @Test
    @SuppressWarnings("StatementSwitchToExpressionSwitch") // one case waits before it answers
    void hostsThatSayNothingAreGaps() throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        SourceReport report = read("ok,refused,bare,broken,hangs,late", Duration.ofSeconds(3), (host, words) -> {
            switch (host) {
                case "refused":
                    return done(255, "", "banner\nssh: connect to host refused port 22: Connection refused\r\n");
                case "bare":
                    return words.getFirst().equals("ls") ? done(2, "", "ls: cannot access\n") : NO_MUSTER;
                case "broken":
                    return words.getFirst().equals("ls") ? done(2, "", "") : done(0, "{\"kind\":\"cat\"}", "");
                case "hangs":
                    return new CommandOutcome.Expired(Duration.ofSeconds(2));
                case "late":
                    never.await();
                    return NO_MUSTER;
                default:
                    return done(0, DOCUMENT, "");
            }
        });
        assertThat(names(report)).containsExactly("ok");
        assertThat(report.gaps())
                .extracting(Gap::display)
                .satisfiesExactly(
                        refused -> assertThat(refused)
                                .isEqualTo("ssh refused: exited with code 255 — ssh: connect to host refused port 22:"
                                        + " Connection refused"),
                        bare -> assertThat(bare)
                                .startsWith("ssh bare: exited with code 127 — there is neither muster nor"),
                        broken ->
                                assertThat(broken).contains("ssh broken").contains("what 'muster detect' prints there"),
                        hangs -> assertThat(hangs).isEqualTo("ssh hangs: timed out after 2.0s"),
                        late -> assertThat(late).isEqualTo("ssh late: timed out after 3.0s"));
    }

    @Test
    void noHostAtAllIsAFailure() {
        assertThatThrownBy(() -> read("n[1-9]", LIMIT, (_, _) -> done(255, "", "Host key verification failed.\n")))
                .isInstanceOf(FleetException.class)
                .hasMessageContaining("no host answers: ssh n1: exited with code 255 — Host key verification failed.")
                .hasMessageEndingWith("; …");
    }

    @Test
    void wordsThatAShellCouldReadAreRefused() {
        SshConnection connection = new SshConnection(HostCommands.NONE, List.of(), "n1", LIMIT);
        for (String word : List.of("a b", "$(id)", "a;b", "`id`", "a'b", "*", "~", "a\nb", "=ls", "", "a|b", "é")) {
            assertThat(connection.run(List.of("ls", word), CommandLimits.of(LIMIT)))
                    .as(word)
                    .isInstanceOf(CommandOutcome.NotRun.class);
        }
        assertThat(connection.run(List.of("ls", "--format=csv,noheader"), CommandLimits.of(LIMIT)))
                .isInstanceOf(CommandOutcome.NotFound.class);
    }
}
