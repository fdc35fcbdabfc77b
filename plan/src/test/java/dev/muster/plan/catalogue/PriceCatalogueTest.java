// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.CatalogueException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PriceCatalogueTest {
    private static final DeviceCatalogue DEVICES = DeviceCatalogue.builtIn();
    private static final PriceCatalogue BUILT_IN = PriceCatalogue.builtIn();
    private static final String HEAD =
            "provider,instance,region,accelerator,count,memory_gb_each,price_usd_hour_on_demand,source,date";
    private static final double MOST_PER_DEVICE = 20;

    @Test
    void everyRowIsPlausible() {
        assertThat(BUILT_IN.offers()).hasSizeGreaterThan(100);
        assertThat(BUILT_IN.offers()).allSatisfy(offer -> {
            DeviceEntry device = DEVICES.find(offer.accelerator()).orElseThrow();
            assertThat(offer.gigabytesEach())
                    .as(offer.key())
                    .isEqualTo(device.memory().gigabytes());
            assertThat(offer.count()).isIn(1, 2, 4, 6, 8, 12, 16);
            assertThat(offer.interconnect().equals("none")).as(offer.key()).isEqualTo(offer.count() == 1);
            assertThat(offer.onDemand().amount()).as(offer.key()).isLessThan(MOST_PER_DEVICE * offer.count());
            assertThat(offer.date()).isBetween(LocalDate.of(2024, 1, 1), LocalDate.now(ZoneOffset.UTC));
            assertThat(offer.source()).isNotBlank();
            offer.spot().find().ifPresent(spot -> assertThat(spot).isLessThan(offer.onDemand()));
        });
    }

    @Test
    void coversCloudsOfAllSizes() {
        assertThat(BUILT_IN.offers().stream().map(InstanceOffer::provider).distinct())
                .contains(
                        CloudProvider.AWS,
                        CloudProvider.GCP,
                        CloudProvider.AZURE,
                        CloudProvider.ORACLE,
                        CloudProvider.LAMBDA,
                        CloudProvider.NEBIUS,
                        CloudProvider.RUNPOD,
                        CloudProvider.SHADEFORM,
                        CloudProvider.VAST,
                        CloudProvider.VERDA);
        assertThat(BUILT_IN.fresh(LocalDate.of(2026, 11, 19)).offers())
                .extracting(InstanceOffer::accelerator)
                .contains("rtx-4090", "rtx-5090", "h100-sxm", "h200-sxm", "b200-sxm", "b300-sxm", "mi300x");
    }

    @ParameterizedTest
    @CsvSource({
        "Standard_ND96asr_v4, a100-sxm4-40",
        "Standard_ND96amsr_A100_v4, a100-sxm4-80",
        "Standard_ND96isr_H100_v5, h100-sxm"
    })
    void azureSeriesHaveTheDevicesThatAzureSays(String instance, String device) {
        assertThat(BUILT_IN.offers())
                .filteredOn(offer -> offer.instance().equals(instance))
                .singleElement()
                .satisfies(offer -> {
                    assertThat(offer.accelerator()).isEqualTo(device);
                    assertThat(offer.count()).isEqualTo(8);
                });
    }

    @Test
    void aPriceIsStaleAfterTheLimit() {
        PriceCatalogue prices = PriceCatalogue.parse(HEAD + "\n" + own("box", "10", "2026-07-18") + "\n", DEVICES);
        assertThat(prices.listStale(LocalDate.of(2026, 11, 15))).isEmpty();
        assertThat(prices.listStale(LocalDate.of(2026, 11, 16))).isEqualTo(prices.offers());
    }

    @Test
    void aUsersTableAddsAndOverrides() {
        PriceCatalogue first = PriceCatalogue.parse(
                HEAD + "\n" + own("a", "10", "2026-01-01") + "\n" + own("b", "20", "2026-01-01") + "\n", DEVICES);
        PriceCatalogue more = PriceCatalogue.parse(
                HEAD + "\n" + own("b", "2.50", "2026-11-01") + "\n" + own("c", "30", "2026-11-01") + "\n", DEVICES);
        List<InstanceOffer> offers = first.with(more).offers();
        assertThat(offers).extracting(InstanceOffer::instance).containsExactly("a", "b", "c");
        assertThat(offers).extracting(offer -> offer.onDemand().toString()).containsExactly("10", "2.5", "30");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "cloud9,a,r,h100-sxm,8,80,1,s,2026-01-01   | column 'provider' is 'cloud9'; known: aws, gcp",
                "aws,a,r,h1000,8,80,1,s,2026-01-01         | no device is called 'h1000'",
                "aws,a,r,h100-sxm,0,80,1,s,2026-01-01      | a whole number from 1",
                "aws,a,r,h100-sxm,8,80,0,s,2026-01-01      | column 'price_usd_hour_on_demand' is 0",
                "aws,a,r,h100-sxm,8,80,1,s,2026-13-01      | write a date as in 2026-11-15",
                "aws,a,r,h100-sxm,8,80,1,,2026-01-01       | column 'source' is blank"
            })
    void saysWhatIsWrongWithAUsersTable(String row, String message) {
        assertThatThrownBy(() -> PriceCatalogue.parse(HEAD + "\n" + row + "\n", DEVICES))
                .isInstanceOf(CatalogueException.class)
                .hasMessageContaining("line 2: ")
                .hasMessageContaining(message);
    }

    @Test
    void anOfferIsThereOnce() {
        String row = own("a", "10", "2026-01-01") + "\n";
        assertThatThrownBy(() -> PriceCatalogue.parse(HEAD + "\n" + row + row, DEVICES))
                .hasMessage("instance 'a' of other occurs twice for region 'here'; delete one");
    }

    @ParameterizedTest
    @CsvSource({"aws, AWS", "Amazon, AWS", "GOOGLE, GCP", "microsoft, AZURE", "oci, ORACLE", "' Lambda ', LAMBDA"})
    void providersHaveMoreThanOneName(String name, CloudProvider provider) {
        assertThat(CloudProvider.parse(name)).isEqualTo(provider);
    }

    @Test
    void anUnknownProviderIsAnErrorThatListsTheKnown() {
        assertThatThrownBy(() -> CloudProvider.parse("nowhere"))
                .isInstanceOf(CatalogueException.class)
                .hasMessage("no provider is called 'nowhere'; known: " + String.join(", ", CloudProvider.texts()))
                .hasMessageContaining("aws, gcp, azure, oracle");
    }

    private static String own(String instance, String price, String date) {
        return "other," + instance + ",here,h100-sxm,8,80," + price + ",own," + date;
    }
}
