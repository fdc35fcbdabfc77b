package dev.muster.core;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Where a device sits on the PCI bus. Tools write the same address in several ways (`0000:3b:00.0`, `3B:00.0`,
/// `00000000:3B:00.0`); all of them read as equal values.
///
/// @param domain the domain, 0 on most machines
/// @param bus the bus, 0 to 255
/// @param device the device, 0 to 31
/// @param function the function, 0 to 7
/// @since 0.1
public record PciAddress(int domain, int bus, int device, int function) implements Comparable<PciAddress> {
    private static final Pattern FORM =
            Pattern.compile("(?:([0-9a-fA-F]{4,8}):)?([0-9a-fA-F]{2}):([0-9a-fA-F]{2})\\.([0-7])");
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
        Matcher matcher = FORM.matcher(text.strip());
        if (!matcher.matches()) {
            return Optional.empty();
        }
        String domain = matcher.group(1);
        int device = hex(matcher.group(3));
        return device > MAX_DEVICE
                ? Optional.empty()
                : Optional.of(new PciAddress(
                        domain == null ? 0 : hex(domain), hex(matcher.group(2)), device, hex(matcher.group(4))));
    }

    private static int hex(String digits) {
        return Integer.parseUnsignedInt(digits, 16);
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
        return String.format(Locale.ROOT, "%04x:%02x:%02x.%x", domain, bus, device, function);
    }
}
