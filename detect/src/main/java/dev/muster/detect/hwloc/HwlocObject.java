package dev.muster.detect.hwloc;

import dev.muster.detect.text.Amount;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// An object of hwloc's tree.
///
/// @param type what it is: `Package`, `NUMANode`, `PCIDev`, `OSDev` …
/// @param attributes the attributes of its element
/// @param infos what hwloc noted about it by name, such as `GPUModel`
/// @param children the objects right below it
record HwlocObject(String type, Map<String, String> attributes, Map<String, String> infos, List<HwlocObject> children) {
    HwlocObject {
        attributes = Map.copyOf(attributes);
        infos = Map.copyOf(infos);
        children = List.copyOf(children);
    }

    /// An attribute; blank where the object does not have it.
    String attribute(String name) {
        return attributes.getOrDefault(name, "").strip();
    }

    /// A note; nothing where it is missing or blank.
    Optional<String> findInfo(String name) {
        return Optional.ofNullable(infos.get(name)).map(String::strip).filter(text -> !text.isEmpty());
    }

    /// The name of an OS device, such as `nvml0`.
    String name() {
        return attribute("name");
    }

    /// The number that matrices know the object by.
    Optional<Long> findGlobalIndex() {
        return findCount("gp_index");
    }

    Optional<Long> findCount(String attribute) {
        return Amount.count(attribute(attribute), Long.MAX_VALUE);
    }
}
