// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import dev.muster.server.socket.SocketFileConnector;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.RequestLog;
import org.eclipse.jetty.server.Response;

/// A line for each answer, where the log wants it: who asked, what, the status and the bytes. Queries are left out,
/// since
/// a token may stand there; headers as well.
final class AccessLog implements RequestLog {
    private final System.Logger log;

    AccessLog(System.Logger log) {
        this.log = log;
    }

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

    /// Clients choose the name of their end of a Unix socket, so that it is not written.
    private static String client(Request request) {
        return request.getConnectionMetaData().getConnector() instanceof SocketFileConnector
                ? "unix"
                : Request.getRemoteAddr(request);
    }
}
