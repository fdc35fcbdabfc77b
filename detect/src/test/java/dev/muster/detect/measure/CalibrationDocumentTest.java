// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.core.PciAddress;
import dev.muster.core.UnknownReason;
import dev.muster.core.json.DocumentException;
import dev.muster.core.measure.CalibrationDocument;
import dev.muster.core.measure.CalibrationDocument.DeviceCalibration;
import dev.muster.core.measure.CalibrationDocument.MeasurementGap;
import dev.muster.core.measure.MeasuredDevice;
import dev.muster.core.measure.MeasuredQuantity;
import dev.muster.core.measure.Measurement;
import dev.muster.core.measure.Thoroughness;
import dev.muster.testing.Need;
import dev.muster.testing.Needs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CalibrationDocumentTest {
    private static final Instant TIME = Instant.parse("2026-11-15T08:30:00.125Z");

    private static DeviceCalibration device(String id, @Nullable String uuid, double rate, Instant time) {
        return new DeviceCalibration(
                new MeasuredDevice(
                        id, "Some GPU", uuid, PciAddress.find("3b:00.0").orElseThrow(), "580.65.06"),
                time,
                Thoroughness.FULL,
                List.of(
                        new Measurement(MeasuredQuantity.MEMORY_COPY, rate * 0.9, rate, rate * 1.01, 11, "copies"),
                        new Measurement(MeasuredQuantity.MATRIX_BF16, 7e14, 7.9e14, 8e14, 12, "products")));
    }

    private static CalibrationDocument document() {
        return new CalibrationDocument(
                List.of(
                        device("cuda:0", "GPU-1", 4.2e12, TIME),
                        new DeviceCalibration(
                                new MeasuredDevice("cpu", "Some CPU", null, null, null),
                                TIME,
                                Thoroughness.QUICK,
                                List.of())),
                List.of(new MeasurementGap("cuda:0", UnknownReason.NOT_INSTALLED, "no cuBLAS")));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void whatIsWrittenIsReadBackTheSame() {
        assertThat(CalibrationDocument.read(bytes(document().toJson().toText())))
                .isEqualTo(document());
        assertThat(CalibrationDocument.read(bytes(document().toJson().toIndentedText())))
                .isEqualTo(document());
    }

    @Test
    void numbersAreInBaseUnitsWithTheUnitInTheKey() {
        assertThat(document().toJson().toText())
                .startsWith("{\"schema\":1,\"kind\":\"calibration\",\"devices\":[{\"id\":\"cuda:0\","
                        + "\"name\":\"Some GPU\",\"uuid\":\"GPU-1\",\"pciAddress\":\"0000:3b:00.0\","
                        + "\"driverVersion\":\"580.65.06\",\"measuredAt\":\"2026-11-15T08:30:00.125Z\","
                        + "\"thoroughness\":\"full\",\"results\":[{\"what\":\"memory-copy\","
                        + "\"medianBytesPerSecond\":4200000000000.0,")
                .contains("\"medianOperationsPerSecond\":");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            "schema":1                   | "schema":2            | NEWER_SCHEMA
            "schema":1                   | "schema":0            | WRONG_VALUE
            "kind":"calibration"         | "kind":"registry"     | WRONG_VALUE
            "devices":[                  | "device":[            | MISSING_KEY
            "repeats":11                 | "repeats":0           | WRONG_VALUE
            "repeats":11                 | "repeats":1.5         | WRONG_VALUE
            "repeats":11                 | "repeats":"many"      | WRONG_TYPE
            "pciAddress":"0000:3b:00.0"  | "pciAddress":"there"  | WRONG_VALUE
            "measuredAt":"2026           | "measuredAt":"x2026   | WRONG_VALUE
            "thoroughness":"full"        | "thoroughness":"lazy" | WRONG_VALUE
            "medianBytesPerSecond":4     | "medianBytesPerSecond":-4 | WRONG_VALUE
            "name":"Some GPU"            | "name":""             | WRONG_VALUE
            "reason":"not-installed"     | "reason":"made-up"    | WRONG_VALUE
            """)
    void whatIsNoCalibrationIsRefused(String old, String changed, DocumentException.DocumentErrorCode code) {
        String text = document().toJson().toText();
        assertThat(text).contains(old);

        assertThatThrownBy(() -> CalibrationDocument.read(bytes(text.replace(old, changed))))
                .isInstanceOfSatisfying(
                        DocumentException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    void whatALaterVersionMeasuresIsReadOver() {
        String text = document().toJson().toText().replace("\"matrix-bf16\"", "\"matrix-fp4\"");

        assertThat(CalibrationDocument.read(bytes(text)).devices().getFirst().results())
                .hasSize(1);
    }

    @Test
    void aNewMeasurementTakesThePlaceOfTheOldOneOfTheSameDevice() {
        CalibrationDocument newer =
                new CalibrationDocument(List.of(device("cuda:3", "GPU-1", 4.1e12, TIME.plusSeconds(1))), List.of());
        CalibrationDocument both = document().updatedBy(newer);

        assertThat(both.gaps()).isEmpty();
        assertThat(both.devices())
                .extracting(calibration -> calibration.device().id())
                .containsExactly("cuda:3", "cpu");
    }

    @Test
    @Needs(Need.POSIX)
    void theStoreKeepsWhatOtherRunsMeasured(@TempDir Path folder) throws IOException {
        CalibrationStore store = CalibrationStore.of(folder.resolve("muster"));
        assertThat(store.read()).isEmpty();

        store.add(document());
        store.add(new CalibrationDocument(List.of(device("cuda:1", "GPU-2", 4e12, TIME)), List.of()));

        assertThat(store.read().orElseThrow().devices()).hasSize(3);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(store.path())))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("muster"))))
                .isEqualTo("rwx------");
    }

    @Test
    @Needs(Need.POSIX)
    void aBrokenStoreIsReplacedAndOneOfANewerVersionIsNot(@TempDir Path folder) throws IOException {
        CalibrationStore store = CalibrationStore.of(folder);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        Files.writeString(store.path(), "{\"schema\":");
        Files.setPosixFilePermissions(store.path(), PosixFilePermissions.fromString("rw-------"));
        store.add(document());
        assertThat(store.read().orElseThrow().devices()).hasSize(2);

        String newer = Files.readString(store.path()).replace("\"schema\": 1", "\"schema\": 2");
        Files.writeString(store.path(), newer);
        assertThatThrownBy(() -> store.add(document())).isInstanceOf(DocumentException.class);
        assertThat(store.path()).content().isEqualTo(newer);
    }

    @Test
    @Needs(Need.POSIX)
    void aStoreThatOthersMayWriteToIsNotUsed(@TempDir Path folder) throws IOException {
        CalibrationStore store = CalibrationStore.of(folder);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));

        assertThatThrownBy(() -> store.add(document()))
                .isInstanceOf(IOException.class)
                .hasMessageEndingWith("is writable by others than its owner");
    }
}
