// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.file;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.Gap;
import dev.muster.core.json.DocumentException;
import dev.muster.core.json.RegistryDocument;
import dev.muster.core.text.HostList;
import dev.muster.core.text.NaturalOrder;
import dev.muster.detect.DetectBuilder;
import dev.muster.detect.host.Deadline;
import dev.muster.detect.host.DetectException;
import dev.muster.detect.host.RecordedHost;
import dev.muster.fleet.Fleet;
import dev.muster.fleet.FleetDocument;
import dev.muster.fleet.FleetException;
import dev.muster.fleet.FleetHost;
import dev.muster.fleet.FleetSource;
import dev.muster.fleet.HostReport;
import dev.muster.fleet.SourceKind;
import dev.muster.fleet.SourceReport;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// Hosts as they were saved: a fleet document, a registry document or a capture of one host, or a folder of such, of
/// which each file is a host named after it. Safe to share between threads.
record FileSource(Path path, System.Logger log) implements FleetSource {
    private static final Comparator<Path> ORDER = Comparator.comparing(Path::toString, NaturalOrder.INSTANCE);
    private static final List<String> ENDINGS = List.of(".json", ".tar.gz", ".tgz", ".tar");

    public static FileSource of(Path path, System.Logger log) {
        return new FileSource(path, log);
    }

    @Override
    public String name() {
        return "file:" + path;
    }

    @Override
    public SourceReport read(Duration limit) {
        Deadline deadline = Deadline.in(limit);
        try {
            if (Files.isDirectory(path) && !isCapture(path)) {
                return readFolder(deadline);
            }
            if (!Files.exists(path)) {
                throw new FleetException(name() + ": file not found");
            }
            if (Files.isRegularFile(path) && Files.size(path) == 0) {
                throw new FleetException(name() + ": the file is empty");
            }
            return isFleet(path) ? readFleet() : readHosts(List.of(path), deadline);
        } catch (IOException e) {
            throw new FleetException(name() + " cannot be read: " + e.getMessage(), e);
        } catch (DocumentException e) {
            throw new FleetException(name() + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static boolean isCapture(Path folder) {
        return Files.isRegularFile(folder.resolve("bundle.json"));
    }

    /// A fleet says so in its first line.
    private static boolean isFleet(Path file) throws IOException {
        if (Files.isDirectory(file)) {
            return false;
        }
        try (InputStream stream = Files.newInputStream(file)) {
            String start = new String(stream.readNBytes(200), StandardCharsets.UTF_8);
            return start.replaceAll("\\s", "").contains("\"kind\":\"fleet\"");
        }
    }

    private SourceReport readFleet() throws IOException {
        Fleet fleet;
        try (InputStream stream = new BufferedInputStream(Files.newInputStream(path))) {
            fleet = FleetDocument.read(stream);
        }
        List<HostReport> hosts = new ArrayList<>();
        for (FleetHost host : fleet.hosts()) {
            hosts.add(new HostReport(
                    host.name(),
                    host.registry(),
                    host.state(),
                    host.claims(),
                    host.domains(),
                    host.restrictions(),
                    host.labels()));
        }
        List<Gap> gaps = new ArrayList<>();
        fleet.sources().forEach(source -> gaps.addAll(source.gaps()));
        Instant oldest = fleet.sources().stream()
                .flatMap(source -> source.observedAt().find().stream())
                .min(Comparator.naturalOrder())
                .orElse(Files.getLastModifiedTime(path).toInstant());
        return new SourceReport(name(), SourceKind.SAVED, oldest, hosts, gaps);
    }

    private SourceReport readFolder(Deadline deadline) throws IOException {
        try (Stream<Path> files = Files.list(path)) {
            List<Path> hosts = files.filter(FileSource::isHost)
                    .limit(HostList.MAX_HOSTS)
                    .sorted(ORDER)
                    .toList();
            if (hosts.isEmpty()) {
                throw new FleetException(
                        name() + " holds no host; put registries there, as 'muster detect' writes them in JSON");
            }
            return readHosts(hosts, deadline);
        }
    }

    private static boolean isHost(Path file) {
        return Files.isDirectory(file) ? isCapture(file) : ENDINGS.stream().anyMatch(file.toString()::endsWith);
    }

    private SourceReport readHosts(List<Path> files, Deadline deadline) throws IOException {
        List<HostReport> hosts = new ArrayList<>();
        List<Gap> gaps = new ArrayList<>();
        Instant oldest = Instant.MAX;
        for (Path file : files) {
            if (deadline.hasPassed()) {
                throw new FleetException(name() + ": the time is up after " + hosts.size() + " of " + files.size()
                        + " files; allow more time");
            }
            try {
                AcceleratorRegistry registry = readHost(file, deadline);
                hosts.add(HostReport.ofDevices(hostName(file), registry));
                Instant seen = registry.observedAt()
                        .find()
                        .orElse(Files.getLastModifiedTime(file).toInstant());
                oldest = seen.isBefore(oldest) ? seen : oldest;
            } catch (DocumentException | DetectException e) {
                gaps.add(new Gap.Unparsable(file.toString(), String.valueOf(e.getMessage())));
            }
        }
        if (hosts.isEmpty()) {
            throw new FleetException(
                    name() + " cannot be read: " + gaps.getFirst().display());
        }
        return new SourceReport(name(), SourceKind.SAVED, oldest, hosts, gaps);
    }

    private AcceleratorRegistry readHost(Path file, Deadline deadline) throws IOException {
        if (!file.toString().endsWith(".json")) {
            return DetectBuilder.all()
                    .within(deadline.remaining().plusMillis(1))
                    .build(RecordedHost.open(file), log)
                    .detect();
        }
        try (InputStream stream = Files.newInputStream(file)) {
            return RegistryDocument.read(stream.readNBytes(RegistryDocument.MAX_BYTES + 1));
        }
    }

    private static String hostName(Path file) {
        String name = String.valueOf(file.getFileName());
        for (String ending : ENDINGS) {
            if (name.endsWith(ending) && name.length() > ending.length()) {
                return name.substring(0, name.length() - ending.length());
            }
        }
        return name;
    }
}
