// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.option.ExitCode;
import dev.muster.cli.session.HwlocInput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Output of `lstopo --of xml` instead of a saved registry.
class HwlocInputTest {
    private final MusterRun pipe = MusterRun.inPipe();

    @Test
    void showsTheDevicesOfAFile() {
        Golden.assertMatches(
                "detect-hwloc",
                pipe.run("detect", "--registry", MusterRun.HWLOC).quietOutput());
    }

    @Test
    void showsHowTheyAreJoined() {
        Golden.assertMatches(
                "topology-hwloc",
                pipe.run("topology", "--registry", MusterRun.HWLOC).quietOutput());
    }

    @Test
    void listsWhatMatches() {
        assertThat(pipe.run("devices", "--registry", MusterRun.HWLOC, "--min-memory", "100GiB", "-o", "name")
                        .quietOutput())
                .isEqualTo("cpu:0\nrocm:1\noneapi:0\n");
    }

    @Test
    void checksWhatAJobNeeds() {
        assertThat(pipe.run("check", "--registry", MusterRun.HWLOC, "--requirement", "gpu", "--count", "2")
                        .code())
                .isEqualTo(ExitCode.OK);
        assertThat(pipe.run("check", "--registry", MusterRun.HWLOC, "--requirement", "gpu", "--count", "9")
                        .code())
                .isEqualTo(ExitCode.NO);
    }

    @Test
    void differsInNothingFromWhatIsSavedOfIt(@TempDir Path folder) throws IOException {
        Path saved = folder.resolve("saved.json");
        Files.writeString(
                saved,
                pipe.run("detect", "--registry", MusterRun.HWLOC, "--json").quietOutput());

        assertThat(pipe.run("diff", MusterRun.HWLOC, saved.toString()).quietOutput())
                .isEqualTo("No differences.\n");
    }

    @Test
    void aByteOrderMarkAndBlanksMayComeFirst() {
        String marked = "\uFEFF\n" + MusterRun.read(Path.of(MusterRun.HWLOC));

        assertThat(pipe.withStdin(marked).run("detect", "--registry", "-").quietOutput())
                .isEqualTo(pipe.run("detect", "--registry", MusterRun.HWLOC).quietOutput());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            <html></html>           | the document is a <html>, not the <topology> of hwloc (line 1)
            <topology/>             | this is the format of hwloc 1; write the file with hwloc 2 or newer (line 1)
            <topology version='2.0'></topology> | the topology has no machine
            <topology version='2.0' | this is not well-formed XML (line 1, column 24)
            """)
    void brokenXmlIsRefusedWithASentence(String text, String reason) {
        pipe.withStdin(text)
                .run("topology", "--registry", "-")
                .assertRefused(ExitCode.NO, "muster: cannot read a registry from standard input: " + reason);
    }

    @Test
    void onlyWhatBeginsLikeXmlIsXml() {
        assertThat(HwlocInput.isXml(bytes(" \t\r\n<a/>"))).isTrue();
        assertThat(HwlocInput.isXml(bytes("\uFEFF<a/>"))).isTrue();
        assertThat(HwlocInput.isXml(bytes("{\"a\": \"<\"}"))).isFalse();
        assertThat(HwlocInput.isXml(bytes("  "))).isFalse();
        assertThat(HwlocInput.isXml(bytes(""))).isFalse();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
