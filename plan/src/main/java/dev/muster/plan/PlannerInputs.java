// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceChoice;
import dev.muster.core.measure.CalibrationDocument;
import dev.muster.core.measure.MeshCalibration;
import dev.muster.core.unit.Bandwidth;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.PriceCatalogue;
import dev.muster.plan.cost.MemoryBasis;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;

/// The parts of a planner. Each checks itself, so that no order of calls gets around a limit.
final class PlannerInputs {
    private PlannerInputs() {}

    /// The machines that are planned for.
    ///
    /// @param registry one of them
    /// @param choice its devices to use
    /// @param memory their memory that counts
    /// @param hosts number of such machines
    record Machines(AcceleratorRegistry registry, DeviceChoice choice, MemoryBasis memory, int hosts) {
        Machines {
            if (hosts < 1) {
                throw new IllegalArgumentException("a plan is for 1 machine or more, not for " + hosts);
            }
            int devices = choice.accelerators().size();
            if ((long) hosts * devices > Planner.MOST_DEVICES) {
                throw new IllegalArgumentException(
                        hosts + " machines with " + devices + (devices == 1 ? " device" : " devices")
                                + " each are more than the " + Planner.MOST_DEVICES
                                + " devices that can be planned for");
            }
        }

        static Machines of(AcceleratorRegistry registry) {
            return new Machines(registry, DeviceChoice.defaults(registry), MemoryBasis.FREE, 1);
        }
    }

    /// Data sheets and prices.
    ///
    /// @param devices the device catalogue
    /// @param prices the prices; empty for those that come with Muster, which are read when they are needed
    /// @param today the current day, if it is known
    record Catalogues(DeviceCatalogue devices, Optional<PriceCatalogue> prices, Optional<LocalDate> today) {
        static Catalogues builtIn() {
            return new Catalogues(DeviceCatalogue.builtIn(), Optional.empty(), Optional.empty());
        }
    }

    /// Measurements of the machine.
    ///
    /// @param rates rates of its devices
    /// @param hostBandwidth rate of its memory
    /// @param diskBandwidth rate of its drives
    /// @param collectives times of collectives between ranks, for any devices
    record Rates(
            Optional<CalibrationDocument> rates,
            Optional<Bandwidth> hostBandwidth,
            Optional<Bandwidth> diskBandwidth,
            Optional<MeshCalibration> collectives) {
        static final Rates NONE = new Rates(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    /// Measurements that count on any machine.
    ///
    /// @param corrections corrections of predictions
    /// @param meshes collectives between ranks, by backend
    record Runs(PlanCorrections corrections, List<MeshCalibration> meshes) {
        static final Runs NONE = new Runs(PlanCorrections.NONE, List.of());

        Runs {
            meshes = List.copyOf(meshes);
        }
    }
}
