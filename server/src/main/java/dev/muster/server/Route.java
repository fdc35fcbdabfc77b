// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// A path that is answered. The parts of a path are compared one by one with what the client sent, decoded after they
/// were told apart; no file name is ever made of them.
///
/// @param method `GET` (which answers `HEAD` too) or `POST`
/// @param path the path; a part such as `{id}` stands for any
/// @param guard who is answered
/// @param endpoint what answers
record Route(String method, String path, Guard guard, Endpoint endpoint) {
    /// Who is answered.
    enum Guard {
        /// Everybody whose request could come from a person of this host: health, and files without data.
        OPEN,
        /// As data, unless metrics were opened.
        METRICS,
        /// Those who have the token, the cookie or a certificate.
        DATA
    }

    static Route open(String path, Endpoint endpoint) {
        return new Route("GET", path, Guard.OPEN, endpoint);
    }

    static Route data(String path, Endpoint endpoint) {
        return new Route("GET", path, Guard.DATA, endpoint);
    }

    static Route ask(String path, Endpoint endpoint) {
        return new Route("POST", path, Guard.DATA, endpoint);
    }

    /// What stands at the parts that vary; empty where this is not the path.
    Optional<Map<String, String>> match(String[] parts) {
        String[] own = path.split("/", -1);
        if (own.length != parts.length) {
            return Optional.empty();
        }
        Map<String, String> found = new HashMap<>();
        for (int i = 0; i < own.length; i++) {
            boolean varies = own[i].startsWith("{");
            if (varies && !parts[i].isEmpty()) {
                found.put(own[i].substring(1, own[i].length() - 1), parts[i]);
            } else if (!own[i].equals(parts[i])) {
                return Optional.empty();
            }
        }
        return Optional.of(found);
    }
}
