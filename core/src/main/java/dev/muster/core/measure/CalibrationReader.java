// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.measure;

import dev.muster.core.PciAddress;
import dev.muster.core.UnknownReason;
import dev.muster.core.json.DocumentException;
import dev.muster.core.json.DocumentException.DocumentErrorCode;
import dev.muster.core.json.JsonValue;
import dev.muster.core.measure.CalibrationDocument.DeviceCalibration;
import dev.muster.core.measure.CalibrationDocument.MeasurementGap;
import dev.muster.core.measure.MeshCalibration.Collective;
import dev.muster.core.measure.MeshCalibration.Curve;
import dev.muster.core.measure.MeshCalibration.CurvePoint;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Reads calibration documents.
final class CalibrationReader {
    private CalibrationReader() {}

    static CalibrationDocument read(byte[] utf8) {
        if (utf8.length > CalibrationDocument.MAX_BYTES) {
            throw DocumentException.of(
                    DocumentErrorCode.TOO_LARGE,
                    "a calibration has at most " + CalibrationDocument.MAX_BYTES + " bytes");
        }
        JsonValue root = JsonValue.parse(utf8);
        requireSchema(root);
        List<JsonValue> devices = root.requireItems("devices");
        if (devices.size() > CalibrationDocument.MAX_DEVICES) {
            throw DocumentException.of(
                    DocumentErrorCode.TOO_LARGE,
                    "a calibration has at most " + CalibrationDocument.MAX_DEVICES + " devices");
        }
        try {
            return new CalibrationDocument(
                    devices.stream().map(CalibrationReader::readDevice).toList(),
                    readMeshes(root),
                    root.find("gaps").isEmpty()
                            ? List.of()
                            : root.requireItems("gaps").stream()
                                    .map(CalibrationReader::readGap)
                                    .toList());
        } catch (IllegalArgumentException | DateTimeException e) {
            throw DocumentException.of(DocumentErrorCode.WRONG_VALUE, String.valueOf(e.getMessage()));
        }
    }

    private static void requireSchema(JsonValue root) {
        if (!root.requireText("kind").equals(CalibrationDocument.KIND)) {
            throw DocumentException.of(DocumentErrorCode.WRONG_VALUE, "this is not a calibration: its kind differs");
        }
        double schema = root.requireNumber("schema").toDouble();
        if (schema > CalibrationDocument.SCHEMA) {
            throw DocumentException.of(
                    DocumentErrorCode.NEWER_SCHEMA,
                    "the calibration was written by a newer Muster (this one knows schema " + CalibrationDocument.SCHEMA
                            + ")");
        }
        if (schema != CalibrationDocument.SCHEMA) {
            throw DocumentException.of(DocumentErrorCode.WRONG_VALUE, "unknown schema of a calibration");
        }
    }

    private static DeviceCalibration readDevice(JsonValue item) {
        Optional<PciAddress> address = findText(item, "pciAddress")
                .map(text -> PciAddress.find(text)
                        .orElseThrow(
                                () -> DocumentException.of(DocumentErrorCode.WRONG_VALUE, "'pciAddress' is none")));
        MeasuredDevice device = new MeasuredDevice(
                item.requireText("id"),
                item.requireText("name"),
                findText(item, "uuid").orElse(null),
                address.orElse(null),
                findText(item, "driverVersion").orElse(null));
        List<Measurement> results = new ArrayList<>();
        for (JsonValue result : item.requireItems("results")) {
            // A quantity that a later version measures is read over.
            MeasuredQuantity.find(result.requireText("what")).ifPresent(what -> results.add(readResult(what, result)));
        }
        return new DeviceCalibration(
                device,
                Instant.parse(item.requireText("measuredAt")),
                name(item, "thoroughness", Thoroughness.values(), Thoroughness::text),
                results);
    }

    private static List<MeshCalibration> readMeshes(JsonValue root) {
        // Files of earlier versions have none.
        List<JsonValue> meshes = root.find("meshes").isEmpty() ? List.of() : root.requireItems("meshes");
        if (meshes.size() > CalibrationDocument.MAX_MESHES) {
            throw DocumentException.of(
                    DocumentErrorCode.TOO_LARGE,
                    "a calibration has at most " + CalibrationDocument.MAX_MESHES + " meshes");
        }
        return meshes.stream().map(CalibrationReader::readMesh).toList();
    }

    private static MeshCalibration readMesh(JsonValue item) {
        List<Curve> curves = new ArrayList<>();
        for (JsonValue curve : item.requireItems("collectives")) {
            // A collective that a later version measures is read over.
            Collective.find(curve.requireText("collective"))
                    .ifPresent(known -> curves.add(new Curve(
                            known,
                            whole(curve, "members"),
                            curve.requireItems("points").stream()
                                    .map(CalibrationReader::readPoint)
                                    .toList())));
        }
        return new MeshCalibration(
                item.requireText("backend"),
                whole(item, "ranks"),
                whole(item, "hosts"),
                Instant.parse(item.requireText("measuredAt")),
                name(item, "thoroughness", Thoroughness.values(), Thoroughness::text),
                curves);
    }

    private static CurvePoint readPoint(JsonValue point) {
        return new CurvePoint(
                (long) point.requireNumber("bytes").toDouble(),
                point.requireNumber("seconds").toDouble());
    }

    private static int whole(JsonValue object, String key) {
        double number = object.requireNumber(key).toDouble();
        if (number != Math.rint(number) || number > Integer.MAX_VALUE) {
            throw DocumentException.of(DocumentErrorCode.WRONG_VALUE, "'" + key + "' is not an integer");
        }
        return (int) number;
    }

    private static Measurement readResult(MeasuredQuantity what, JsonValue result) {
        String suffix = what.suffix();
        return new Measurement(
                what,
                result.requireNumber("least" + suffix).toDouble(),
                result.requireNumber("median" + suffix).toDouble(),
                result.requireNumber("most" + suffix).toDouble(),
                whole(result, "repeats"),
                result.requireText("method"));
    }

    private static MeasurementGap readGap(JsonValue item) {
        return new MeasurementGap(
                item.requireText("device"),
                name(item, "reason", UnknownReason.values(), UnknownReason::text),
                item.requireText("message"));
    }

    private static <E> E name(JsonValue object, String key, E[] values, Function<E, String> nameOf) {
        String found = object.requireText(key);
        for (E value : values) {
            if (nameOf.apply(value).equals(found)) {
                return value;
            }
        }
        throw DocumentException.of(DocumentErrorCode.WRONG_VALUE, "'" + key + "' has a value that is not known");
    }

    private static Optional<String> findText(JsonValue object, String key) {
        return object.find(key).isEmpty() ? Optional.empty() : Optional.of(object.requireText(key));
    }
}
