// SPDX-License-Identifier: Apache-2.0
package dev.muster.bench.prices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.muster.plan.catalogue.CloudProvider;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LiveAnswersTest {
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private HttpServer server;
    private LiveAnswers answers;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.start();
        URI here = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
        answers = LiveAnswers.of(
                Map.of(CloudProvider.AWS, here, CloudProvider.AZURE, here, CloudProvider.GCP, here), "a-key");
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void answer(String path, String... pages) {
        server.createContext(path, exchange -> {
            asked.add(exchange.getRequestURI().getQuery());
            String page = pages[Math.min(asked.size(), pages.length) - 1];
            send(
                    exchange,
                    200,
                    page.replace(
                            "HERE", "http://127.0.0.1:" + server.getAddress().getPort()));
        });
    }

    private static void send(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @Test
    void followsThePagesOfAzure() throws IOException {
        answer(
                "/api/retail/prices",
                "{\"Items\":[],\"NextPageLink\":\"HERE/api/retail/prices?$filter=armRegionName eq 'eastus2'&$skip=1\"}",
                "{\"Items\":[],\"NextPageLink\":null}");
        assertThat(answers.azure(Synthetic.machines(CloudProvider.AZURE, "eastus2")))
                .hasSize(2);
        assertThat(asked)
                .containsExactly(
                        "$filter=serviceName eq 'Virtual Machines' and priceType eq 'Consumption' and armRegionName eq"
                                + " 'eastus2' and (armSkuName eq 'Standard_ND96isr_H200_v5' or armSkuName eq"
                                + " 'Standard_ND96isr_MI300X_v5')",
                        "$filter=armRegionName eq 'eastus2'&$skip=1");
    }

    @Test
    void followsThePagesOfGoogleCloud() throws IOException {
        answer("/v1/services/", "{\"skus\":[],\"nextPageToken\":\"a b\"}", "{\"skus\":[],\"nextPageToken\":\"\"}");
        assertThat(answers.gcp()).hasSize(2);
        assertThat(asked)
                .containsExactly("currencyCode=USD&pageSize=5000", "currencyCode=USD&pageSize=5000&pageToken=a b");
    }

    @Test
    void redirectsStayWithTheHost() throws IOException {
        server.createContext("/offers/", exchange -> {
            boolean isMoved = exchange.getRequestURI().getPath().contains("us-east-1");
            exchange.getResponseHeaders().add("Location", isMoved ? "/moved" : "http://elsewhere.invalid/index.json");
            send(exchange, 302, "");
        });
        answer("/moved", "{}");
        try (InputStream file = answers.aws("us-east-1")) {
            assertThat(file).hasContent("{}");
        }
        assertThatThrownBy(() -> answers.aws("us-west-2"))
                .isInstanceOf(IOException.class)
                .hasMessage("127.0.0.1 leads to another place, 'elsewhere.invalid'");
    }

    @Test
    void aFailureIsASentence() {
        server.createContext("/offers/", exchange -> send(exchange, 503, "busy"));
        assertThatThrownBy(() -> answers.aws("us-east-1")).hasMessage("127.0.0.1 answered with status 503");
        server.stop(0);
        assertThatThrownBy(() -> answers.aws("us-east-1")).hasMessage("127.0.0.1 cannot be reached");
    }
}
