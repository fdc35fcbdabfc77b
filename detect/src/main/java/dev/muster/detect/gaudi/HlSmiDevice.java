package dev.muster.detect.gaudi;

import dev.muster.core.PciAddress;
import dev.muster.detect.text.Quantity;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// A device as `hl-smi` describes it.
///
/// @param index the tool's number for it, which does not follow the bus
/// @param fields what the tool says, by the names of its queries, such as `memory.total`
record HlSmiDevice(long index, Map<String, String> fields) {
    static final long MAX_INDEX = 1024;

    HlSmiDevice {
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    /// The text of a field; the tool's words for "not known" are none.
    Optional<String> find(String name) {
        return Optional.ofNullable(fields.get(name)).filter(HlSmiDevice::says);
    }

    private static boolean says(String text) {
        String bare = text.replace("[", "").replace("]", "").strip().toUpperCase(Locale.ROOT);
        return !bare.isEmpty() && !bare.equals("N/A") && !bare.equals("NOT SUPPORTED") && !bare.equals("UNKNOWN");
    }

    /// A number; the unit that is asked for where the tool was told to print none.
    Optional<Quantity> findQuantity(String name, String unit) {
        return find(name).flatMap(Quantity::find).map(quantity -> quantity.orIn(unit));
    }

    Optional<PciAddress> findAddress() {
        return find("bus_id").flatMap(PciAddress::find);
    }

    /// This device, completed by what another answer says of it.
    HlSmiDevice with(HlSmiDevice other) {
        Map<String, String> all = new LinkedHashMap<>(other.fields);
        all.putAll(fields);
        return new HlSmiDevice(index, all);
    }
}
