// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.host;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// A host that a test makes up, or that it fills from a recorded tree of files.
public final class HostSketch {
    public static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");

    private static final int MAX_FILE = 64 << 20;

    private final HostBuilder builder = new HostBuilder().now(NOW);

    public HostSketch() {}

    public HostSketch file(String path, String text) {
        builder.file(path, text);
        return this;
    }

    public HostSketch folder(String path) {
        builder.folder(path);
        return this;
    }

    public HostSketch link(String path, String target) {
        builder.link(path, target);
        return this;
    }

    /// A PCI device with all that the kernel says about it in `uevent`.
    ///
    /// @param id vendor and device, such as `10DE:2330`
    /// @param classCode such as `30200`
    public HostSketch pci(String address, String id, String classCode, String driver) {
        String folder = "/sys/bus/pci/devices/" + address;
        String line = driver.isEmpty() ? "" : "DRIVER=" + driver + "\n";
        return file(folder + "/uevent", line + "PCI_CLASS=" + classCode + "\nPCI_ID=" + id + "\n");
    }

    public HostSketch variable(String name, String value) {
        builder.variable(name, value);
        return this;
    }

    public HostSketch system(OperatingSystem value) {
        builder.system(value);
        return this;
    }

    /// A tool that succeeds.
    ///
    /// @param line the tool and its arguments, with blanks between; `*` as the last stands for any further ones
    public HostSketch tool(String line, String output) {
        return tool(line, 0, output, "");
    }

    public HostSketch tool(String line, int exitCode, String output, String error) {
        return tool(line, exitCode, output, error, Duration.ofMillis(20));
    }

    public HostSketch tool(String line, int exitCode, String output, String error, Duration took) {
        List<String> words = List.of(line.split(" "));
        builder.tool(words.getFirst(), words.subList(1, words.size()), exitCode, output, error, took);
        return this;
    }

    /// The tree of a tar archive, its folder names put behind a prefix.
    ///
    /// @param archive the unpacked stream
    /// @param strip the part of each name to leave out
    /// @param prefix replacement, such as `/sys/class/drm`
    public HostSketch tar(InputStream archive, String strip, String prefix) throws IOException {
        TarReader reader = new TarReader(archive, MAX_FILE, Long.MAX_VALUE);
        for (Optional<TarReader.Entry> next = reader.next(); next.isPresent(); next = reader.next()) {
            TarReader.Entry entry = next.get();
            String name = entry.name().startsWith("./") ? entry.name().substring(2) : entry.name();
            name = name.endsWith("/") ? name.substring(0, name.length() - 1) : name;
            if (!name.startsWith(strip)) {
                continue;
            }
            String rest = name.substring(strip.length());
            String path = prefix + (rest.isEmpty() || rest.startsWith("/") ? rest : "/" + rest);
            if (path.isEmpty()) {
                continue;
            }
            switch (entry.kind()) {
                case FILE -> builder.file(path, entry.content());
                case FOLDER -> builder.folder(path);
                case LINK -> builder.link(path, entry.link());
                case OTHER -> {}
            }
        }
        return this;
    }

    public Host host() {
        return builder.build();
    }
}
