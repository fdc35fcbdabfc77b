// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.hwloc;

import dev.muster.detect.host.DetectException;
import java.io.Serial;

/// A text is not what `lstopo --of xml` writes. The message is one sentence for people: what is wrong, and where.
final class HwlocFormatException extends DetectException {
    @Serial
    private static final long serialVersionUID = 1L;

    HwlocFormatException(String message) {
        super(message);
    }

    HwlocFormatException(String message, Throwable cause) {
        super(message, cause);
    }
}
