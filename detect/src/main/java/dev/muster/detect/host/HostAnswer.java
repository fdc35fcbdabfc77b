// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.host;

/// The answer of a host to a read: the text of a file, the names in a folder, the path of a library.
///
/// @param <T> type of the content
/// @since 0.2
public sealed interface HostAnswer<T> {
    /// The entry was read.
    ///
    /// @param content its content; of a file, bytes that are not UTF-8 are replaced
    record Found<T>(T content) implements HostAnswer<T> {}

    /// The entry does not exist.
    record Missing<T>() implements HostAnswer<T> {}

    /// The entry exists but this process may not use it.
    ///
    /// @param reason the missing permission, or the user who could have changed a library
    record NotPermitted<T>(String reason) implements HostAnswer<T> {}

    /// The entry exists but could not be read.
    ///
    /// @param message the problem
    record Unreadable<T>(String message) implements HostAnswer<T> {
        private static final String NO_FILE = "is not a regular file";
        private static final String TOO_LONG = "more than ";

        /// A pipe, a socket or a device stands where a file should: to open one could take for ever.
        static <T> Unreadable<T> notRegular() {
            return new Unreadable<>(NO_FILE);
        }

        /// The file has more bytes than are read.
        static <T> Unreadable<T> tooLong(int maxBytes) {
            return new Unreadable<>(TOO_LONG + maxBytes + " bytes");
        }

        /// Reports whether it was not fit to be read. Files of the kernel refuse to be read now and then; none is like
        /// that.
        public boolean isRefused() {
            return message.equals(NO_FILE) || message.startsWith(TOO_LONG);
        }
    }
}
