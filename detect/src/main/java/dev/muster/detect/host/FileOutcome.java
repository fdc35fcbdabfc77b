// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.host;

/// The result of reading a file.
///
/// @since 0.1
public sealed interface FileOutcome {
    /// The file was read.
    ///
    /// @param text its content; bytes that are not UTF-8 are replaced
    record Content(String text) implements FileOutcome {}

    /// The file does not exist.
    record Missing() implements FileOutcome {}

    /// The file is there but this process may not read it.
    record NotPermitted() implements FileOutcome {}

    /// The file is there but could not be read.
    ///
    /// @param message the problem
    record Unreadable(String message) implements FileOutcome {
        private static final String NO_FILE = "is not a regular file";
        private static final String TOO_LONG = "more than ";

        /// A pipe, a socket or a device stands where a file should: to open one could take for ever.
        static Unreadable notRegular() {
            return new Unreadable(NO_FILE);
        }

        /// The file has more bytes than are read.
        static Unreadable tooLong(int maxBytes) {
            return new Unreadable(TOO_LONG + maxBytes + " bytes");
        }

        /// Reports whether it was not fit to be read. Files of the kernel refuse to be read now and then; none is like
        /// that.
        public boolean isRefused() {
            return message.equals(NO_FILE) || message.startsWith(TOO_LONG);
        }
    }
}
