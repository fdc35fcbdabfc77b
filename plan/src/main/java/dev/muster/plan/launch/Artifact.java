// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.launch;

/// A file that starts a plan, or a part of one.
///
/// @param name its name, without a folder
/// @param mediaType media type, such as `application/yaml`
/// @param text its content
/// @since 0.1
public record Artifact(String name, String mediaType, String text) {
    /// A shell script.
    static final String SHELL = "application/x-sh";
    /// Plain text.
    static final String PLAIN = "text/plain";

    /// Checks the name, which may become that of a file.
    ///
    /// @throws IllegalArgumentException if it is more than a plain name
    public Artifact {
        if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]*")) {
            throw new IllegalArgumentException("'" + name + "' is not a plain file name");
        }
    }

    Artifact named(String other) {
        return new Artifact(other, mediaType, text);
    }
}
