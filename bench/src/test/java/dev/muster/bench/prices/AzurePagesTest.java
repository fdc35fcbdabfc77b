// SPDX-License-Identifier: Apache-2.0
package dev.muster.bench.prices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.core.json.DocumentException;
import dev.muster.plan.catalogue.CloudProvider;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AzurePagesTest {
    private static final List<Machine> EAST = Synthetic.machines(CloudProvider.AZURE, "eastus");
    private static final List<Machine> EAST_2 = Synthetic.machines(CloudProvider.AZURE, "eastus2");

    private static List<byte[]> east() throws IOException {
        return List.of(Synthetic.file("azure-eastus-1.json"), Synthetic.file("azure-eastus-2.json"));
    }

    @Test
    void takesLinuxByTheHourAndItsSpotPrice() throws IOException {
        Map<Machine, Quote> quotes = AzurePages.read(east(), EAST, Synthetic.DAY);
        assertThat(Synthetic.listed(quotes))
                .isEqualTo(Map.of("Standard_ND96isr_H100_v5", "98.5 29.25", "Standard_NC4as_T4_v3", "0.55"));
        assertThat(Synthetic.unlisted(quotes))
                .containsEntry("Standard_NC24ads_A100_v4", "is listed at 2 prices")
                .containsEntry("Standard_ND40rs_v2", "is not listed");
    }

    @Test
    void aPriceThatHasEndedIsNone() throws IOException {
        Map<Machine, Quote> quotes =
                AzurePages.read(List.of(Synthetic.file("azure-eastus2-1.json")), EAST_2, Synthetic.DAY);
        assertThat(Synthetic.listed(quotes)).isEqualTo(Map.of("Standard_ND96isr_MI300X_v5", "47.75"));
        assertThat(Synthetic.unlisted(quotes)).containsOnlyKeys("Standard_ND96isr_H200_v5");
    }

    @Test
    void allPagesHaveToBeThere() throws IOException {
        List<byte[]> first = east().subList(0, 1);
        assertThatThrownBy(() -> AzurePages.read(first, EAST, Synthetic.DAY)).hasMessage("the last page is missing");
        assertThatThrownBy(() -> AzurePages.read(List.of(), EAST, Synthetic.DAY))
                .hasMessage("the last page is missing");
        List<byte[]> pages = east();
        assertThatThrownBy(() -> AzurePages.read(pages, EAST_2, Synthetic.DAY))
                .hasMessage("no price for region eastus2");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"BillingCurrency\": \"USD\"  | \"BillingCurrency\": \"EUR\" | its prices are in EUR, not in USD",
                "\"currencyCode\": \"USD\"     | \"currencyCode\": \"EUR\"    | its prices are in EUR, not in USD",
                "\"retailPrice\": 98.5         | \"retailPrice\": \"98.5\"    | 'retailPrice' is not a number",
                "\"retailPrice\": 98.5         | \"retailPrice\": -98.5       | a price is below 0: -98.5",
                "\"unitOfMeasure\": \"1 Hour\" | \"unitOfMeasure\": \"1 Day\" | is sold by '1 Day', not '1 Hour'",
                "\"Items\"                     | \"Things\"                   | the key 'Items' is missing",
                "\"armSkuName\"                | \"sku\"                      | the key 'armSkuName' is missing",
                "\"Count\"                     | Count                        | "
            })
    void whatIsNotUnderstoodIsRefused(String found, String instead, String message) throws IOException {
        String text = new String(east().getFirst(), StandardCharsets.UTF_8);
        assertThat(text).contains(found);
        List<byte[]> pages = List.of(text.replace(found, instead).getBytes(StandardCharsets.UTF_8), east().getLast());
        assertThatThrownBy(() -> AzurePages.read(pages, EAST, Synthetic.DAY))
                .isInstanceOf(DocumentException.class)
                .hasMessageContaining(message == null ? "key" : message);
    }
}
