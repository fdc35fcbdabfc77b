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

class GcpPagesTest {
    private static List<byte[]> pages() throws IOException {
        return List.of(Synthetic.file("gcp-1.json"), Synthetic.file("gcp-2.json"));
    }

    private static Map<Machine, Quote> read(List<byte[]> pages, String region) {
        return GcpPages.read(pages, Synthetic.machines(CloudProvider.GCP, region), Synthetic.DAY);
    }

    @Test
    void addsUpThePartsOfAMachine() throws IOException {
        // 12 cores at 0.03, 85 GB at 0.004, an A100 at 2.9, since October; as spot 0.01, 0.001 and 1.1.
        assertThat(Synthetic.listed(read(pages(), "us-central1")))
                .containsEntry("a2-highgpu-1g", "3.6 1.305")
                .containsEntry("a2-megagpu-16g", "54.72 19.92")
                .containsEntry("ct5lp-hightpu-1t", "1.25 0.5")
                .containsEntry("ct5lp-hightpu-8t", "10 4")
                .doesNotContainKey("g2-standard-4");
    }

    @Test
    void theLocalSsdOfAMachineIsPaidByTheMonth() throws IOException {
        // 375 GiB at 0.073 for 730 hours are 0.0375, beside 0.372, 0.697 and 4.
        assertThat(Synthetic.listed(read(pages(), "us-east5"))).containsEntry("a2-ultragpu-1g", "5.1065");
        // 750 GiB of it, as spot at 0.0001 an hour.
        assertThat(Synthetic.listed(read(pages(), "us-east4"))).containsEntry("a3-highgpu-1g", "11.204 2.598");
    }

    @Test
    void saysWhichPartHasNoPrice() throws IOException {
        assertThat(Synthetic.unlisted(read(pages(), "us-central1")))
                .containsEntry("g2-standard-4", "is not listed: no price of 'Nvidia L4 GPU'");
        assertThat(Synthetic.unlisted(read(pages(), "us-central2")))
                .containsEntry("ct4p-hightpu-4t", "has parts that are not known");
    }

    @Test
    void allPagesHaveToBeThere() throws IOException {
        List<byte[]> first = pages().subList(0, 1);
        assertThatThrownBy(() -> read(first, "us-central1")).hasMessage("the last page is missing");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"currencyCode\": \"USD\"  | \"currencyCode\": \"EUR\"    | its prices are in EUR, not in USD",
                "\"nanos\": 900000000       | \"nanos\": 1900000000        | '2' units and 1900000000 nanos are not a price",
                "\"nanos\": 900000000       | \"nanos\": \"900000000\"     | 'nanos' is not a number",
                "\"units\": \"2\"           | \"units\": \"two\"           | 'two' units and 900000000 nanos are not a price",
                "\"usageUnit\": \"h\"       | \"usageUnit\": \"mo\"        | 'A2 Instance Core running in Americas' is sold by 'mo', not 'h'",
                "\"tieredRates\": [         | \"tieredRates\": [{},        | has 2 tiers, not one",
                "\"serviceRegions\"         | \"places\"                   | the key 'serviceRegions' is missing",
                "\"skus\"                   | \"things\"                   | the key 'skus' is missing"
            })
    void whatIsNotUnderstoodIsRefused(String found, String instead, String message) throws IOException {
        String text = new String(pages().getFirst(), StandardCharsets.UTF_8);
        assertThat(text).contains(found);
        List<byte[]> pages = List.of(text.replace(found, instead).getBytes(StandardCharsets.UTF_8), pages().getLast());
        assertThatThrownBy(() -> read(pages, "us-central1"))
                .isInstanceOf(DocumentException.class)
                .hasMessageContaining(message);
    }
}
