// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.text;

import java.util.BitSet;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// A set of logical processors, as the kernel writes them: a list such as `0-3,8`, or a mask such as
/// `00000000,000000ff`. Immutable.
public final class CpuSet {
    /// No processor.
    public static final CpuSet NONE = new CpuSet(new BitSet());

    /// More than any machine has.
    private static final int MAX_CPUS = 1 << 16;

    private static final int BITS_PER_DIGIT = 4;
    private static final int HEXADECIMAL = 16;
    private static final long NO_NUMBER = -1;

    private final BitSet cpus;

    private CpuSet(BitSet cpus) {
        this.cpus = cpus;
    }

    /// Reads a list; a blank one is the empty set, as a node without processors has it.
    public static Optional<CpuSet> parseList(String text) {
        BitSet cpus = new BitSet();
        for (String part : text.strip().split(",")) {
            if (!part.isBlank() && !addRange(cpus, part.strip())) {
                return Optional.empty();
            }
        }
        return Optional.of(new CpuSet(cpus));
    }

    private static boolean addRange(BitSet cpus, String range) {
        int dash = range.indexOf('-');
        int first = number(dash < 0 ? range : range.substring(0, dash));
        int last = dash < 0 ? first : number(range.substring(dash + 1));
        if (first < 0 || last < first) {
            return false;
        }
        cpus.set(first, last + 1);
        return true;
    }

    private static int number(String digits) {
        return Amount.count(digits, MAX_CPUS - 1).orElse(NO_NUMBER).intValue();
    }

    /// Reads a mask of hexadecimal digits, the lowest processors last.
    public static Optional<CpuSet> parseMask(String text) {
        String digits = text.strip().replace(",", "");
        if (digits.isEmpty() || digits.length() > MAX_CPUS / BITS_PER_DIGIT) {
            return Optional.empty();
        }
        BitSet cpus = new BitSet();
        for (int i = 0; i < digits.length(); i++) {
            int digit = Character.digit(digits.charAt(digits.length() - 1 - i), HEXADECIMAL);
            if (digit < 0) {
                return Optional.empty();
            }
            for (int bit = 0; bit < BITS_PER_DIGIT; bit++) {
                cpus.set(i * BITS_PER_DIGIT + bit, (digit >> bit & 1) == 1);
            }
        }
        return Optional.of(new CpuSet(cpus));
    }

    /// Returns the number of processors in it.
    public int count() {
        return cpus.cardinality();
    }

    /// Reports whether it is empty.
    public boolean isEmpty() {
        return cpus.isEmpty();
    }

    /// Reports whether all of its processors are in another set too; the empty set is part of none.
    public boolean isPartOf(CpuSet other) {
        BitSet rest = (BitSet) cpus.clone();
        rest.andNot(other.cpus);
        return !isEmpty() && rest.isEmpty();
    }

    /// The processors that are not in another set.
    public CpuSet without(CpuSet other) {
        BitSet rest = (BitSet) cpus.clone();
        rest.andNot(other.cpus);
        return new CpuSet(rest);
    }

    /// The processor with the lowest number.
    public OptionalInt findFirst() {
        return findFrom(0);
    }

    /// The processor with the lowest number that is not below the given one.
    public OptionalInt findFrom(int number) {
        int next = cpus.nextSetBit(number);
        return next < 0 ? OptionalInt.empty() : OptionalInt.of(next);
    }

    /// The processor with the highest number.
    public OptionalInt findLast() {
        return isEmpty() ? OptionalInt.empty() : OptionalInt.of(cpus.length() - 1);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof CpuSet that && cpus.equals(that.cpus);
    }

    @Override
    public int hashCode() {
        return cpus.hashCode();
    }

    @Override
    public String toString() {
        return cpus.toString();
    }
}
