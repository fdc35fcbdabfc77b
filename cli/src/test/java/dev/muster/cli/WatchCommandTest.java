// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.option.ExitCode;
import dev.muster.cli.session.Pause;
import dev.muster.core.json.RegistryDocument;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WatchCommandTest {
    private static final String TWO_GPUS = """
            {"schema":1,"kind":"registry","devices":[
            {"accelerator":"cuda","index":0,"deviceName":"Small","memoryTotalBytes":8589934592,"memoryFreeBytes":FREE0},
            {"accelerator":"cuda","index":1,"deviceName":"Large","memoryTotalBytes":17179869184,"memoryFreeBytes":FREE1}]}
            """;

    @TempDir
    Path folder = Path.of("");

    private final List<Duration> waits = new ArrayList<>();

    @Test
    void defect53_aChangeStandsBesideItsDeviceHoweverTheTableIsSorted() {
        Outcome outcome = watch(
                List.of(registry(8, 16), registry(8, 4)), "--count", "2", "--sort", "mem", "--fields", "id,name,use");

        String second = outcome.out().substring(outcome.out().indexOf("CHANGE"));
        assertThat(second.lines().skip(1).limit(2))
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("cuda:1").contains("-12.0 GiB"),
                        line -> assertThat(line)
                                .startsWith("cuda:0")
                                .doesNotContain("GiB  +")
                                .doesNotContain("-"));
    }

    @Test
    void defect53_aChangeTooSmallToShowIsNotShown() {
        String slightly = TWO_GPUS.replace("FREE0", "8589934592").replace("FREE1", "17179869000");

        assertThat(watch(List.of(registry(8, 16), slightly), "--count", "2").out())
                .doesNotContain("CHANGE")
                .doesNotContain("0.0 GiB ");
    }

    @Test
    void itWaitsBetweenLooksAndNotAfterTheLast() {
        watch(List.of(registry(8, 16), registry(8, 16), registry(8, 16)), "--count", "3", "--interval", "1.5s");

        assertThat(waits).containsExactly(Duration.ofMillis(1500), Duration.ofMillis(1500));
    }

    @Test
    void anAlertIsGivenOnStandardErrorAndInTheExitCode() {
        Outcome outcome =
                watch(List.of(registry(8, 16), registry(0, 16)), "--count", "2", "--alert", "memory>90%", "-o", "json");

        assertThat(outcome.code()).isEqualTo(ExitCode.NO);
        assertThat(outcome.err()).isEqualTo("muster: alert: cuda:0 memory 100 % > 90 %\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "memory>70%         | cuda:0 memory 75 % > 70 %",
                "mem > 70           | cuda:0 memory 75 % > 70 %",
                "memory>=6GiB       | cuda:0 memory 6.0 GiB >= 6.0 GiB",
                "free<3GiB          | cuda:0 free 2.0 GiB < 3.0 GiB",
                "free<=25%          | cuda:0 free 25 % <= 25 %",
                "temperature>80C    | cuda:0 temperature 85.5 C > 80 C",
                "power>650W         | cuda:0 power 688 W > 650 W",
                "power>98%          | cuda:0 power 98.3 % > 98 %",
                "utilization>=100%  | cuda:0 load 100 % >= 100 %"
            })
    void alertsHaveAFactASignAndALimitWithItsUnit(String rule, String said) {
        String busy = """
                {"schema":1,"kind":"registry","devices":[{"accelerator":"cuda","index":0,
                "memoryTotalBytes":8589934592,"memoryFreeBytes":2147483648,"temperatureCelsius":85.5,"powerWatts":688,
                "powerLimitWatts":700,"utilizationRatio":1},{"accelerator":"intel-npu","index":0}]}
                """;

        assertThat(watch(List.of(busy), "--count", "1", "--alert", rule).err())
                .isEqualTo("muster: alert: " + said + "\n");
    }

    @Test
    void severalAlertsStandBetweenCommas() {
        assertThat(watch(List.of(registry(1, 1)), "--count", "1", "--alert", "memory>80%,free<1.5GiB")
                        .err())
                .hasLineCount(4);
    }

    @Test
    void defect56_jsonIsOneRegistryOnEachLine() {
        Outcome outcome = watch(List.of(registry(8, 16), registry(8, 4)), "--count", "2", "-o", "json");

        assertThat(outcome.quietOutput().lines())
                .hasSize(2)
                .allSatisfy(line -> assertThat(RegistryDocument.read(line.getBytes(StandardCharsets.UTF_8))
                                .profiles())
                        .hasSize(2));
    }

    @Test
    void aPipeGetsNoCursorMovements() {
        assertThat(watch(List.of(registry(8, 16), registry(8, 4)), "--count", "2")
                        .quietOutput())
                .doesNotContain("\u001b");
    }

    @Test
    void aTerminalIsDrawnOverAndItsCursorNeverHidden() {
        Path file = folder.resolve("box.json");
        write(file, registry(8, 16));
        String out = MusterRun.onTerminal(100)
                .withPause(_ -> true)
                .run("watch", "--registry", file.toString(), "--count", "2")
                .quietOutput();

        assertThat(out)
                .startsWith("\u001b[2J\u001b[H")
                .contains("\u001b[J\u001b[H")
                .doesNotContain("?25");
    }

    @Test
    void aDumbTerminalIsNotDrawnOver() {
        Path file = folder.resolve("box.json");
        write(file, registry(8, 16));

        assertThat(MusterRun.onTerminal(100)
                        .withEnvironment("TERM", "dumb")
                        .run("watch", "--registry", file.toString(), "--count", "1")
                        .quietOutput())
                .doesNotContain("\u001b");
    }

    @Test
    void itFollowsTheWidthOfTheTerminal() {
        String out = onScreens(List.of(120, 120, 60), "--count", "3");

        String[] looks = out.split("\u001b\\[H", -1);
        assertThat(looks[1]).contains("LINK");
        assertThat(looks[3].replace("\u001b[K", "").lines())
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(60));
        // What the wider table left is cleared.
        assertThat(out.split("\u001b\\[2J", -1)).hasSize(3);
    }

    @Test
    void aWidthThatIsAskedForStays() {
        assertThat(onScreens(List.of(120, 60), "--count", "2", "--width", "120").split("\u001b\\[H", -1)[2])
                .contains("LINK");
    }

    @Test
    void aScreenSaysWhichKeyEndsIt() {
        assertThat(onScreens(List.of(120), "--count", "1")).contains("every 2s, q or Ctrl-C quits");
        assertThat(watch(List.of(registry(8, 16)), "--count", "1").out()).contains("every 2s, Ctrl-C quits");
    }

    /// A terminal that has another width at each look.
    private static String onScreens(List<Integer> widths, String... words) {
        List<Integer> left = new ArrayList<>(widths);
        List<String> line = new ArrayList<>(List.of("watch", "--registry", MusterRun.HGX));
        line.addAll(List.of(words));
        return MusterRun.onTerminal(widths.getFirst())
                .withPause(new Pause() {
                    @Override
                    public boolean await(Duration time) {
                        return true;
                    }

                    @Override
                    public OptionalInt columns() {
                        return OptionalInt.of(left.removeFirst());
                    }
                })
                .run(line)
                .quietOutput();
    }

    @Test
    void itEndsWhenItShallNotWaitAnyLonger() {
        Path file = folder.resolve("box.json");
        write(file, registry(8, 16));

        assertThat(MusterRun.inPipe()
                        .withPause(_ -> false)
                        .run("watch", "--registry", file.toString())
                        .quietOutput())
                .contains("cuda:1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"memory", "memory>", "memory>x", "heat>5", "temperature>90%", "load>5W", ">5", "memory>1.2.3%"})
    void defect55_anAlertThatIsNoneIsRefused(String rule) {
        MusterRun.inPipe()
                .run("watch", "--alert", rule)
                .assertRefused(
                        ExitCode.USAGE,
                        "muster: --alert: a rule is a fact, a sign and a limit, such as memory>90%, free<2GiB, "
                                + "temperature>85C, power>650W or load>95%, not '" + rule + "'; see 'muster help'");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--interval 0 | --interval is a time from 100ms to 60m, such as 2s or 500ms, not '0'",
                "--count 0 | --count is an integer from 1 on, not '0'",
                "-o csv | --output is one of table, wide, json, not 'csv'",
                "--registry - | watch reads the registry repeatedly, which is not possible from standard " + "input"
            })
    void defect55_whatMakesNoSenseIsRefused(String words, String sentence) {
        MusterRun.inPipe()
                .run(("watch " + words).split(" "))
                .assertRefused(ExitCode.USAGE, "muster: " + sentence + "; see 'muster help'");
    }

    private Outcome watch(List<String> looks, String... words) {
        Path file = folder.resolve("box.json");
        List<String> left = new ArrayList<>(looks);
        write(file, left.removeFirst());
        List<String> line = new ArrayList<>(List.of("watch", "--registry", file.toString()));
        line.addAll(List.of(words));
        return MusterRun.inPipe()
                .withPause(time -> {
                    waits.add(time);
                    write(file, left.removeFirst());
                    return true;
                })
                .run(line);
    }

    private static String registry(long free0, long free1) {
        return TWO_GPUS.replace("FREE0", Long.toString(free0 << 30)).replace("FREE1", Long.toString(free1 << 30));
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
