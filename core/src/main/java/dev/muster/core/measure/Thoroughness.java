// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.measure;

import java.time.Duration;
import java.util.Locale;

/// The time spent on a measurement.
///
/// @since 0.1
public enum Thoroughness {
    /// A look: each rate in a third of a second.
    QUICK(3, Duration.ofMillis(300)),
    /// Enough to trust: eleven samples of a tenth of a second, more than a second without pause.
    FULL(11, Duration.ofMillis(1100));

    /// The least duration of one sample.
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

    /// The number of samples.
    public int samples() {
        return samples;
    }

    /// The least duration of all samples together.
    public Duration sustained() {
        return sustained;
    }
}
