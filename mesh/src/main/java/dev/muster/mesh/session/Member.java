package dev.muster.mesh.session;

import java.nio.charset.StandardCharsets;

/// What ranks tell each other when they join.
///
/// @param host the host that the rank runs on
/// @param process the process, so that threads of one are known to be
record Member(String host, String process) {
    byte[] toBytes() {
        return (host + "\n" + process).getBytes(StandardCharsets.UTF_8);
    }

    static Member parse(byte[] bytes) {
        String[] parts = new String(bytes, StandardCharsets.UTF_8).split("\n", 2);
        return new Member(parts[0], parts.length > 1 ? parts[1] : "");
    }
}
