// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import java.util.Locale;

/// An enumeration whose constants have a word in documents: their name in lower case, with `-` between its parts.
interface KebabCaseEnum {
    /// The constant's name.
    String name();

    /// The word in Muster's own documents and on its command line, such as `not-permitted`.
    default String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
