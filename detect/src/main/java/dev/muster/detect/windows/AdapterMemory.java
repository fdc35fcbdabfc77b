package dev.muster.detect.windows;

import dev.muster.core.unit.Bytes;
import dev.muster.detect.text.Amount;
import java.util.Locale;
import java.util.Optional;

/// What the registry says about the memory of a video controller, in 64 bits.
///
/// @param description the driver's name for the device
/// @param matchingId the start of the device's id that the driver was chosen for
/// @param size the size as it was printed
record AdapterMemory(String description, String matchingId, String size) {
    boolean describes(WindowsAdapter adapter) {
        String id = adapter.pnpId().toUpperCase(Locale.ROOT);
        boolean bothHaveIds = !matchingId.isBlank() && !id.isBlank();
        return bothHaveIds ? id.startsWith(matchingId.toUpperCase(Locale.ROOT)) : description.equals(adapter.name());
    }

    Optional<Bytes> findSize() {
        return Amount.count(size, Amount.MAX_MEMORY.unsigned())
                .filter(bytes -> bytes > 0)
                .map(Bytes::of);
    }
}
