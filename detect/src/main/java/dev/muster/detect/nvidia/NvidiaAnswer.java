package dev.muster.detect.nvidia;

import dev.muster.core.AcceleratorProfile;
import java.util.List;

/// What came of asking a source about the GPUs.
sealed interface NvidiaAnswer {
    /// The source is not there.
    record NotAsked() implements NvidiaAnswer {}

    /// The source was asked and could not tell.
    ///
    /// @param reason why, for people
    record Refused(String reason) implements NvidiaAnswer {}

    /// The source told.
    ///
    /// @param profiles the devices, each GPU before its MIG devices; none where the source sees none
    /// @param topology how the GPUs are joined; [NvidiaTopology#NOT_TOLD] where the source does not say
    record Devices(List<AcceleratorProfile> profiles, NvidiaTopology topology) implements NvidiaAnswer {
        /// Copies the list.
        public Devices {
            profiles = List.copyOf(profiles);
        }

        /// Devices of a source that does not say how they are joined.
        Devices(List<AcceleratorProfile> profiles) {
            this(profiles, NvidiaTopology.NOT_TOLD);
        }
    }
}
