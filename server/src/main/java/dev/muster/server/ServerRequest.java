// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import java.util.Map;
import java.util.Optional;

/// A request as endpoints see it, without headers, address and client.
///
/// @param parts values of the route's variable parts, decoded
/// @param query the query's names and values, decoded
/// @param accept the `Accept` header; blank if there is none
/// @param body the body, for those that have one; blank for others
record ServerRequest(Map<String, String> parts, Map<String, String> query, String accept, String body) {
    ServerRequest {
        parts = Map.copyOf(parts);
        query = Map.copyOf(query);
    }

    Optional<String> find(String name) {
        return Optional.ofNullable(query.get(name));
    }

    /// Returns an integer of the query.
    ///
    /// @throws Refusal if it is none, or lies outside
    long number(String name, long usual, long least, long most) {
        Optional<String> text = find(name);
        if (text.isEmpty()) {
            return usual;
        }
        try {
            long value = Long.parseLong(text.get());
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException _) {
            // told below
        }
        throw Refusal.badRequest("'" + name + "' is an integer from " + least + " to " + most);
    }
}
