package dev.muster.detect;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.json.DocumentException;
import dev.muster.core.json.RegistryDocument;
import dev.muster.detect.host.FileOutcome;
import dev.muster.detect.host.PrivateFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.LongSupplier;

/// Remembers what a detector found for a while, in memory and in a file that later processes of the same user read.
/// Safe to share between threads and processes: a fresh registry is read without a lock, and callers of one process
/// that find none at the same time share one detection.
///
/// The file is believed only if it is the user's own and nobody else may write to it, if it is younger than the time to
/// live by its own word and by its file's time and not from the future, and if the same question was asked since the
/// same start of the same host. Otherwise, and whenever it cannot be read, the host is asked. The facts of a remembered
/// registry keep their provenance; the one of `observedAt` says that a document told it.
///
/// A detection in which a probe failed or ran out of time is not written to the file.
///
/// @since 0.1
public final class DiskCachedRegistry {
    private static final String DOCUMENT = "registry.json";
    private static final String ORIGIN = "registry.origin";
    private static final int MAX_ORIGIN = 4096;
    private static final String BOOT = "/proc/sys/kernel/random/boot_id";

    private final Detector detector;
    private final PrivateFile document;
    private final PrivateFile origin;
    private final LongSupplier nanoTime;
    private final RegistryCell cell;

    private DiskCachedRegistry(Detector detector, Duration ttl, Path folder, LongSupplier nanoTime) {
        this.detector = detector;
        this.document = PrivateFile.of(folder, DOCUMENT);
        this.origin = PrivateFile.of(folder, ORIGIN);
        this.nanoTime = nanoTime;
        this.cell = new RegistryCell(ttl, detector.patience(), nanoTime, () -> take(ttl));
    }

    /// Remembers what a detector found.
    ///
    /// @param ttl how long, counted from the detection; zero to detect each time and to write nothing
    /// @param folder a folder of Muster's own, such as `~/.cache/muster`; made if it is not there
    /// @throws IllegalArgumentException if the time is negative
    public static DiskCachedRegistry of(Detector detector, Duration ttl, Path folder) {
        return of(detector, ttl, folder, System::nanoTime);
    }

    static DiskCachedRegistry of(Detector detector, Duration ttl, Path folder, LongSupplier nanoTime) {
        return new DiskCachedRegistry(detector, ttl, folder, nanoTime);
    }

    /// The registry: the remembered one if it is fresh, else a new one. Waits for another caller's detection no longer
    /// than the detector may take, and then detects by itself.
    public AcceleratorRegistry get() {
        return cell.get();
    }

    /// How old the registry in memory is; nothing before the first call and after an invalidation.
    public Optional<Duration> age() {
        return cell.age();
    }

    /// Whether the next call would be answered from memory.
    public boolean isFresh() {
        return cell.isFresh();
    }

    /// How long a registry is remembered.
    public Duration ttl() {
        return cell.ttl();
    }

    /// Forgets the registry, and deletes the file.
    public void invalidate() {
        cell.invalidate();
        try {
            document.delete();
            origin.delete();
        } catch (IOException e) {
            say("the remembered registry stays", e);
        }
    }

    private RegistryCell.Kept take(Duration ttl) {
        if (ttl.isZero()) {
            return new RegistryCell.Kept(detector.detect(), nanoTime.getAsLong());
        }
        Optional<RegistryCell.Kept> remembered = findRemembered(ttl);
        if (remembered.isPresent()) {
            return remembered.get();
        }
        long started = nanoTime.getAsLong();
        AcceleratorRegistry registry = detector.detect();
        if (!Detector.isCutShort(registry) && !Thread.currentThread().isInterrupted()) {
            write(registry);
        }
        return new RegistryCell.Kept(registry, started);
    }

    private Optional<RegistryCell.Kept> findRemembered(Duration ttl) {
        try {
            Optional<PrivateFile.Content> content = document.read(RegistryDocument.MAX_BYTES);
            if (content.isEmpty()) {
                return Optional.empty();
            }
            AcceleratorRegistry registry = RegistryDocument.read(content.get().bytes());
            Optional<Instant> observed = registry.observedAt().find();
            if (observed.isEmpty() || !isOfThisHost(observed.get())) {
                return Optional.empty();
            }
            return findAge(observed.get(), content.get().modified())
                    .filter(age -> age.compareTo(ttl) < 0)
                    .map(age -> new RegistryCell.Kept(
                            remembered(registry, observed.get()), nanoTime.getAsLong() - age.toNanos()));
        } catch (IOException | DocumentException e) {
            say("the remembered registry is not used", e);
            return Optional.empty();
        }
    }

    /// The greater of both ages: either clock may have been set back. Nothing if one lies in the future.
    private Optional<Duration> findAge(Instant observed, Instant modified) {
        Instant now = detector.host().clock().instant();
        Instant oldest = observed.isBefore(modified) ? observed : modified;
        return now.isBefore(observed) || now.isBefore(modified)
                ? Optional.empty()
                : Optional.of(Duration.between(oldest, now));
    }

    private boolean isOfThisHost(Instant observed) throws IOException {
        return origin.read(MAX_ORIGIN)
                .map(content -> new String(content.bytes(), StandardCharsets.UTF_8))
                .filter(originOf(observed)::equals)
                .isPresent();
    }

    private static AcceleratorRegistry remembered(AcceleratorRegistry registry, Instant observed) {
        Provenance source = Provenance.of(DOCUMENT, Provenance.Method.DOCUMENT, Provenance.Confidence.STATED);
        return new AcceleratorRegistry(
                registry.referenceSchema(),
                registry.profiles(),
                registry.gaps(),
                registry.systemIo(),
                registry.topology(),
                Reading.known(observed, source));
    }

    private void write(AcceleratorRegistry registry) {
        Optional<Instant> observed = registry.observedAt().find();
        byte[] bytes = RegistryDocument.write(registry).getBytes(StandardCharsets.UTF_8);
        if (observed.isEmpty() || bytes.length > RegistryDocument.MAX_BYTES) {
            return;
        }
        try {
            document.write(bytes);
            origin.write(originOf(observed.get()).getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            say("the registry is not remembered", e);
        }
    }

    /// Homes are shared between hosts, and questions differ. The time ties this file to the one beside it.
    private String originOf(Instant observed) {
        String boot = detector.host().files().read(BOOT, MAX_ORIGIN) instanceof FileOutcome.Content(String text)
                ? text.strip()
                : "";
        return "boot " + boot + "\nasked " + detector.request().describe() + "\nobserved " + observed + "\n";
    }

    private void say(String what, Exception why) {
        detector.log().log(System.Logger.Level.DEBUG, () -> what + ": " + why.getMessage());
    }
}
