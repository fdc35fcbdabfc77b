// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The source of a fact. Immutable.
///
/// @since 0.1
public final class Provenance {
    /// A value that the caller supplied.
    public static final Provenance GIVEN = of("caller", Method.GIVEN, Confidence.STATED);

    private final String source;
    private final Method method;
    private final Confidence confidence;
    private final @Nullable Instant observedAt;

    private Provenance(String source, Method method, Confidence confidence, @Nullable Instant observedAt) {
        if (source.isBlank()) {
            throw new IllegalArgumentException("a source has a name");
        }
        this.source = source;
        this.method = method;
        this.confidence = confidence;
        this.observedAt = observedAt;
    }

    /// A source whose time of observation is not known or does not matter.
    public static Provenance of(String source, Method method, Confidence confidence) {
        return new Provenance(source, method, confidence, null);
    }

    /// The same source, observed at a time.
    public Provenance withObservedAt(Instant time) {
        return new Provenance(source, method, confidence, time);
    }

    /// The source by name: a file, a tool, a library, a document.
    public String source() {
        return source;
    }

    /// The method by which the source was read.
    public Method method() {
        return method;
    }

    /// The confidence in the fact.
    public Confidence confidence() {
        return confidence;
    }

    /// The time of the observation, if known.
    public Optional<Instant> observedAt() {
        return Optional.ofNullable(observedAt);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Provenance that
                && source.equals(that.source)
                && method == that.method
                && confidence == that.confidence
                && observedAt().equals(that.observedAt());
    }

    @Override
    public int hashCode() {
        return source.hashCode() * 31 + method.hashCode();
    }

    @Override
    public String toString() {
        return source + " (" + method.text() + ", " + confidence.text() + ")";
    }

    /// The method by which a source is read.
    public enum Method implements KebabCaseEnum {
        /// A file of the system was read.
        FILE,
        /// A program was run.
        COMMAND,
        /// A native library was called.
        NATIVE,
        /// An environment variable was read.
        ENVIRONMENT,
        /// A saved document was read: remembered, not observed.
        DOCUMENT,
        /// A table of known devices was consulted.
        CATALOGUE,
        /// The fact was computed from others.
        DERIVED,
        /// The caller supplied it.
        GIVEN;
    }

    /// The confidence in a fact.
    public enum Confidence implements KebabCaseEnum {
        /// The device, driver or system said so.
        MEASURED,
        /// A data sheet, document or person said so.
        STATED,
        /// A rule of thumb.
        ASSUMED;
    }
}
