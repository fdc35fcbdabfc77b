// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.hwloc;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.text.Amount;
import java.util.Optional;

/// Makes readings of what a file says.
final class HwlocFacts {
    /// A file remembers: none of its facts was observed just now.
    static final Provenance SOURCE = Provenance.of("hwloc", Provenance.Method.DOCUMENT, Provenance.Confidence.STATED);

    /// More than any memory or drive holds: 1 EiB.
    private static final long MAX_KIB = 1L << 50;

    private HwlocFacts() {}

    /// Returns a reading of the value, or one that says that the file lacks it.
    ///
    /// @param what the thing in words, such as `the memory`
    static <T> Reading<T> reading(Optional<T> found, String what) {
        return Reading.of(found, SOURCE, "the hwloc file does not state " + what);
    }

    static <T> Reading<T> missing(String why) {
        return Reading.notSupported(why);
    }

    /// A size, which hwloc writes in KiB, with or without the unit; 0 stands for none.
    static Optional<Bytes> findKib(String text) {
        String digits = text.endsWith("KiB") ? text.substring(0, text.length() - 3) : text;
        return Amount.count(digits, MAX_KIB).filter(kib -> kib > 0).map(Bytes::ofKib);
    }
}
