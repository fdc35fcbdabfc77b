package dev.muster.detect.nvidia;

import dev.muster.core.Reading;

/// The names that drivers give to GPUs.
final class NvidiaNames {
    private NvidiaNames() {}

    /// The name, unless it is the one that a driver has for every GPU younger than itself.
    static Reading<String> reading(NvidiaValue value) {
        Reading<String> name = value.text();
        boolean nameless = name.find()
                .filter(text -> text.equals("Graphics Device") || text.equals("NVIDIA Graphics Device"))
                .isPresent();
        return nameless
                ? Reading.notSupported("the driver does not know this GPU and calls it '" + value.raw() + "'")
                : name;
    }
}
