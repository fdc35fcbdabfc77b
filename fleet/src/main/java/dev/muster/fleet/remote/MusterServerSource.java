// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.remote;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.TopologyNode;
import dev.muster.core.json.DocumentException;
import dev.muster.core.json.RegistryDocument;
import dev.muster.fleet.FleetException;
import dev.muster.fleet.FleetSource;
import dev.muster.fleet.HostReport;
import dev.muster.fleet.SourceKind;
import dev.muster.fleet.SourceReport;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;

/// Another host whose `muster serve` is asked for its registry. Who answers over https has to prove who it is by one of
/// Java's certificate authorities; a token goes over https or to this machine itself. Safe to share between threads.
final class MusterServerSource implements FleetSource {
    private static final String PATH = "/api/v1/registry";
    private static final String TOKEN = "token=";
    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "[::1]");
    private static final int OK = 200;

    private final URI address;
    private final String token;
    private final InstantSource clock;
    private final String name;

    private MusterServerSource(URI address, String token, InstantSource clock) {
        this.address = address;
        this.token = token;
        this.clock = clock;
        this.name = "muster:" + address;
    }

    /// The source of a server; nothing is read yet.
    ///
    /// @param address the address as `muster serve` prints it, perhaps with the token in its query
    /// @param token the token, where the address has none; blank for none
    /// @throws IllegalArgumentException if it is not such an address, or others could read a token on its way
    public static MusterServerSource of(URI address, String token, InstantSource clock) {
        boolean http = "http".equals(address.getScheme());
        if (!(http || "https".equals(address.getScheme()))
                || address.getHost() == null
                || address.getUserInfo() != null) {
            throw new IllegalArgumentException("the address of a server is written as https://HOST:9470");
        }
        String query = address.getRawQuery() == null ? "" : address.getRawQuery();
        if (!query.isEmpty() && !query.startsWith(TOKEN)) {
            throw new IllegalArgumentException("behind the address of a server there is at most ?token=…");
        }
        String shown = query.isEmpty() ? token.strip() : query.substring(TOKEN.length());
        if (!shown.chars().allMatch(c -> c > ' ' && c < 127)) {
            throw new IllegalArgumentException("the token has characters that no token has");
        }
        if (!shown.isEmpty() && http && !LOOPBACK.contains(address.getHost())) {
            throw new IllegalArgumentException("the token would go to " + address.getHost()
                    + " without encryption; use https, or ssh:" + address.getHost());
        }
        String path = address.getPath() == null ? "" : address.getPath().replaceAll("/+$", "");
        return new MusterServerSource(
                URI.create(address.getScheme() + "://" + address.getAuthority() + path), shown, clock);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public SourceReport read(Duration limit) {
        AcceleratorRegistry registry;
        try {
            registry = RegistryDocument.read(ask(limit));
        } catch (DocumentException e) {
            throw new FleetException(name + ": the answer is not a registry: " + e.getMessage(), e);
        }
        HostReport host = HostReport.ofDevices(hostName(registry), registry);
        return new SourceReport(
                name, SourceKind.HOST, registry.observedAt().find().orElse(clock.instant()), List.of(host), List.of());
    }

    private String hostName(AcceleratorRegistry registry) {
        for (TopologyNode node : registry.topology().nodes()) {
            if (node instanceof TopologyNode.HostNode host && !host.name().isBlank()) {
                return host.name();
            }
        }
        return address.getHost();
    }

    /// The answer's body. The time holds for all of it, not only until its first byte.
    private byte[] ask(Duration limit) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address + PATH))
                .timeout(limit)
                .header("Accept", "application/json")
                .header("User-Agent", "muster");
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(limit)
                .build();
        CompletableFuture<HttpResponse<byte[]>> answer = client.sendAsync(
                request.build(), BodyHandlers.limiting(BodyHandlers.ofByteArray(), RegistryDocument.MAX_BYTES));
        try {
            HttpResponse<byte[]> response = answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
            if (response.statusCode() != OK) {
                throw new FleetException(name + ": " + refusal(response.statusCode()));
            }
            return response.body();
        } catch (TimeoutException e) {
            throw new FleetException(name + ": it did not answer within " + limit.toMillis() / 1000.0 + " s", e);
        } catch (ExecutionException e) {
            throw new FleetException(name + ": " + why(e.getCause() == null ? e : e.getCause(), limit), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FleetException(name + ": reading was interrupted", e);
        } finally {
            answer.cancel(true);
            client.shutdownNow();
        }
    }

    private static String refusal(int status) {
        return switch (status) {
            case 401, 403 -> "it does not let you read (" + status + "); give its token (option muster-token-file)";
            case 404 -> "registry not found (404); give the address that 'muster serve' printed";
            case 421 -> "it does not answer to that name (421); allow that name there";
            case 503 -> "it has not detected its devices yet (503); try again";
            default -> "it did not tell its registry (" + status + ")";
        };
    }

    private static String why(Throwable cause, Duration limit) {
        return switch (cause) {
            case HttpTimeoutException _ -> "it did not answer within " + limit.toMillis() / 1000.0 + " s";
            case ConnectException _ -> "it cannot be reached; is it up, and is the address right?";
            case SSLException _ -> "it cannot prove who it is: " + cause.getMessage();
            case IOException _ -> "the answer cannot be read: " + cause.getMessage();
            default -> "the request failed: " + cause;
        };
    }
}
