// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.environment;

import java.util.List;
import java.util.Optional;

/// Reads traces of containers out of files of the kernel.
final class ContainerText {
    /// A trace and the container it is of. The order matters: containerd keeps Docker's containers too.
    private static final String[][] CGROUP_TRACES = {
        {"docker", "docker"},
        {"libpod", "podman"},
        {"crio-", "cri-o"},
        {"containerd", "containerd"},
        {"/lxc/", "lxc"},
        {"lxc.payload", "lxc"},
    };
    private static final String[][] MOUNT_TRACES = {
        {"/docker/containers/", "docker"},
        {"/docker/overlay2/", "docker"},
        {"containerd", "containerd"},
        {"/overlay-containers/", "podman"},
        {"/containers/storage/", "podman"},
        {"/var/lib/lxc/", "lxc"},
    };
    /// Mount points of a container's own files; elsewhere a host mounts those of its containers.
    private static final List<String> OWN_MOUNTS = List.of("/", "/etc/hostname", "/etc/hosts", "/etc/resolv.conf");

    private static final int MOUNT_POINT = 4;

    private ContainerText() {}

    /// Reads `/proc/1/cgroup`: the first process's groups carry the container's name.
    static Optional<String> findInCgroup(String text) {
        return find(text, CGROUP_TRACES);
    }

    /// Reads `/proc/self/mountinfo`, for containers that see no group but their own.
    static Optional<String> findInMountinfo(String text) {
        for (String line : text.split("\n")) {
            String[] fields = line.split(" ");
            if (fields.length > MOUNT_POINT && OWN_MOUNTS.contains(fields[MOUNT_POINT])) {
                Optional<String> found = find(line, MOUNT_TRACES);
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<String> find(String text, String[][] traces) {
        for (String[] trace : traces) {
            if (text.contains(trace[0])) {
                return Optional.of(trace[1]);
            }
        }
        return Optional.empty();
    }
}
