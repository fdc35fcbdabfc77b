// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.json.DocumentException;
import dev.muster.core.json.RegistryDocument;
import dev.muster.detect.file.PrivateFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// A registry in a file that later processes of the same user read. When it is believed is said by [RegistryHolder].
final class RegistryFile {
    private static final String DOCUMENT = "registry.json";
    private static final String ORIGIN = "registry.origin";
    private static final int MAX_ORIGIN = 4096;
    private static final String BOOT = "/proc/sys/kernel/random/boot_id";

    private final Detector detector;
    private final PrivateFile document;
    private final PrivateFile origin;

    RegistryFile(Detector detector, Path folder) {
        this.detector = detector;
        this.document = PrivateFile.of(folder, DOCUMENT);
        this.origin = PrivateFile.of(folder, ORIGIN);
    }

    void delete() {
        try {
            document.delete();
            origin.delete();
        } catch (IOException e) {
            say("the cached registry cannot be deleted", e);
        }
    }

    /// Returns the stored registry, if the file is trusted and younger than the given time.
    Optional<Content> find(Duration ttl) {
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
                    .map(age -> new Content(remembered(registry, observed.get()), age));
        } catch (IOException | DocumentException e) {
            say("the cached registry is not used", e);
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

    void write(AcceleratorRegistry registry) {
        Optional<Instant> observed = registry.observedAt().find();
        byte[] bytes = RegistryDocument.write(registry).getBytes(StandardCharsets.UTF_8);
        if (observed.isEmpty() || bytes.length > RegistryDocument.MAX_BYTES) {
            return;
        }
        try {
            document.write(bytes);
            origin.write(originOf(observed.get()).getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            say("the registry is not cached", e);
        }
    }

    /// Homes are shared between hosts, and questions differ. The time ties this file to the one beside it.
    private String originOf(Instant observed) {
        String boot =
                detector.host().files().findText(BOOT, MAX_ORIGIN).orElse("").strip();
        return "boot " + boot + "\nasked " + detector.request().describe() + "\nobserved " + observed + "\n";
    }

    private void say(String what, Exception why) {
        detector.log().log(System.Logger.Level.DEBUG, () -> what + ": " + why.getMessage());
    }

    /// A registry of an earlier process.
    ///
    /// @param registry the registry
    /// @param age time since the observation
    record Content(AcceleratorRegistry registry, Duration age) {}
}
