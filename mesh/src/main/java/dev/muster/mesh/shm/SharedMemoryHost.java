package dev.muster.mesh.shm;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// A host as far as sharing memory goes. Ranks whose hosts have the same id try to share memory; whether they
/// can is seen when they do.
///
/// @param id the same for all processes of a host, and for no other host
/// @param directory where files lie in memory
/// @since 0.1
public record SharedMemoryHost(String id, Path directory) {
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");
    private static final Path DIRECTORY = Path.of("/dev/shm");

    /// Checks the id.
    public SharedMemoryHost {
        if (id.isBlank()) {
            throw new IllegalArgumentException("a host has an id");
        }
    }

    /// This host: the kernel's number of this boot, or the host's name where there is none.
    public static SharedMemoryHost ofThisHost() {
        return new SharedMemoryHost(idOfThisHost(), DIRECTORY);
    }

    private static String idOfThisHost() {
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
