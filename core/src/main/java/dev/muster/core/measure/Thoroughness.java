// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.measure;

import java.time.Duration;
import java.util.Locale;

/// How much time is spent on a measurement.
///
/// @since 0.1
public enum Thoroughness {
    /// A look: each rate in a third of a second.
    QUICK(3, Duration.ofMillis(300)),
    /// Enough to trust: eleven samples of a tenth of a second, more than a second without pause.
    FULL(11, Duration.ofMillis(1100));

    /// How long one sample takes at least.
    public static final Duration SAMPLE = Duration.ofMillis(100);

    private final String text = name().toLowerCase(Locale.ROOT);
    private final int samples;
    private final Duration sustained;

    Thoroughness(int samples, Duration sustained) {
        this.samples = samples;
        this.sustained = sustained;
    }

    /// The word in documents.
    public String text() {
        return text;
    }

    /// How many samples are taken.
    public int samples() {
        return samples;
    }

    /// How long all samples take together at least.
    public Duration sustained() {
        return sustained;
    }
}
