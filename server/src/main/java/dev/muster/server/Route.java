// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// A route: a path with its endpoint and its description. The parts of a path are compared one by one with what the
/// client sent, decoded after they were told apart; no file name is ever made of them.
///
/// @param method `GET` (which answers `HEAD` too) or `POST`
/// @param path the path; a part such as `{id}` stands for any
/// @param guard access guard
/// @param operation description of the route
/// @param endpoint endpoint of the path
record Route(String method, String path, Guard guard, Operation operation, Endpoint endpoint) {
    /// The guard of a route.
    enum Guard {
        /// Open to every request that could come from a user of this host: health, and files without data.
        OPEN,
        /// Like data, unless metrics were opened.
        METRICS,
        /// For clients with the token, the cookie or a certificate.
        DATA
    }

    static Route open(String path, Operation operation, Endpoint endpoint) {
        return new Route("GET", path, Guard.OPEN, operation, endpoint);
    }

    static Route data(String path, Operation operation, Endpoint endpoint) {
        return new Route("GET", path, Guard.DATA, operation, endpoint);
    }

    static Route ask(String path, Operation operation, Endpoint endpoint) {
        return new Route("POST", path, Guard.DATA, operation, endpoint);
    }

    /// Returns the values of the variable parts; empty if this is not the path.
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
