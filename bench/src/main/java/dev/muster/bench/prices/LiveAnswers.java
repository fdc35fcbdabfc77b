// SPDX-License-Identifier: Apache-2.0
package dev.muster.bench.prices;

import dev.muster.plan.catalogue.CloudProvider;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Asks the providers. Only the hosts that are named at the start are asked, by the scheme named there: a page or a
/// redirect that leads elsewhere ends the update.
///
/// @param client follows no redirects by itself
/// @param hosts the address of each provider
/// @param key the API key for Google Cloud
record LiveAnswers(HttpClient client, Map<CloudProvider, URI> hosts, String key) implements Answers {
    static final Map<CloudProvider, URI> HOSTS = Map.of(
            CloudProvider.AWS, URI.create("https://pricing.us-east-1.amazonaws.com/"),
            CloudProvider.AZURE, URI.create("https://prices.azure.com/"),
            CloudProvider.GCP, URI.create("https://cloudbilling.googleapis.com/"));

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int MAX_REDIRECTS = 5;
    private static final int MAX_PAGES = 1000;
    private static final int MAX_PAGE_BYTES = 32 << 20;
    private static final int OK = 200;
    private static final int REDIRECTED = 300;
    private static final int FAILED = 400;

    static LiveAnswers of(Map<CloudProvider, URI> hosts, String key) {
        HttpClient client = HttpClient.newBuilder()
                .connectTimeout(PATIENCE)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
        return new LiveAnswers(client, hosts, key);
    }

    @Override
    public InputStream aws(String region) throws IOException {
        URI host = host(CloudProvider.AWS);
        return ask(host, host.resolve("/offers/v1.0/aws/AmazonEC2/current/" + region + "/index.json"), "");
    }

    @Override
    public List<byte[]> azure(List<Machine> machines) throws IOException {
        URI host = host(CloudProvider.AZURE);
        Map<String, String> byRegion = machines.stream()
                .collect(Collectors.groupingBy(
                        Machine::region,
                        TreeMap::new,
                        Collectors.mapping(
                                machine -> "armSkuName eq '" + machine.instance() + "'", Collectors.joining(" or "))));
        List<byte[]> pages = new ArrayList<>();
        for (Map.Entry<String, String> region : byRegion.entrySet()) {
            String filter = "serviceName eq 'Virtual Machines' and priceType eq 'Consumption' and armRegionName eq '"
                    + region.getKey() + "' and (" + region.getValue() + ")";
            Optional<URI> next = Optional.of(host.resolve("/api/retail/prices?$filter=" + encode(filter)));
            while (next.isPresent()) {
                byte[] page = page(host, next.get(), "", pages.size());
                pages.add(page);
                next = AzurePages.next(page).map(LiveAnswers::address);
            }
        }
        return pages;
    }

    @Override
    public List<byte[]> gcp() throws IOException {
        if (key.isEmpty()) {
            throw new IOException("Google Cloud answers only with a key: set GOOGLE_API_KEY");
        }
        URI host = host(CloudProvider.GCP);
        String first = "/v1/services/6F81-5844-456A/skus?currencyCode=USD&pageSize=5000";
        List<byte[]> pages = new ArrayList<>();
        Optional<String> token = Optional.of("");
        while (token.isPresent()) {
            String path = first + (token.get().isEmpty() ? "" : "&pageToken=" + encode(token.get()));
            byte[] page = page(host, host.resolve(path), key, pages.size());
            pages.add(page);
            token = GcpPages.next(page);
        }
        return pages;
    }

    private URI host(CloudProvider provider) {
        return hosts.getOrDefault(provider, URI.create("https://invalid/"));
    }

    private byte[] page(URI host, URI address, String secret, int before) throws IOException {
        if (before == MAX_PAGES) {
            throw new IOException(host.getHost() + " has more than " + MAX_PAGES + " pages");
        }
        try (InputStream body = ask(host, address, secret)) {
            byte[] page = body.readNBytes(MAX_PAGE_BYTES + 1);
            if (page.length > MAX_PAGE_BYTES) {
                throw new IOException("a page of " + host.getHost() + " has more than " + MAX_PAGE_BYTES + " bytes");
            }
            return page;
        }
    }

    /// @param secret goes into a header, since addresses are written into logs
    private InputStream ask(URI host, URI address, String secret) throws IOException {
        URI at = address;
        for (int redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
            requireSameHost(host, at);
            HttpRequest.Builder request = HttpRequest.newBuilder(at).timeout(PATIENCE);
            if (!secret.isEmpty()) {
                request.header("X-Goog-Api-Key", secret);
            }
            HttpResponse<InputStream> answer = send(request.build());
            if (answer.statusCode() == OK) {
                return answer.body();
            }
            answer.body().close();
            Optional<String> location = answer.headers().firstValue("Location");
            boolean isRedirect = answer.statusCode() >= REDIRECTED && answer.statusCode() < FAILED;
            if (!isRedirect || location.isEmpty()) {
                throw new IOException(host.getHost() + " answered with status " + answer.statusCode());
            }
            at = at.resolve(address(location.get()));
        }
        throw new IOException(host.getHost() + " redirects more than " + MAX_REDIRECTS + " times");
    }

    private HttpResponse<InputStream> send(HttpRequest request) throws IOException {
        try {
            return client.send(request, HttpResponse.BodyHandlers.ofInputStream());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while " + request.uri().getHost() + " was asked", e);
        } catch (IOException e) {
            throw new IOException(request.uri().getHost() + " cannot be reached", e);
        }
    }

    private static void requireSameHost(URI host, URI address) throws IOException {
        boolean isSame = host.getScheme().equalsIgnoreCase(address.getScheme())
                && host.getHost().equalsIgnoreCase(address.getHost())
                && port(host) == port(address)
                && address.getRawUserInfo() == null;
        if (!isSame) {
            throw new IOException(host.getHost() + " leads to another place, '" + address.getHost() + "'");
        }
    }

    /// Azure writes `:443`.
    private static int port(URI address) {
        return address.getPort() >= 0 ? address.getPort() : "https".equals(address.getScheme()) ? 443 : 80;
    }

    private static URI address(String text) {
        // The links of Azure have blanks and quotes in them, as they were asked for.
        return URI.create(text.replace(" ", "%20").replace("'", "%27"));
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
