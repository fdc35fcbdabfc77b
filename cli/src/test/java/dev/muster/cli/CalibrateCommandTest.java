// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.option.ExitCode;
import dev.muster.core.PciAddress;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.measure.CalibrationDocument;
import dev.muster.core.measure.CalibrationDocument.DeviceCalibration;
import dev.muster.core.measure.MeasuredDevice;
import dev.muster.core.measure.MeasuredQuantity;
import dev.muster.core.measure.Measurement;
import dev.muster.core.measure.Thoroughness;
import dev.muster.report.plan.CalibrationText;
import dev.muster.report.terminal.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CalibrateCommandTest {
    private static final Instant TIME = Instant.parse("2026-11-15T08:30:00Z");
    /// Ids and memory of an H200 and a processor; the rates are made up.
    private static final CalibrationDocument DOCUMENT = new CalibrationDocument(
            List.of(
                    new DeviceCalibration(
                            new MeasuredDevice(
                                    "cuda:0",
                                    "NVIDIA H200",
                                    "GPU-6e14cf3c-8a45-4e0c-a3de-7f2b14ff9b6b",
                                    PciAddress.find("0000:3b:00.0").orElseThrow(),
                                    "580.65.06"),
                            TIME,
                            Thoroughness.FULL,
                            List.of(
                                    result(MeasuredQuantity.MEMORY_COPY, 4.221e12, 0.99, 1.001),
                                    result(MeasuredQuantity.HOST_TO_DEVICE, 55.4e9, 0.998, 1),
                                    result(MeasuredQuantity.MATRIX_BF16, 788.25e12, 0.951, 1.024),
                                    result(MeasuredQuantity.MATRIX_FP32, 51.3e12, 1, 1))),
                    new DeviceCalibration(
                            new MeasuredDevice("cpu:0", "Some \u001b[31mCPU", null, null, null),
                            TIME,
                            Thoroughness.FULL,
                            List.of(
                                    result(MeasuredQuantity.MEMORY_COPY, 9.31e9, 0.8, 1.1),
                                    result(MeasuredQuantity.MULTIPLY_ADD_FP32, 212.4e9, 0.9, 1.02)))),
            List.of());

    private final MusterRun pipe = MusterRun.inPipe();

    private static Measurement result(MeasuredQuantity quantity, double rate, double least, double most) {
        return new Measurement(
                quantity, rate * least, rate, rate * most, 11, "some way to measure " + quantity.display());
    }

    private static String table(int width, boolean wide) {
        return CalibrationText.of(DOCUMENT, new Terminal(false, false, false, width), wide);
    }

    @Test
    void aTableHasARowForEachRate() {
        Golden.assertMatches("calibrate-table", table(100, false));
        Golden.assertMatches("calibrate-narrow", table(60, false));
        Golden.assertMatches("calibrate-wide", table(160, true));
    }

    @Test
    void nothingIsShownWhereNothingWasMeasured() {
        CalibrationDocument empty = new CalibrationDocument(List.of(), List.of());
        assertThat(CalibrationText.of(empty, new Terminal(false, false, false, 80), false))
                .isEmpty();
    }

    @Test
    void withoutAGpuTheProcessorIsMeasuredAndStored(@TempDir Path folder) throws IOException {
        Outcome outcome =
                pipe.withEnvironment("XDG_CACHE_HOME", folder.toString()).run("calibrate", "--quick", "--json");

        Path file = folder.resolve("muster/calibration.json");
        assertThat(outcome.err())
                .isEqualTo("muster: no GPU found; measuring only the processor\nmuster: stored in " + file + "\n");
        assertThat(outcome.code()).isEqualTo(ExitCode.OK);
        JsonValue shown = JsonValue.parse(outcome.out());
        assertThat(shown.find("devices").orElseThrow())
                .isInstanceOfSatisfying(
                        JsonArray.class, devices -> assertThat(devices.items()).hasSize(1));
        assertThat(JsonValue.parse(Files.readString(file))).isEqualTo(shown);
    }

    @Test
    void peopleSeeWhatIsMeasuredNow() {
        Outcome outcome = MusterRun.onTerminal(80).run("calibrate", "--cpu", "--quick", "--no-store");

        assertThat(outcome.code()).isEqualTo(ExitCode.OK);
        assertThat(outcome.err())
                .isEqualTo("\r\u001b[Kmeasuring cpu:0 memory read …\r\u001b[Kmeasuring cpu:0 memory copy …"
                        + "\r\u001b[Kmeasuring cpu:0 multiply-add fp32 …\r\u001b[K");
        assertThat(outcome.out().lines().toList()).hasSize(4);
    }

    @Test
    void whereNothingCanBeStoredTheRatesAreShownAllTheSame() {
        Outcome outcome = pipe.run("calibrate", "--cpu", "--quick");

        assertThat(outcome.code()).isEqualTo(ExitCode.NO);
        assertThat(outcome.out()).contains("memory copy", "multiply-add fp32");
        assertThat(outcome.err())
                .isEqualTo("muster: not stored: neither XDG_CACHE_HOME nor HOME is set (use --no-store to skip "
                        + "storing)\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            calibrate --registry x | --registry does not apply: calibrate measures only this machine
            calibrate --host x | --host does not apply: calibrate measures only this machine
            calibrate --add l4:1 | --add does not apply: calibrate measures this machine as it is
            calibrate --cpu --device 0 | --device does not apply: --cpu measures only the processor
            calibrate --device 3-1 | --device: the range '3-1' runs backwards; write 1-3
            calibrate -o csv | --output is one of table, wide, json, yaml, not 'csv'
            """)
    void whatMakesNoSenseIsRefused(String words, String sentence) {
        pipe.run(List.of(words.split(" ")))
                .assertRefused(ExitCode.USAGE, "muster: " + sentence + "; see 'muster help'");
    }

    @Test
    void aDeviceThatIsNotThereIsSaid() {
        pipe.run("calibrate", "--device", "cuda:0")
                .assertRefused(ExitCode.NO, "muster: no device matches 'cuda:0'; 'muster detect' lists them");
    }
}
