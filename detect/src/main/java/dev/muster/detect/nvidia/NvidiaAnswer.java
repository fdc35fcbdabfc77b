// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.Gap;
import dev.muster.detect.probe.ProbeContext;
import java.util.List;
import java.util.function.Consumer;

/// The result of asking a source for the GPUs.
sealed interface NvidiaAnswer {
    /// The source is not there.
    record NotAsked() implements NvidiaAnswer {}

    /// The source was asked and could not tell.
    ///
    /// @param reason the reason, for people
    record Refused(String reason) implements NvidiaAnswer {}

    /// The source told.
    ///
    /// @param profiles the devices, each GPU before its MIG devices; none where the source sees none
    /// @param topology the links between the GPUs; [NvidiaTopology#UNKNOWN] if the source lacks them
    record Devices(List<AcceleratorProfile> profiles, NvidiaTopology topology) implements NvidiaAnswer {
        /// Copies the list.
        public Devices {
            profiles = List.copyOf(profiles);
        }

        /// Devices of a source that does not say how they are joined.
        Devices(List<AcceleratorProfile> profiles) {
            this(profiles, NvidiaTopology.UNKNOWN);
        }
    }

    /// One way of asking the driver about its GPUs. The first that tells is believed.
    interface Source {
        /// Asks.
        ///
        /// @param smi the driver's tool, which remembers that it hung
        /// @param gaps told of what could not be learned
        NvidiaAnswer ask(ProbeContext context, NvidiaSmi smi, Consumer<Gap> gaps);
    }
}
