// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import dev.muster.server.socket.SocketFileConnector;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Promise;

/// The handler of requests, from a request to a route, by the access rules, and back: the only class that reads
/// headers and writes answers.
final class RequestHandler extends Handler.Abstract {
    static final int MOST_BODY = 1 << 20;
    private static final int MOST_QUERY = 4096;
    private static final int MOST_PAIRS = 32;
    private static final int BODY_SECONDS = 10;

    private final AccessRules access;
    private final Routes routes;
    private final EventStream events;
    private final SampleDocuments documents;
    private final ConnectionWatch connections;
    private final System.Logger log;

    RequestHandler(
            AccessRules access,
            Routes routes,
            EventStream events,
            SampleDocuments documents,
            ConnectionWatch connections,
            System.Logger log) {
        this.access = access;
        this.routes = routes;
        this.events = events;
        this.documents = documents;
        this.connections = connections;
        this.log = log;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        try {
            answer(request, response, callback);
        } catch (Refusal e) {
            refuse(e, request, response, callback);
        } catch (RuntimeException e) {
            fail(e, request, response, callback);
        }
        return true;
    }

    private void answer(Request request, Response response, Callback callback) {
        Function<String, Optional<String>> headers = name -> header(request, name);
        String method = request.getMethod();
        access.checkOrigin(headers, method, local(request));
        String[] parts = PathParts.of(request.getHttpURI().getPath());
        Route route = route(method, parts);
        if (!isOfSocketFile(request)) { // the file's mode admits only its owner
            access.checkSecret(route.guard(), headers);
        }
        Map<String, String> query = query(request.getHttpURI().getQuery());
        ServerRequest asked = new ServerRequest(
                route.match(parts).orElseThrow(), query, headers.apply("Accept").orElse(""), "");
        switch (route.endpoint()) {
            case Endpoint.Now now -> write(now.answer().apply(asked), request, response, callback);
            case Endpoint.Later later
            when route.method().equals("POST") ->
                await(
                        readBody(request)
                                .thenCompose(body -> later.answer()
                                        .apply(new ServerRequest(asked.parts(), query, asked.accept(), body))),
                        request,
                        response,
                        callback);
            case Endpoint.Later later -> await(later.answer().apply(asked), request, response, callback);
            case Endpoint.Events _ -> stream(request, response, callback);
            case Endpoint.Entrance entrance -> enter(entrance, query, request, response, callback);
        }
    }

    private Route route(String method, String[] parts) {
        String asked = method.equals("HEAD") ? "GET" : method;
        Optional<Route> other = Optional.empty();
        for (Route route : routes.all()) {
            if (route.match(parts).isPresent()) {
                if (route.method().equals(asked)) {
                    return route;
                }
                other = Optional.of(route);
            }
        }
        if (other.isEmpty()) {
            throw Refusal.notFound("no such resource; see /api/v1/openapi.json");
        }
        String allowed = other.get().method().equals("GET") ? "GET, HEAD" : "POST";
        throw Refusal.of(405, "wrong-method", "allowed methods: " + allowed).with("Allow", allowed);
    }

    /// The token of the address becomes a cookie, and leaves the address.
    private void enter(
            Endpoint.Entrance entrance,
            Map<String, String> query,
            Request request,
            Response response,
            Callback callback) {
        String shown = query.get("token");
        if (shown == null) {
            write(entrance.page(), request, response, callback);
            return;
        }
        String cookie = access.exchange(shown, request.isSecure())
                .orElseThrow(() -> Refusal.of(401, "wrong-token", "this is not the token of this server"));
        write(
                new Answer(303, "text/plain", new byte[0], "", Map.of("Location", "/", "Set-Cookie", cookie)),
                request,
                response,
                callback);
    }

    private CompletableFuture<String> readBody(Request request) {
        String type = header(request, "Content-Type").orElse("");
        if (!type.strip().matches("(?i)application/json(\\s*;\\s*charset=\"?utf-8\"?)?")) {
            throw Refusal.of(415, "not-json", "the body must be JSON, with 'Content-Type: application/json'");
        }
        if (header(request, "Content-Encoding").isPresent()) {
            throw Refusal.of(415, "encoded-body", "the body must be sent without Content-Encoding");
        }
        if (request.getLength() > MOST_BODY) {
            throw tooLarge();
        }
        CompletableFuture<byte[]> whole = new CompletableFuture<>();
        Content.Source.asByteArrayAsync(request, MOST_BODY, new Promise.Invocable<byte[]>() {
            @Override
            public void succeeded(byte[] bytes) {
                whole.complete(bytes);
            }

            @Override
            public void failed(Throwable cause) {
                whole.completeExceptionally(cause);
            }
        });
        return whole.orTimeout(BODY_SECONDS, TimeUnit.SECONDS).handle((bytes, cause) -> {
            if (cause instanceof TimeoutException) {
                throw Refusal.of(408, "slow-body", "the body did not arrive within " + BODY_SECONDS + " s")
                        .with("Connection", "close");
            }
            if (cause != null) {
                throw cause instanceof IllegalStateException
                        ? tooLarge()
                        : Refusal.badRequest("the body did not arrive completely");
            }
            return new String(bytes, StandardCharsets.UTF_8);
        });
    }

    private static Refusal tooLarge() {
        return Refusal.of(413, "body-too-large", "a body has " + MOST_BODY + " bytes at most")
                .with("Connection", "close");
    }

