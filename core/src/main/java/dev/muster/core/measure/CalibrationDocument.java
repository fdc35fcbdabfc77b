// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.measure;

import dev.muster.core.UnknownReason;
import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// The measured rates of a machine's devices, as a document that can be kept. Immutable.
///
/// The form is described by `docs/schema/calibration.schema.json`. It names no host: a device is told by
/// its unique id, a processor by its name.
///
/// @param devices the devices that were measured
/// @param meshes the times of collectives, by backend
/// @param gaps the measurements that failed
/// @since 0.1
public record CalibrationDocument(
        List<DeviceCalibration> devices, List<MeshCalibration> meshes, List<MeasurementGap> gaps) {
    /// The schema number of the form.
    public static final int SCHEMA = 1;

    /// The largest document that is read, in bytes: some hundred devices.
    public static final int MAX_BYTES = 1 << 20;

    /// The most devices of a document.
    public static final int MAX_DEVICES = 256;

    /// The most meshes of a document.
    public static final int MAX_MESHES = 64;

    static final String KIND = "calibration";

    /// Copies the lists.
    public CalibrationDocument {
        devices = List.copyOf(devices);
        meshes = List.copyOf(meshes);
        gaps = List.copyOf(gaps);
    }

    /// Devices, and no ranks.
    public CalibrationDocument(List<DeviceCalibration> devices, List<MeasurementGap> gaps) {
        this(devices, List.of(), gaps);
    }

    /// Ranks, and no devices.
    public static CalibrationDocument of(MeshCalibration mesh) {
        return new CalibrationDocument(List.of(), List.of(mesh), List.of());
    }

    /// Reads a document from UTF-8 bytes; keys that are not known are read over.
    ///
    /// @throws DocumentException if it is none
    public static CalibrationDocument read(byte[] utf8) {
        return CalibrationReader.read(utf8);
    }

    /// The measurements of a device, if there are any.
    public Optional<DeviceCalibration> find(MeasuredDevice device) {
        return devices.stream()
                .filter(known -> known.device().isSameHardware(device))
                .findFirst();
    }

    /// The measurements between ranks over a backend: of the same number of ranks if possible, else the newest.
    ///
    /// @param isBetweenHosts true if ranks of several machines took part
    public Optional<MeshCalibration> findMesh(String backend, int ranks, boolean isBetweenHosts) {
        return meshes.stream()
                .filter(mesh -> mesh.backend().equals(backend) && mesh.hosts() > 1 == isBetweenHosts)
                .max(Comparator.comparing((MeshCalibration mesh) -> mesh.ranks() == ranks)
                        .thenComparing(MeshCalibration::measuredAt));
    }

    /// This document with what a newer one measured, in place of what was known of the same device, or of as
    /// many ranks over the same backend. Gaps are not kept; of more devices or meshes than a document may
    /// have, the oldest go.
    public CalibrationDocument updatedBy(CalibrationDocument newer) {
        List<DeviceCalibration> all = new ArrayList<>(newer.devices);
        for (DeviceCalibration known : devices) {
            if (newer.find(known.device()).isEmpty()) {
                all.add(known);
            }
        }
        all.sort((a, b) -> b.measuredAt().compareTo(a.measuredAt()));
        return new CalibrationDocument(
                all.subList(0, Math.min(MAX_DEVICES, all.size())), meshesUpdatedBy(newer), List.of());
    }

    private List<MeshCalibration> meshesUpdatedBy(CalibrationDocument newer) {
        List<MeshCalibration> all = new ArrayList<>(newer.meshes);
        for (MeshCalibration known : meshes) {
            if (newer.meshes.stream().noneMatch(known::isReplacedBy)) {
                all.add(known);
            }
        }
        all.sort(Comparator.comparing(MeshCalibration::measuredAt).reversed());
        return all.subList(0, Math.min(MAX_MESHES, all.size()));
    }

    /// The document.
    public JsonValue toJson() {
        JsonObject.ObjectBuilder document =
                JsonObject.builder().put("schema", SCHEMA).put("kind", KIND);
        List<JsonValue> items = new ArrayList<>();
        for (DeviceCalibration calibration : devices) {
            items.add(json(calibration));
        }
        document.put("devices", items);
        if (!meshes.isEmpty()) {
            document.put("meshes", meshes, CalibrationDocument::json);
        }
        if (!gaps.isEmpty()) {
            List<JsonValue> missing = new ArrayList<>();
            for (MeasurementGap gap : gaps) {
                missing.add(JsonObject.builder()
                        .put("device", gap.device())
                        .put("reason", gap.reason().text())
                        .put("message", gap.message())
                        .build());
            }
            document.put("gaps", missing);
        }
        return document.build();
    }

    private static JsonValue json(MeshCalibration mesh) {
        return JsonObject.builder()
                .put("backend", mesh.backend())
                .put("ranks", mesh.ranks())
                .put("hosts", mesh.hosts())
                .put("measuredAt", mesh.measuredAt().toString())
                .put("thoroughness", mesh.thoroughness().text())
                .put(
                        "collectives",
                        mesh.curves(),
                        curve -> JsonObject.builder()
                                .put("collective", curve.collective().text())
                                .put("members", curve.members())
                                .put(
                                        "points",
                                        curve.points(),
                                        point -> JsonObject.builder()
                                                .put("bytes", point.bytes())
                                                .put("seconds", point.seconds())
                                                .build())
                                .build())
                .build();
    }

    private static JsonValue json(DeviceCalibration calibration) {
        MeasuredDevice device = calibration.device();
        JsonObject.ObjectBuilder item =
                JsonObject.builder().put("id", device.id()).put("name", device.name());
        device.findUuid().ifPresent(uuid -> item.put("uuid", uuid));
        device.findPciAddress().ifPresent(address -> item.put("pciAddress", address.toString()));
        device.findDriverVersion().ifPresent(version -> item.put("driverVersion", version));
        item.put("measuredAt", calibration.measuredAt().toString());
        item.put("thoroughness", calibration.thoroughness().text());
        List<JsonValue> results = new ArrayList<>();
        for (Measurement result : calibration.results()) {
            String suffix = result.quantity().suffix();
            results.add(JsonObject.builder()
                    .put("what", result.quantity().text())
                    .put("median" + suffix, JsonNumber.of(result.median()))
                    .put("least" + suffix, JsonNumber.of(result.least()))
                    .put("most" + suffix, JsonNumber.of(result.most()))
                    .put("repeats", result.repeats())
                    .put("method", result.method())
                    .build());
        }
        return item.put("results", results).build();
    }

    /// The measured rates of one device.
    ///
    /// @param device the device
    /// @param measuredAt the time of the measurement
    /// @param thoroughness the thoroughness of the measurement
    /// @param results the rates
    /// @since 0.1
    public record DeviceCalibration(
            MeasuredDevice device, Instant measuredAt, Thoroughness thoroughness, List<Measurement> results) {
        /// Copies the rates.
        public DeviceCalibration {
            results = List.copyOf(results);
        }

        /// A rate, if it was measured.
        public Optional<Measurement> find(MeasuredQuantity quantity) {
            return results.stream()
                    .filter(result -> result.quantity() == quantity)
                    .findFirst();
        }
    }

    /// Something that could not be measured. Not fatal: the rest stands.
    ///
    /// @param device the device's id
    /// @param reason the reason
    /// @param message the missing value, the reason and the remedy; for people
    /// @since 0.1
    public record MeasurementGap(String device, UnknownReason reason, String message) {
        /// The gap as one line for people.
        public String display() {
            return device + ": " + message;
        }
    }
}
