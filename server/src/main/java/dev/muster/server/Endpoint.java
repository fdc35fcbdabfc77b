// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/// What answers a route.
sealed interface Endpoint {
    /// Answers at once, from what is known.
    record Now(Function<ServerRequest, Answer> answer) implements Endpoint {}

    /// Answers when there is something new, or work is done; holds no thread meanwhile.
    record Later(Function<ServerRequest, CompletableFuture<Answer>> answer) implements Endpoint {}

    /// Sends events until one side ends it.
    record Events() implements Endpoint {}

    /// Exchanges the token of the query for a cookie, or shows the page.
    record Entrance(Answer page) implements Endpoint {}
}
