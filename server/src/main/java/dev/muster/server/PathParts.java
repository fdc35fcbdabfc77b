// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/// The parts of a path between slashes, each decoded after the split: an encoded slash does not separate.
final class PathParts {
    private static final int MOST = 512;

    private PathParts() {}

    /// @throws Refusal if it is not well formed, or has a part that climbs or steers
    static String[] of(String path) {
        if (path == null || path.length() > MOST || !path.startsWith("/")) {
            throw malformed();
        }
        String[] parts = path.split("/", -1);
        try {
            for (int i = 0; i < parts.length; i++) {
                String part = URLDecoder.decode(parts[i].replace("+", "%2B"), StandardCharsets.UTF_8);
                boolean odd = part.equals(".")
                        || part.equals("..")
                        || part.chars().anyMatch(c -> c < ' ' || c == '/' || c == '\\' || c == 0x7f || c == 0xfffd);
                if (odd) {
                    throw malformed();
                }
                parts[i] = part;
            }
        } catch (IllegalArgumentException _) {
            throw malformed();
        }
        return parts;
    }

    private static Refusal malformed() {
        return Refusal.badRequest("the path is not well formed");
    }
}
