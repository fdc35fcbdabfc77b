// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.session;

import dev.muster.cli.option.CommandException;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.detect.host.DetectException;
import dev.muster.detect.hwloc.HwlocDocument;

/// Files of hwloc given as registries. A class of its own, so that nothing of it is loaded where no file is read
/// (docs/decisions/0004).
public final class HwlocInput {
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private HwlocInput() {}

    /// Reports whether a document is XML: it begins with `<`, as no JSON does, behind a byte order mark or white
    /// space.
    public static boolean isXml(byte[] utf8) {
        int at = startsWithMark(utf8) ? BYTE_ORDER_MARK.length : 0;
        while (at < utf8.length && isBlank(utf8[at])) {
            at++;
        }
        return at < utf8.length && utf8[at] == '<';
    }

    private static boolean startsWithMark(byte[] utf8) {
        for (int i = 0; i < BYTE_ORDER_MARK.length; i++) {
            if (utf8.length <= i || utf8[i] != BYTE_ORDER_MARK[i]) {
                return false;
            }
        }
        return true;
    }

    private static boolean isBlank(byte value) {
        return value == ' ' || value == '\t' || value == '\n' || value == '\r';
    }

    /// Reads what `lstopo --of xml` wrote.
    ///
    /// @param name the file for people
    /// @throws CommandException if it is something else
    static AcceleratorRegistry read(byte[] utf8, String name) {
        try {
            return HwlocDocument.read(utf8);
        } catch (DetectException e) {
            throw new CommandException("cannot read a registry from " + name, e);
        }
    }
}
