// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import dev.muster.core.text.FixedText;

/// Something detection could not learn, with the reason. Not fatal: the rest of the registry stands.
///
/// @since 0.1
public sealed interface Gap {
    /// The gap as one sentence for people.
    String display();

    /// A tool is not installed.
    ///
    /// @param tool the tool's name
    record ToolNotFound(String tool) implements Gap {
        @Override
        public String display() {
            return tool + ": tool not found on $PATH";
        }
    }

    /// A tool ran and failed.
    ///
    /// @param tool the tool's name
    /// @param exitCode its exit code; unknown when a signal ended it, or, with the reason `NOT_PERMITTED` or
    ///     `UNREADABLE`, when it was not run
    /// @param stderr its error stream
    record ToolFailed(String tool, Reading<Integer> exitCode, String stderr) implements Gap {
        @Override
        public String display() {
            String firstLine = stderr.isEmpty() ? "(no output)" : firstLine(stderr);
            return tool + ": " + ending() + " — " + firstLine;
        }

        private String ending() {
            if (exitCode instanceof Reading.Unknown<Integer>(UnknownReason reason, String _)) {
                boolean refused = reason == UnknownReason.NOT_PERMITTED || reason == UnknownReason.UNREADABLE;
                return refused ? "not run" : "exited with signal";
            }
            return "exited with code " + exitCode.find().orElseThrow();
        }

        private static String firstLine(String text) {
            int end = text.indexOf('\n');
            String line = end < 0 ? text : text.substring(0, end);
            return line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
        }
    }

    /// A tool did not answer in time.
    ///
    /// @param tool the tool's name
    /// @param limitSeconds the time it was given
    record Timeout(String tool, double limitSeconds) implements Gap {
        /// Checks that the limit is finite.
        public Timeout {
            if (!Double.isFinite(limitSeconds)) {
                throw new IllegalArgumentException("a limit is a finite number: " + limitSeconds);
            }
        }

        @Override
        public String display() {
            return tool + ": timed out after " + FixedText.of(limitSeconds, 1) + "s";
        }
    }

    /// A source answered something that could not be read.
    ///
    /// @param probe the probe that read it
    /// @param message the error
    record Unparsable(String probe, String message) implements Gap {
        @Override
        public String display() {
            return probe + ": parse error — " + message;
        }
    }

    /// A file of the system could not be read.
    ///
    /// @param path the file
    /// @param message the error
    record FileUnreadable(String path, String message) implements Gap {
        @Override
        public String display() {
            return "sysfs " + path + ": " + message;
        }
    }

    /// A probe of Muster failed itself.
    ///
    /// @param probe the probe's name
    /// @param message the message of the failure
    record ProbeFailed(String probe, String message) implements Gap {
        @Override
        public String display() {
            return probe + ": the probe failed — " + message;
        }
    }

    /// Two sources contradict each other about a device; the first one was believed.
    ///
    /// @param device the device's id
    /// @param message the contradicting statements and their sources
    record Conflict(String device, String message) implements Gap {
        @Override
        public String display() {
            return device + ": " + message;
        }
    }

    /// A source was reported without any detail, as flat documents of ai-hwaccel do.
    ///
    /// @param source the tool or probe
    record Unexplained(String source) implements Gap {
        @Override
        public String display() {
            return source + ": reported without detail";
        }
    }
}
