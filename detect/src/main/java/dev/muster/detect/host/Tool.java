// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.host;

import java.util.List;

/// A program of a vendor that knows about devices.
///
/// @param name its file name, such as `nvidia-smi`
/// @param folders the vendor's folders, beside the usual ones; absolute
/// @since 0.1
public record Tool(String name, List<String> folders) {
    /// Copies the list.
    public Tool {
        folders = List.copyOf(folders);
    }

    /// A tool that may also lie in a vendor's folders.
    public static Tool of(String name, String... folders) {
        return new Tool(name, List.of(folders));
    }
}
