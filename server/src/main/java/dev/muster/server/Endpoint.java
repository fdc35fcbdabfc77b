// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/// The endpoint of a route.
sealed interface Endpoint {
    /// An endpoint that answers at once, from known data.
    record Now(Function<ServerRequest, Answer> answer) implements Endpoint {}

    /// An endpoint that answers when there is something new, or work is done, without holding a thread meanwhile.
    record Later(Function<ServerRequest, CompletableFuture<Answer>> answer) implements Endpoint {}

    /// An endpoint that sends events until one side ends it.
    record Events() implements Endpoint {}

    /// An endpoint that exchanges the token of the query for a cookie, or shows the page.
    record Entrance(Answer page) implements Endpoint {}
}
