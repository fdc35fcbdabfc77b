// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import dev.muster.core.json.JsonValue.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The description of a route: name, purpose, parameters, body and answers. Immutable.
///
/// @param id name of the operation, used once
/// @param summary purpose
/// @param parameters values of the query, and the variable parts of the path
/// @param body schema of the body; empty if there is none
/// @param replies answers
record Operation(
        String id, String summary, List<Parameter> parameters, Optional<JsonObject> body, List<Reply> replies) {
    Operation {
        parameters = List.copyOf(parameters);
        replies = List.copyOf(replies);
    }

    static Operation of(String id, String summary) {
        return new Operation(id, summary, List.of(), Optional.empty(), List.of());
    }

    /// A value of the query, or a variable part of the path.
    record Parameter(String name, String description, JsonObject schema) {}

    /// An answer.
    ///
    /// @param status status code
    /// @param description contents of the answer
    /// @param mediaType media type; blank for an answer without a body
    /// @param kinds kinds of JSON documents, each with a schema in `docs/schema`; empty for other answers
    record Reply(int status, String description, String mediaType, List<String> kinds) {
        Reply {
            kinds = List.copyOf(kinds);
        }

        /// Returns the answer to a refused request.
        static Reply refusal(int status) {
            return new Reply(status, "", "application/json", List.of("error"));
        }
    }

    Operation taking(String name, String description, JsonObject schema) {
        List<Parameter> more = new ArrayList<>(parameters);
        more.add(new Parameter(name, description, schema));
        return new Operation(id, summary, more, body, replies);
    }

    /// Returns a copy with a parameter that is a text.
    Operation taking(String name, String description) {
        return taking(
                name, description, JsonObject.builder().put("type", "string").build());
    }

    Operation asking(JsonObject schema) {
        return new Operation(id, summary, parameters, Optional.of(schema), replies);
    }

    /// Returns a copy that answers with JSON documents of some kinds.
    Operation answering(String description, String... kinds) {
        return with(new Reply(200, description, "application/json", List.of(kinds)));
    }

    /// Returns a copy that answers with a text or a picture.
    Operation answeringWith(String mediaType, String description) {
        return with(new Reply(200, description, mediaType, List.of()));
    }

    /// Returns a copy that may answer without a body.
    Operation orEmpty(int status, String description) {
        return with(new Reply(status, description, "", List.of()));
    }

    /// Returns a copy that may refuse.
    Operation refusing(int... statuses) {
        Operation more = this;
        for (int status : statuses) {
            more = more.with(Reply.refusal(status));
        }
        return more;
    }

    private Operation with(Reply reply) {
        List<Reply> more = new ArrayList<>(replies);
        more.add(reply);
        return new Operation(id, summary, parameters, body, more);
    }
}
