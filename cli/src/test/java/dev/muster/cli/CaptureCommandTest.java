// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.option.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CaptureCommandTest {
    private final MusterRun pipe = MusterRun.inPipe();

    @Test
    void aRecordedMachineAnswersAsTheMachineDid(@TempDir Path folder) {
        String bundle = folder.resolve("host.tar.gz").toString();

        Outcome captured = pipe.run("capture", "-o", bundle);

        assertThat(captured.code()).isEqualTo(ExitCode.OK);
        assertThat(captured.out()).isEmpty();
        assertThat(captured.err()).contains("wrote " + bundle, "1 device found", "identifiers are masked");
        Outcome here = pipe.run("detect", "-o", "csv");
        Outcome replayed = pipe.run("detect", "-o", "csv", "--host", bundle);
        assertThat(replayed).isEqualTo(here);
    }

    @Test
    void sayLoudlyThatIdentifiersAreKept(@TempDir Path folder) {
        Outcome captured =
                pipe.run("capture", "--output", folder.resolve("host.tar.gz").toString(), "--keep-ids");

        assertThat(captured.err()).contains("identifiers are NOT masked");
    }

    @Test
    void aFolderThatIsNotThereIsNamedAsItWasTyped(@TempDir Path folder) {
        String file = folder.resolve("no/host.tar.gz").toString();

        pipe.run("capture", "-o", file)
                .assertRefused(
                        ExitCode.NO,
                        "muster: cannot write '" + file + "': folder '" + folder.resolve("no") + "' not found");
        pipe.run("capture", "-o", "no-such-folder/host.tar.gz")
                .assertRefused(
                        ExitCode.NO,
                        "muster: cannot write 'no-such-folder/host.tar.gz': folder 'no-such-folder' not found");
    }

    @Test
    void aRegistryCannotBeRecorded() {
        assertThat(pipe.run("capture", "--registry", MusterRun.OWN).code()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void whatIsNoBundleIsOneSentence(@TempDir Path folder) throws java.io.IOException {
        Path junk = Files.write(folder.resolve("junk.tar.gz"), new byte[] {0x1f, (byte) 0x8b, 8, 0, 1, 2, 3});

        Outcome outcome = pipe.run("detect", "--host", junk.toString());

        assertThat(outcome.code()).isEqualTo(ExitCode.NO);
        assertThat(outcome.err())
                .startsWith("muster: cannot open the recorded host")
                .hasLineCount(1);
    }
}
