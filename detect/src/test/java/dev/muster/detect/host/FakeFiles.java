// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.host;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// A host of a few files, made up by a test. What is not in the map is missing.
public record FakeFiles(Map<String, HostAnswer<String>> outcomes) implements HostFiles {
    public static FakeFiles of(Map<String, String> texts) {
        return new FakeFiles(texts.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(
                        Map.Entry::getKey, entry -> new HostAnswer.Found<>(entry.getValue()))));
    }

    @Override
    public HostAnswer<String> read(String path, int maxBytes) {
        return outcomes.getOrDefault(path, new HostAnswer.Missing<>());
    }

    @Override
    public HostAnswer<List<String>> list(String path) {
        return new HostAnswer.Missing<>();
    }

    @Override
    public boolean exists(String path) {
        return outcomes.containsKey(path);
    }

    @Override
    public Optional<String> findLink(String path) {
        return Optional.empty();
    }

    @Override
    public Optional<String> findRealPath(String path) {
        return exists(path) ? Optional.of(path) : Optional.empty();
    }
}
