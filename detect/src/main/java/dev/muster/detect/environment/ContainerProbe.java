// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.environment;

import dev.muster.core.Reading;
import dev.muster.detect.probe.ProbeContext;
import java.util.Optional;
import java.util.function.Function;

/// Says what keeps the container that the process runs in.
record ContainerProbe(ProbeContext context) {
    private static final String NONE = "none";
    private static final String DOCKER_FILE = "/.dockerenv";
    private static final String PODMAN_FILE = "/run/.containerenv";
    private static final String SYSTEMD_FILE = "/run/systemd/container";
    private static final String VARIABLE = "container";
    private static final String CGROUP = "/proc/1/cgroup";
    private static final String MOUNTS = "/proc/self/mountinfo";
    private static final int MAX_NAME = 64;
    private static final int MAX_CGROUP = 64 << 10;
    /// A host of many containers has thousands of mounts.
    private static final int MAX_MOUNTS = 4 << 20;

    Reading<String> probe() {
        if (context.files().exists(DOCKER_FILE)) {
            return Reading.known("docker", context.fromFile(DOCKER_FILE));
        }
        if (context.files().exists(PODMAN_FILE)) {
            return Reading.known("podman", context.fromFile(PODMAN_FILE));
        }
        Optional<Reading<String>> found = look(SYSTEMD_FILE, MAX_NAME, ContainerProbe::findName);
        if (found.isPresent()) {
            return found.get();
        }
        Optional<String> named = findName(context.host().variables().getOrDefault(VARIABLE, ""));
        if (named.isPresent()) {
            return Reading.known(named.get(), context.fromVariable(VARIABLE));
        }
        found = look(CGROUP, MAX_CGROUP, ContainerText::findInCgroup);
        if (found.isEmpty()) {
            found = look(MOUNTS, MAX_MOUNTS, ContainerText::findInMountinfo);
        }
        return found.orElseGet(this::nothingFound);
    }

    /// Only who could look may say that there is nothing.
    private Reading<String> nothingFound() {
        return context.files().exists(CGROUP) || context.files().exists(MOUNTS)
                ? Reading.known(NONE, context.fromFile(CGROUP))
                : Reading.notSupported(CGROUP + " does not exist");
    }

    private Optional<Reading<String>> look(String path, int maxBytes, Function<String, Optional<String>> parser) {
        return context.files()
                .findText(path, maxBytes)
                .flatMap(parser)
                .map(name -> Reading.known(name, context.fromFile(path)));
    }

    private static Optional<String> findName(String text) {
        String name = text.strip();
        return name.isEmpty() || name.length() > MAX_NAME ? Optional.empty() : Optional.of(name);
    }
}
