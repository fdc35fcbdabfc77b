// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.host;

import org.jspecify.annotations.Nullable;

/// A bundle cannot be read or written. The message says what is wrong and where.
final class BundleException extends DetectException {
    private static final long serialVersionUID = 1;

    BundleException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    BundleException(String message) {
        this(message, null);
    }
}
