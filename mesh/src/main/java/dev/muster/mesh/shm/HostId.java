// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.shm;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// The identity of this host: the kernel's number of this boot, or the host's name where there is none, and
/// which file system in memory it has, since containers of one host may have one each. Ranks whose hosts have the same
/// id try to share memory; whether they can is seen when they do.
public final class HostId {
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

    private HostId() {}

    /// The id of this host.
    ///
    /// @param sharedMemory the folder whose files lie in memory
    public static String ofThisHost(Path sharedMemory) {
        return bootOrName() + fileSystem(sharedMemory);
    }

    private static String fileSystem(Path folder) {
        try {
            return "-" + Files.getAttribute(folder, "unix:dev");
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return ""; // it is not there, or has no number
        }
    }

    private static String bootOrName() {
        try {
            String boot = Files.readString(BOOT_ID, StandardCharsets.UTF_8).strip();
            if (!boot.isEmpty()) {
                return boot;
            }
        } catch (IOException e) {
            return hostName(); // not Linux, or hidden by a container
        }
        return hostName();
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (IOException e) {
            return "host";
        }
    }
}
