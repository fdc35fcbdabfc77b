// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.measure.CalibrationDocument;
import dev.muster.core.measure.MeshCalibration;
import dev.muster.plan.cost.DeviceFamily;
import dev.muster.plan.cost.DeviceFigures;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;

/// Measured collectives between ranks, which replace the link rates of data sheets.
final class MeasuredCollectives {
    private static final String NVIDIA = "nccl";
    private static final String AMD = "rccl";
    private static final Provenance MEASURED =
            Provenance.of("muster calibrate", Provenance.Method.NATIVE, Provenance.Confidence.MEASURED);

    private MeasuredCollectives() {}

    /// Returns the newest measurement between devices of a family: within a host if there is one. Processors stand
    /// alone in their machines, so that theirs is between them.
    static Optional<MeshCalibration> find(DeviceFamily family, CalibrationDocument measured) {
        boolean isBetweenHosts = family == DeviceFamily.CPU;
        return measured.meshes().stream()
                .filter(mesh -> carries(mesh.backend(), family) && (!isBetweenHosts || mesh.hosts() > 1))
                .max(Comparator.comparing((MeshCalibration mesh) -> mesh.hosts() == 1)
                        .thenComparing(MeshCalibration::measuredAt));
    }

    /// Reports whether a backend moves data in the memory of such devices.
    private static boolean carries(String backend, DeviceFamily family) {
        return switch (family) {
            case NVIDIA_HBM, NVIDIA_GDDR, NVIDIA_SHARED -> backend.equals(NVIDIA);
            case AMD_HBM, AMD_GDDR, AMD_SHARED -> backend.equals(AMD);
            case CPU -> !Set.of(NVIDIA, AMD).contains(backend);
            case APPLE, GAUDI, NEURON, TPU, OTHER -> false;
        };
    }

    static DeviceFigures apply(DeviceFigures figures, MeshCalibration mesh) {
        return figures.toBuilder().collectives(Reading.known(mesh, MEASURED)).build();
    }
}
