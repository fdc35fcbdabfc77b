// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// The access rules, which keep other web pages, other machines and other users away. Pure: they check headers and
/// throw the reason for a refusal. Immutable.
final class AccessRules {
    private static final Set<String> OWN_SITE = Set.of("same-origin", "none");

    private final Set<String> names;
    private final Optional<AccessToken> token;
    private final boolean openMetrics;
    private final String cookieName;

    /// @param names accepted values of `Host`, in lower case and with the port
    /// @param token token of clients; empty if access is guarded otherwise
    /// @param openMetrics true if metrics need no token
    AccessRules(Set<String> names, Optional<AccessToken> token, boolean openMetrics, String cookieName) {
        this.names = Set.copyOf(names);
        this.token = token;
        this.openMetrics = openMetrics;
        this.cookieName = cookieName;
    }

    /// Checks the origin of a request, before anything else.
    ///
    /// @param header the value of a header; empty if there is none or several
    /// @param local the address and port at which the connection arrived, as a `Host` header would write them: a
    /// client that writes an address used no name server, so DNS rebinding is impossible; `localhost` for a Unix
    /// socket
    /// @throws Refusal if it is not to be answered
    void checkOrigin(Function<String, Optional<String>> header, String method, String local) {
        String host = header.apply("Host").orElse("").toLowerCase(Locale.ROOT);
        if (!isOurs(host, local)) {
            throw Refusal.of(
                    421,
                    "unknown-host",
                    "this server does not answer to that name; start it with --allow-host NAME, or use its address");
        }
        Optional<String> origin = header.apply("Origin");
        if (origin.isPresent() && !isOwnOrigin(origin.get().toLowerCase(Locale.ROOT), local)) {
            throw crossSite();
        }
        String site = header.apply("Sec-Fetch-Site").orElse("none");
        boolean navigates = method.equals("GET")
                && header.apply("Sec-Fetch-Mode").filter("navigate"::equals).isPresent()
                && header.apply("Sec-Fetch-Dest").filter("document"::equals).isPresent();
        if (!OWN_SITE.contains(site) && !navigates) {
            throw crossSite();
        }
    }

    private static Refusal crossSite() {
        return Refusal.of(403, "cross-site", "requests from other web sites are refused");
    }

    private boolean isOurs(String host, String local) {
        return names.contains(host) || host.equals(local);
    }

    private boolean isOwnOrigin(String origin, String local) {
        for (String scheme : List.of("http://", "https://")) {
            if (origin.startsWith(scheme) && isOurs(origin.substring(scheme.length()), local)) {
                return true;
            }
        }
        return false;
    }

    /// Checks the token of a request, if the route requires it.
    ///
    /// @throws Refusal if it does not
    void checkSecret(Route.Guard guard, Function<String, Optional<String>> header) {
        boolean open = switch (guard) {
            case OPEN -> true;
            case METRICS -> openMetrics;
            case DATA -> false;
        };
        if (open || token.isEmpty() || isBearer(header, token.get()) || hasCookie(header, token.get())) {
            return;
        }
        throw Refusal.of(
                        401,
                        "no-token",
                        "send the token as 'Authorization: Bearer TOKEN', or open the address printed at start")
                .with("WWW-Authenticate", "Bearer");
    }

    private static boolean isBearer(Function<String, Optional<String>> header, AccessToken token) {
        String text = header.apply("Authorization").orElse("");
        return text.regionMatches(true, 0, "Bearer ", 0, "Bearer ".length())
                && token.isShown(text.substring("Bearer ".length()).strip());
    }

    private boolean hasCookie(Function<String, Optional<String>> header, AccessToken token) {
        for (String part : header.apply("Cookie").orElse("").split(";", 64)) {
            String cookie = part.strip();
            if (cookie.startsWith(cookieName + "=") && token.isCookie(cookie.substring(cookieName.length() + 1))) {
                return true;
            }
        }
        return false;
    }

    /// Returns the cookie for a token that was shown in the address; empty if it is not the token.
    Optional<String> exchange(String shown, boolean secure) {
        return token.filter(secret -> secret.isShown(shown))
                .map(secret -> cookieName + "=" + secret.cookie() + "; HttpOnly; SameSite=Strict; Path=/"
                        + (secure ? "; Secure" : ""));
    }
}