    private void await(CompletableFuture<Answer> answer, Request request, Response response, Callback callback) {
        answer.handle((known, cause) -> {
                    Throwable why = cause != null && cause.getCause() != null ? cause.getCause() : cause;
                    if (why == null) {
                        write(known, request, response, callback);
                    } else if (why instanceof Refusal refusal) {
                        refuse(refusal, request, response, callback);
                    } else {
                        fail(why, request, response, callback);
                    }
                    return true;
                })
                .exceptionally(cause -> {
                    callback.failed(cause);
                    return false;
                });
    }

    private void stream(Request request, Response response, Callback callback) {
        var connection = request.getConnectionMetaData().getConnection();
        if (request.getMethod().equals("HEAD")) {
            write(new Answer(200, "text/event-stream", new byte[0], "", Map.of()), request, response, callback);
            return;
        }
        EventStream.Subscriber subscriber = events.add(response, callback, () -> connections.streamEnded(connection));
        connections.stream(connection);
        request.addFailureListener(subscriber::failed);
        SecurityHeaders.write(response);
        response.setStatus(200);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/event-stream");
        subscriber.greet(events.first(documents));
    }

    private void refuse(Refusal refusal, Request request, Response response, Callback callback) {
        write(refusal.toAnswer(), request, response, callback);
    }

    private void fail(Throwable cause, Request request, Response response, Callback callback) {
        log.log(System.Logger.Level.ERROR, "a request failed", cause);
        if (response.isCommitted()) {
            callback.failed(cause);
        } else {
            refuse(
                    Refusal.of(500, "defect", "this is an internal error; see the log of the server"),
                    request,
                    response,
                    callback);
        }
    }

    private void write(Answer answer, Request request, Response response, Callback callback) {
        SecurityHeaders.write(response);
        answer.headers().forEach((name, value) -> response.getHeaders().put(name, value));
        boolean unchanged = answer.status() == 200
                && !answer.tag().isEmpty()
                && header(request, "If-None-Match")
                        .filter(tags -> tags.equals("*")
                                || List.of(tags.split("\\s*,\\s*", 32)).contains(answer.tag()))
                        .isPresent();
        if (!answer.tag().isEmpty()) {
            response.getHeaders().put(HttpHeader.ETAG, answer.tag());
        }
        byte[] body = answer.body();
        if (unchanged) {
            response.setStatus(304);
            response.write(true, ByteBuffer.allocate(0), callback);
            return;
        }
        response.setStatus(answer.status());
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, answer.contentType());
        if (answer.isWorthCompressing(isNear(request))) {
            response.getHeaders().put(HttpHeader.VARY, "Accept-Encoding, Accept");
            if (header(request, "Accept-Encoding")
                    .filter(RequestHandler::takesGzip)
                    .isPresent()) {
                body = answer.compressed();
                response.getHeaders().put(HttpHeader.CONTENT_ENCODING, "gzip");
            }
        }
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
        boolean bodiless = request.getMethod().equals("HEAD");
        response.write(true, bodiless ? ByteBuffer.allocate(0) : ByteBuffer.wrap(body), callback);
    }

    private static boolean isNear(Request request) {
        return isOfSocketFile(request)
                || (request.getConnectionMetaData().getRemoteSocketAddress() instanceof InetSocketAddress address
                        && !address.isUnresolved()
                        && address.getAddress().isLoopbackAddress());
    }

    /// Reports whether the client came by a Unix socket.
    private static boolean isOfSocketFile(Request request) {
        return request.getConnectionMetaData().getConnector() instanceof SocketFileConnector;
    }

    private static boolean takesGzip(String encodings) {
        for (String each : encodings.split(",", 32)) {
            String encoding = each.strip();
            if (encoding.regionMatches(true, 0, "gzip", 0, 4) && !encoding.matches("(?i)gzip\\s*;\\s*q=0(\\.0*)?")) {
                return true;
            }
        }
        return false;
    }

    /// Returns the values of a header; several are joined, and so match no rule.
    private static Optional<String> header(Request request, String name) {
        List<String> values = request.getHeaders().getValuesList(name);
        return values.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", values));
    }

    /// Returns the address at which the connection arrived, as `Host` would write it.
    private static String local(Request request) {
        if (isOfSocketFile(request)) {
            return "localhost"; // no web page reaches a file
        }
        String address = Request.getLocalAddr(request);
        boolean bare = address.indexOf(':') >= 0 && !address.startsWith("[");
        return (bare ? "[" + address + "]" : address) + ":" + Request.getLocalPort(request);
    }

    private static Map<String, String> query(String raw) {
        Map<String, String> query = new HashMap<>();
        if (raw == null || raw.isEmpty()) {
            return query;
        }
        String[] pairs = raw.split("&", -1);
        if (raw.length() > MOST_QUERY || pairs.length > MOST_PAIRS) {
            throw Refusal.badRequest("a query has " + MOST_QUERY + " characters and " + MOST_PAIRS + " names at most");
        }
        try {
            for (String pair : pairs) {
                int equals = pair.indexOf('=');
                String name = equals < 0 ? pair : pair.substring(0, equals);
                String value = equals < 0 ? "" : pair.substring(equals + 1);
                query.put(
                        URLDecoder.decode(name, StandardCharsets.UTF_8),
                        URLDecoder.decode(value, StandardCharsets.UTF_8));
            }
        } catch (IllegalArgumentException _) {
            throw Refusal.badRequest("the query is not well formed");
        }
        return query;
    }
}
