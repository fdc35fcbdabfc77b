package dev.muster.detect;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.Gap;
import java.util.List;

/// What one probe found.
///
/// @param profiles the devices
/// @param gaps what could not be learned
/// @since 0.1
public record ProbeReport(List<AcceleratorProfile> profiles, List<Gap> gaps) {
    /// Copies the lists.
    public ProbeReport {
        profiles = List.copyOf(profiles);
        gaps = List.copyOf(gaps);
    }
}
