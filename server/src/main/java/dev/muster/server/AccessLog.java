// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

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
                    Request.getRemoteAddr(request) + " " + request.getMethod() + " " + (path == null ? "-" : path) + " "
                            + response.getStatus() + " " + Response.getContentBytesWritten(response) + " B");
        }
    }
}
