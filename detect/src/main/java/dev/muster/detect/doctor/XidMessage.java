// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.doctor;

import java.util.ArrayList;
import java.util.List;

/// An error of a GPU that NVIDIA's driver wrote to the kernel's log, such as
/// `NVRM: Xid (PCI:0000:3b:00): 79, pid=1234, GPU has fallen off the bus.`
///
/// @param place the GPU's domain, bus and device, such as `0000:3b:00`
/// @param number error number
record XidMessage(String place, int number) {
    private static final String START = "NVRM: Xid (PCI:";
    private static final String END = "): ";
    private static final String FIRST_DOMAIN = "0000:";
    private static final String PLACE = "[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}";
    private static final int MOST_DIGITS = 4;
    private static final int MOST = 10_000;

    /// The errors of a log, in its order. Lines that are none count for nothing.
    static List<XidMessage> parse(String log) {
        List<XidMessage> messages = new ArrayList<>();
        for (int at = log.indexOf(START); at >= 0 && messages.size() < MOST; at = log.indexOf(START, at + 1)) {
            int line = log.indexOf('\n', at);
            parseLine(log.substring(at + START.length(), line < 0 ? log.length() : line), messages);
        }
        return messages;
    }

    private static void parseLine(String rest, List<XidMessage> messages) {
        int end = rest.indexOf(END);
        if (end < 0) {
            return;
        }
        // Old drivers leave the first domain out; new ones may add the function.
        String written = rest.substring(0, end);
        String place = written.length() == 5 ? FIRST_DOMAIN + written : written;
        int point = place.indexOf('.');
        place = point < 0 ? place : place.substring(0, point);
        int digits = end + END.length();
        while (digits < rest.length() && Character.isDigit(rest.charAt(digits))) {
            digits++;
        }
        String number = rest.substring(end + END.length(), digits);
        if (place.matches(PLACE) && number.matches("[0-9]{1," + MOST_DIGITS + "}")) {
            messages.add(new XidMessage(place, Integer.parseInt(number)));
        }
    }
}
