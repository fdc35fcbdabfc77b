// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/// Answers to requests that are refused before any rule sees them, since they are not HTTP: a code and a sentence,
/// without any of the input and without a trace.
final class PlainErrors implements Request.Handler {
    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        int status = response.getStatus() < 400 ? 500 : response.getStatus();
        String code = switch (status) {
            case 400 -> "bad-request";
            case 408 -> "too-slow";
            case 414 -> "path-too-long";
            case 431 -> "headers-too-large";
            case 503 -> "stopping";
            default -> status < 500 ? "refused" : "defect";
        };
        SecurityHeaders.write(response);
        response.setStatus(status);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
        byte[] body = Refusal.body(code, "the request was refused before it was read (status " + status + ")");
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
        response.write(true, ByteBuffer.wrap(body), callback);
        return true;
    }
}
