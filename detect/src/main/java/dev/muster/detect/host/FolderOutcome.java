// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.host;

import java.util.List;

/// The result of listing a folder.
///
/// @since 0.1
public sealed interface FolderOutcome {
    /// The folder was listed.
    ///
    /// @param names the names in it, in the order in which people count: `card2` before `card10`
    record Names(List<String> names) implements FolderOutcome {
        /// Copies the list.
        public Names {
            names = List.copyOf(names);
        }
    }

    /// The folder does not exist.
    record Missing() implements FolderOutcome {}

    /// The folder is there but could not be listed.
    ///
    /// @param message the problem
    record Unreadable(String message) implements FolderOutcome {}
}
