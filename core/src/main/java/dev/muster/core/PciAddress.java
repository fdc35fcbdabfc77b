// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import java.util.Optional;

/// The address of a device on the PCI bus. Tools write the same address in several ways (`0000:3b:00.0`, `3B:00.0`,
/// `00000000:3B:00.0`); all of them read as equal values.
///
/// @param domain the domain, 0 on most machines
/// @param bus the bus, 0 to 255
/// @param device the device, 0 to 31
/// @param function the function, 0 to 7
/// @since 0.1
public record PciAddress(int domain, int bus, int device, int function) implements Comparable<PciAddress> {
    /// The end of every form: `3b:00.0`.
    private static final int SHORT_LENGTH = 7;
    private static final int LEAST_DOMAIN_DIGITS = 4;
    private static final int MOST_DOMAIN_DIGITS = 8;
    private static final int NO_NUMBER = -1;
    private static final int HEXADECIMAL = 16;
    private static final int MAX_BUS = 255;
    private static final int MAX_DEVICE = 31;
    private static final int MAX_FUNCTION = 7;

    /// Checks bus, device and function.
    public PciAddress {
        if (bus < 0 || bus > MAX_BUS || device < 0 || device > MAX_DEVICE || function < 0 || function > MAX_FUNCTION) {
            throw new IllegalArgumentException(
                    "no PCI address: bus " + bus + ", device " + device + ", function " + function);
        }
    }

    /// Reads an address, with or without its domain.
    public static Optional<PciAddress> find(String text) {
        String form = text.strip();
        int start = form.length() - SHORT_LENGTH;
        if (start < 0 || form.charAt(start + 2) != ':' || form.charAt(start + 5) != '.') {
            return Optional.empty();
        }
        // A domain has a colon behind it; without one, it is 0.
        int digits = start - 1;
        boolean hasDomain = start > 0;
        if (hasDomain && (form.charAt(digits) != ':' || digits < LEAST_DOMAIN_DIGITS || digits > MOST_DOMAIN_DIGITS)) {
            return Optional.empty();
        }
        long domain = hasDomain ? hex(form, 0, digits) : 0;
        int bus = (int) hex(form, start, start + 2);
        int device = (int) hex(form, start + 3, start + 5);
        int function = (int) hex(form, start + 6, start + SHORT_LENGTH);
        boolean isPlace = bus >= 0 && device >= 0 && device <= MAX_DEVICE && function >= 0 && function <= MAX_FUNCTION;
        return isPlace && domain >= 0
                ? Optional.of(new PciAddress((int) domain, bus, device, function))
                : Optional.empty();
    }

    /// The number that some digits write.
    private static long hex(String text, int start, int end) {
        long value = 0;
        for (int i = start; i < end; i++) {
            int digit = text.charAt(i) < 128 ? Character.digit(text.charAt(i), HEXADECIMAL) : NO_NUMBER;
            if (digit < 0) {
                return NO_NUMBER;
            }
            value = value * HEXADECIMAL + digit;
        }
        return value;
    }

    @Override
    public int compareTo(PciAddress other) {
        int domains = Integer.compareUnsigned(domain, other.domain);
        return domains == 0 ? Integer.compare(place(), other.place()) : domains;
    }

    private int place() {
        return bus << 8 | device << 3 | function;
    }

    /// The address as Linux writes it: `0000:3b:00.0`.
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(12);
        padded(text, domain, LEAST_DOMAIN_DIGITS).append(':');
        padded(text, bus, 2).append(':');
        padded(text, device, 2).append('.');
        return text.append(function).toString();
    }

    private static StringBuilder padded(StringBuilder text, int value, int least) {
        String digits = Integer.toHexString(value);
        return text.repeat('0', Math.max(0, least - digits.length())).append(digits);
    }
}
