package dev.muster.mesh.launch;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/// Where the members of a mesh meet. Immutable.
sealed interface StoreAddress {
    /// A folder that all processes of one host see.
    ///
    /// @param folder the folder
    record InFolder(Path folder) implements StoreAddress {}

    /// A server.
    ///
    /// @param host its name or address
    /// @param port its port
    record AtServer(String host, int port) implements StoreAddress {}

    /// Reads `file:/path` or `host:port`; an address of version 6 stands in brackets.
    ///
    /// @throws LaunchException if it is neither
    static StoreAddress parse(String text) {
        if (text.startsWith("file:")) {
            return new InFolder(folder(text));
        }
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? "" : text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        } else if (host.contains(":")) {
            host = "";
        }
        int port = colon < 0 ? 0 : LaunchVariables.number(text.substring(colon + 1));
        if (host.isBlank() || port < 1 || port > 65_535) {
            throw unreadable(text);
        }
        return new AtServer(host, port);
    }

    private static Path folder(String text) {
        try {
            Path folder = Path.of(text.substring("file:".length()));
            if (folder.isAbsolute()) {
                return folder;
            }
        } catch (InvalidPathException _) {
            // The same answer as to a relative one.
        }
        throw unreadable(text);
    }

    private static LaunchException unreadable(String text) {
        return new LaunchException(
                "MUSTER_STORE is host:port or file:/an/absolute/folder, not " + LaunchVariables.quoted(text));
    }
}
