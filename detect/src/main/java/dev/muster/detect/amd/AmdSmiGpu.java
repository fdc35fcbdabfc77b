package dev.muster.detect.amd;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// What `amd-smi` says of one GPU.
///
/// @param index the tool's number for it
/// @param values values with their units by path, such as `32 GT/s` by `pcie.speed`; all in lower case
record AmdSmiGpu(int index, Map<String, String> values) {
    AmdSmiGpu {
        values = Map.copyOf(values);
    }

    /// The value at the first of some paths that says anything; names moved between releases.
    Optional<String> find(String... paths) {
        for (String path : paths) {
            String value = values.getOrDefault(path, "").strip();
            if (!value.isEmpty() && !value.startsWith("N/A")) {
                return Optional.of(value);
            }
        }
        return Optional.empty();
    }

    /// The same GPU, with what another of the tool's answers says of it.
    AmdSmiGpu with(AmdSmiGpu other) {
        Map<String, String> all = new HashMap<>(other.values);
        all.putAll(values);
        return new AmdSmiGpu(index, all);
    }
}
