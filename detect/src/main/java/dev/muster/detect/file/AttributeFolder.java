// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.file;

import dev.muster.core.Gap;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.host.HostAnswer;
import dev.muster.detect.host.HostFiles;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/// A folder of the kernel's with one value per file, as sysfs has them. Each value comes as a reading with its file as
/// the source; a file that is there but cannot be read is also reported as a gap. Confined to one thread.
public final class AttributeFolder {
    private static final int MAX_NODES = 4096;
    private static final int MAX_VALUE = 4096;
    private static final int DECIMAL = 10;
    private static final int HEXADECIMAL = 16;
    /// Replacement of bytes that are not UTF-8.
    private static final char REPLACED = '\ufffd';

    private final HostFiles files;
    private final Instant now;
    private final Consumer<Gap> gaps;
    private final String path;

    /// A folder of a host.
    ///
    /// @param now the time of the observation
    /// @param gaps told of each file that could not be read
    public AttributeFolder(HostFiles files, Instant now, Consumer<Gap> gaps, String path) {
        this.files = files;
        this.now = now;
        this.gaps = gaps;
        this.path = path;
    }

    /// The folder's own path.
    public String path() {
        return path;
    }

    /// A folder below this one.
    public AttributeFolder folder(String name) {
        return new AttributeFolder(files, now, gaps, path + "/" + name);
    }

    /// Reports whether there is such a file or folder.
    public boolean has(String name) {
        return files.exists(path + "/" + name);
    }

    /// The value as text, without white space around it and without NUL bytes; an empty file is unknown, and so is
    /// one with bytes that are not text.
    public Reading<String> text(String name) {
        return reading(name, text -> text.indexOf(REPLACED) < 0 ? Optional.of(text) : Optional.empty());
    }

    /// The value as a decimal number from 0 on.
    public Reading<Long> count(String name) {
        return reading(name, text -> number(text, DECIMAL).filter(value -> value >= 0));
    }

    /// The value as a decimal number that may be negative.
    public Reading<Long> number(String name) {
        return reading(name, text -> number(text, DECIMAL));
    }

    /// The value as the number of a NUMA node; -1, which the kernel writes where the firmware is silent, is unknown.
    public Reading<Long> node(String name) {
        Reading<Long> node = reading(name, text -> number(text, DECIMAL).filter(value -> value < MAX_NODES));
        return node.matches(number -> number < 0)
                ? Reading.notSupported("the kernel does not report the NUMA node")
                : node;
    }

    /// The value as a hexadecimal number, with or without `0x`, of at most 63 bits.
    public Reading<Long> hex(String name) {
        return reading(name, text -> number(text.startsWith("0x") ? text.substring(2) : text, HEXADECIMAL));
    }

    /// The value as a number of bytes.
    public Reading<Bytes> bytes(String name) {
        return count(name).map(Bytes::new);
    }

    /// The value, converted; text that the conversion cannot make sense of is unknown.
    public <T> Reading<T> reading(String name, Function<String, Optional<T>> conversion) {
        String file = path + "/" + name;
        HostAnswer<String> outcome = files.read(file, MAX_VALUE);
        // Not a switch: one over types makes classes at start-up (docs/decisions/0004).
        if (outcome instanceof HostAnswer.Found(String raw)) {
            return convert(name, clean(raw), conversion);
        }
        if (outcome instanceof HostAnswer.NotPermitted<String>) {
            return Reading.unknown(UnknownReason.NOT_PERMITTED, file + ": permission denied");
        }
        if (outcome instanceof HostAnswer.Unreadable(String message)) {
            gaps.accept(new Gap.FileUnreadable(file, message));
            return Reading.unknown(UnknownReason.UNREADABLE, file + ": " + message);
        }
        return Reading.notSupported(file + " does not exist");
    }

    private <T> Reading<T> convert(String name, String text, Function<String, Optional<T>> conversion) {
        String file = path + "/" + name;
        if (text.isEmpty()) {
            return Reading.notSupported(file + " is empty");
        }
        Optional<T> value = conversion.apply(text);
        return value.isPresent()
                ? Reading.known(value.get(), source(name))
                : Reading.unknown(UnknownReason.UNREADABLE, file + " reports '" + shorten(text) + "'");
    }

    /// Returns the source of a file's facts.
    public Provenance source(String name) {
        return Provenance.of(path + "/" + name, Provenance.Method.FILE, Provenance.Confidence.MEASURED)
                .withObservedAt(now);
    }

    private static String clean(String raw) {
        return raw.replace("\0", "").strip();
    }

    private static Optional<Long> number(String text, int radix) {
        try {
            return Optional.of(Long.parseLong(text, radix));
        } catch (NumberFormatException _) {
            return Optional.empty();
        }
    }

    private static String shorten(String text) {
        return text.length() > 40 ? text.substring(0, 40) + "…" : text;
    }
}
