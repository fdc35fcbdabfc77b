// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import java.util.Map;
import org.eclipse.jetty.server.Response;

/// Security headers of every answer, for browsers.
final class SecurityHeaders {
    private static final Map<String, String> ALL = Map.of(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
                    + " frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
            "X-Content-Type-Options",
            "nosniff",
            "X-Frame-Options",
            "DENY",
            "Referrer-Policy",
            "no-referrer",
            "Cross-Origin-Resource-Policy",
            "same-origin",
            "Cross-Origin-Opener-Policy",
            "same-origin",
            "Cache-Control",
            "no-store");

    private SecurityHeaders() {}

    static void write(Response response) {
        ALL.forEach((name, value) -> response.getHeaders().put(name, value));
    }
}
