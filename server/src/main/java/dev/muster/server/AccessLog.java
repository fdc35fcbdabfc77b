// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import dev.muster.server.socket.SocketFileConnector;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.RequestLog;
import org.eclipse.jetty.server.Response;

/// A log of answers: client, request, status and bytes of each. Queries are left out, since a token may stand there;
/// headers as well.
record AccessLog(System.Logger log) implements RequestLog {
    @Override
    public void log(Request request, Response response) {
        if (log.isLoggable(System.Logger.Level.INFO)) {
            String path = request.getHttpURI().getPath();
            log.log(
                    System.Logger.Level.INFO,
                    client(request) + " " + request.getMethod() + " " + (path == null ? "-" : path) + " "
                            + response.getStatus() + " " + Response.getContentBytesWritten(response) + " B");
        }
    }

    /// Returns the client's address; the name of a Unix socket's client end is not written, since clients choose it.
    private static String client(Request request) {
        return request.getConnectionMetaData().getConnector() instanceof SocketFileConnector
                ? "unix"
                : Request.getRemoteAddr(request);
    }
}
