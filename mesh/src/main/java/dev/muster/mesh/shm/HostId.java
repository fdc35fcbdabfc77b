package dev.muster.mesh.shm;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// What tells this host from all others: the kernel's number of this boot, or the host's name where there is none.
/// Ranks whose hosts have the same id try to share memory; whether they can is seen when they do.
public final class HostId {
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

    private HostId() {}

    /// The id of this host.
    public static String ofThisHost() {
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
