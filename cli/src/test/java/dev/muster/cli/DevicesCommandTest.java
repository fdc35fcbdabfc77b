// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.option.ExitCode;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DevicesCommandTest {
    private final MusterRun pipe = MusterRun.inPipe();

    @Test
    void listsTheDevicesThatMatchAsATable() {
        Golden.assertMatches(
                "devices-family-gpu",
                devices("--registry", MusterRun.H100X8, "--family", "gpu", "--min-memory", "70GiB")
                        .quietOutput());
    }

    @Test
    void showsPartitionsUnavailableDevicesAndUnknownMemory() {
        Golden.assertMatches(
                "devices-own-form-table",
                devices("--registry", MusterRun.OWN, "--fields", "id,name,family,memory,numa,status")
                        .quietOutput());
    }

    @Test
    void listsThemAsCsvWithChosenFields() {
        Golden.assertMatches(
                "devices-fields-csv",
                devices("--registry", MusterRun.H100X8, "-o", "csv", "--fields", "id,deviceName,memory,power,pci")
                        .quietOutput());
    }

    @Test
    void listsThemAsADocumentWithTheLinksBetweenThem() {
        Golden.assertMatches(
                "devices-own-form-json",
                devices("--registry", MusterRun.OWN, "--device", "cuda:0,cuda:1", "--json")
                        .quietOutput());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    --family cpu                       | cpu:0
                    --family ai-asic                   |
                    --min-memory 1TiB                  | cpu:0
                    --min-memory 79GiB                 | cpu:0 cuda:0 cuda:1 cuda:2 cuda:3 cuda:4 cuda:5 cuda:6 cuda:7
                    --min-memory 85520809984B           | cpu:0 cuda:0 cuda:1 cuda:2 cuda:3 cuda:4 cuda:5 cuda:6 cuda:7
                    --min-memory 85520809985B           | cpu:0
                    --device 0,2-3                     | cpu:0 cuda:1 cuda:2
                    --device 8,0                       | cpu:0 cuda:7
                    --device cuda:0,CUDA:2             | cuda:0 cuda:2
                    --device h100 --min-memory 81G     |
                    --device h100 --family cpu         |
                    --requirement gpu --device 0-1     | cuda:0
                    --requirement none --device 0      | cpu:0
                    --requirement any-accelerator --device 0-2 | cuda:0 cuda:1
                    --requirement gpu-or-tpu --device 8| cuda:7
                    --requirement tpu                  |
                    """)
    void questionsNarrowTheListDown(String question, @Nullable String ids) {
        Outcome outcome = devices((question + " --registry " + MusterRun.H100X8 + " -o name").split(" +"));

        if (ids == null) {
            assertThat(outcome).isEqualTo(new Outcome(ExitCode.NO, "", "muster: none of 9 devices matches\n"));
        } else {
            assertThat(outcome.quietOutput()).isEqualTo(ids.replace(' ', '\n') + "\n");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0000:0F:00.0, cuda:1",
        "0f:00.0, cuda:1",
        "mig:mig-C7384736-a75d-5afc-978f-d2f1294409fd, cuda:1/MIG-c7384736-a75d-5afc-978f-d2f1294409fd",
        "mig:GPU-5d5ba0d6-d33d-2b2c-524d-9e3d8d2b8a77, cuda:0"
    })
    void devicesAreFoundByAddressAndUniqueId(String which, String id) {
        assertThat(devices("--registry", MusterRun.OWN, "--device", which, "-o", "name")
                        .quietOutput())
                .isEqualTo(id + "\n");
    }

    @Test
    void aPositionMeansOneDeviceEvenWhereAnotherLooksTheSame() {
        String twins = """
                {"profiles":[{"accelerator":"MetalGpu","available":true,"memory_bytes":1073741824},
                {"accelerator":"MetalGpu","available":true,"memory_bytes":1073741824}]}
                """;

        assertThat(pipe.withStdin(twins)
                        .run("devices", "--registry", "-", "--device", "0", "-o", "name")
                        .quietOutput())
                .isEqualTo("metal:0\n");
    }

    @Test
    void aDeviceOfUnknownMemoryHasNotEnough() {
        assertThat(devices("--registry", MusterRun.OWN, "--min-memory", "1B", "-o", "name")
                        .quietOutput())
                .doesNotContain("intel-npu");
    }

    @Test
    void aDeviceThatIsNotAvailableSatisfiesNothing() {
        assertThat(devices("--registry", MusterRun.OWN, "--requirement", "tpu:4", "-o", "name")
                        .code())
                .isEqualTo(ExitCode.NO);
    }

    @Test
    void aWishThatNoDeviceMeetsIsNamedOnStandardError() {
        Outcome outcome = devices("--registry", MusterRun.H100X8, "--device", "cuda:1,rocm:0", "-o", "name");

        assertThat(outcome).isEqualTo(new Outcome(ExitCode.OK, "cuda:1\n", "muster: no device matches 'rocm:0'\n"));
    }

    @Test
    void whereNoDeviceMatchesATableIsNotShownAndADocumentIsEmpty() {
        Outcome table = devices("--family", "gpu");
        Outcome csv = devices("--family", "gpu", "-o", "csv", "--fields", "id,memory");
        Outcome json = devices("--family", "gpu", "--json");

        assertThat(table).isEqualTo(new Outcome(ExitCode.NO, "", "muster: none of 1 devices matches\n"));
        assertThat(csv.out()).isEqualTo("id,memoryTotalBytes\n");
        assertThat(csv.code()).isEqualTo(ExitCode.NO);
        assertThat(json.out()).contains("\"devices\":[]");
        assertThat(json.code()).isEqualTo(ExitCode.NO);
    }

    @Test
    void theCatalogueSaysWhatToTypeAndWhereFiguresAreFrom() {
        assertThat(devices("--catalogue", "--width", "200").quietOutput())
                .contains("h100-sxm ", "h100, h100-80", "80 GB HBM3", "3350 GB/s", "NVIDIA data sheet");
        assertThat(devices("--catalogue", "-o", "name").quietOutput()).contains("gb10\n", "m3-max-40c\n");
        assertThat(devices("--catalogue", "--json").quietOutput())
                .contains("\"kind\":\"device-catalogue\"", "\"shortNames\":[\"dgx-spark\",\"spark\"]", "\"source\":");
        devices("--catalogue", "--synthetic", "l4")
                .assertRefused(
                        ExitCode.USAGE,
                        "muster: --synthetic does not apply: the catalogue is the same on every machine; see 'muster help'");
    }

    private Outcome devices(String... words) {
        String[] all = new String[words.length + 1];
        all[0] = "devices";
        System.arraycopy(words, 0, all, 1, words.length);
        return pipe.run(all);
    }
}
