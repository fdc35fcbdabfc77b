// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.muster.core.QuantizationLevel;
import dev.muster.core.unit.Bytes;
import dev.muster.plan.rules.RulePlanner;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class OfferRankingTest {
    private static final DeviceCatalogue DEVICES = DeviceCatalogue.builtIn();
    private static final OfferRanking RANKING = OfferRanking.of(PriceCatalogue.builtIn(), DEVICES);
    private static final String HEAD = "provider,instance,region,accelerator,count,memory_gb_each,"
            + "price_usd_hour_on_demand,price_usd_hour_spot,source,date\n";

    @ParameterizedTest
    @EnumSource(QuantizationLevel.class)
    void everyResultFitsAndTheCheapestComesFirst(QuantizationLevel level) {
        for (long billions : new long[] {1, 7, 13, 32, 70, 123, 405, 671}) {
            Bytes needed = RulePlanner.estimateMemory(billions * 1_000_000_000, level);
            List<OfferChoice> choices = RANKING.rank(OfferRequest.of(needed, level));
            assertThat(choices).allSatisfy(choice -> {
                DeviceEntry device = DEVICES.find(choice.offer().accelerator()).orElseThrow();
                assertThat(device.memory()
                                .usable()
                                .saturatingTimes(choice.offer().count()))
                        .isGreaterThanOrEqualTo(needed)
                        .isEqualTo(choice.usable());
                assertThat(device.supports(level)).isTrue();
                assertThat(choice.headroomPercent()).isBetween(0.0, 100.0);
            });
            assertThat(choices).isSortedAccordingTo(Comparator.comparing(OfferChoice::price));
        }
    }

    @ParameterizedTest
    @EnumSource(InstanceOffer.Purchase.class)
    void moreMemoryNeverAddsOffers(InstanceOffer.Purchase purchase) {
        Set<InstanceOffer> before = null;
        for (long gibibytes = 1; gibibytes < 4096; gibibytes += 7) {
            OfferRequest request = OfferRequest.of(Bytes.ofGib(gibibytes), QuantizationLevel.FLOAT16)
                    .withPurchase(purchase);
            Set<InstanceOffer> now = new HashSet<>();
            RANKING.rank(request).forEach(choice -> now.add(choice.offer()));
            if (before != null) {
                assertThat(before).containsAll(now);
            }
            before = now;
        }
        assertThat(before).isEmpty();
    }

    @Test
    void aVendorsGigabyteIsNotTakenForMoreThanProgramsGet() {
        // 24 GB with error correction are 23028 MiB to programs.
        Bytes seen = Bytes.ofMib(23028);
        assertThat(instances(OfferRequest.of(seen, QuantizationLevel.FLOAT16)))
                .doesNotContain("g5.xlarge", "Standard_NV36ads_A10_v5");
        assertThat(instances(OfferRequest.of(Bytes.ofGib(22), QuantizationLevel.FLOAT16)))
                .contains("g5.xlarge", "Standard_NV36ads_A10_v5");
    }

    @Test
    void aSmallModelRunsOnTheCheapestDeviceThatHasItsLevel() {
        Bytes needed = RulePlanner.estimateMemory(7_000_000_000L, QuantizationLevel.BFLOAT16);
        assertThat(instances(OfferRequest.of(needed, QuantizationLevel.BFLOAT16)))
                .doesNotContain("Standard_NC64as_T4_v3", "gpu_8x_v100")
                .startsWith("n3-RTX-A4000x1");
        assertThat(instances(OfferRequest.of(needed, QuantizationLevel.FLOAT16)))
                .contains("Standard_NC64as_T4_v3");
    }

    @Test
    void fourBitIntegersNeedADeviceThatHasThem() {
        assertThat(RANKING.rank(OfferRequest.of(Bytes.ofGib(8), QuantizationLevel.INT4)))
                .isNotEmpty()
                .noneMatch(choice -> choice.offer().accelerator().startsWith("tpu")
                        || choice.offer().accelerator().startsWith("trn"));
    }

    @Test
    void providersAndDevicesCanBeLimited() {
        OfferRequest request = OfferRequest.of(Bytes.ofGib(60), QuantizationLevel.FLOAT16)
                .withProviders(Set.of(CloudProvider.AZURE))
                .withMaxDevices(2);
        assertThat(RANKING.rank(request)).isNotEmpty().allSatisfy(choice -> {
            assertThat(choice.offer().provider()).isEqualTo(CloudProvider.AZURE);
            assertThat(choice.offer().count()).isLessThanOrEqualTo(2);
        });
    }

    @Test
    void spotPricesCountWhereTheyAreKnown() {
        OfferRequest request =
                OfferRequest.of(Bytes.ofGib(60), QuantizationLevel.FLOAT16).withPurchase(InstanceOffer.Purchase.SPOT);
        assertThat(RANKING.rank(request))
                .isNotEmpty()
                .allSatisfy(choice -> assertThat(choice.offer().spot().find()).hasValue(choice.price()));
    }

    @Test
    void equalPricesGoToFewerDevicesThenByName() {
        List<String> rows = new ArrayList<>(List.of(
                "other,c,r,h100-sxm,8,80,10.0,,own,2026-11-15",
                "other,b,r,h100-sxm,8,80,10,,own,2026-11-15",
                "other,d,r,h200-sxm,4,141,10.00,,own,2026-11-15",
                "other,a,r,h100-sxm,8,80,11,,own,2026-11-15"));
        PriceCatalogue prices = PriceCatalogue.parse(HEAD + String.join("\n", rows), DEVICES);
        assertThat(OfferRanking.of(prices, DEVICES).rank(OfferRequest.of(Bytes.ofGib(100), QuantizationLevel.FLOAT16)))
                .extracting(choice -> choice.offer().instance())
                .containsExactly("d", "b", "c", "a");
    }

    @Test
    void headroomIsAPartOfTheMachine() {
        PriceCatalogue prices = PriceCatalogue.parse(HEAD + "other,a,r,gaudi2,8,96,10,,own,2026-11-15", DEVICES);
        Bytes all = DEVICES.find("gaudi2").orElseThrow().memory().usable().saturatingTimes(8);
        OfferRanking ranking = OfferRanking.of(prices, DEVICES);
        Bytes quarter = Bytes.of(all.unsigned() / 4);
        assertThat(ranking.rank(OfferRequest.of(quarter, QuantizationLevel.BFLOAT16)))
                .singleElement()
                .satisfies(choice -> assertThat(choice.headroomPercent()).isCloseTo(75, within(1e-6)));
        assertThat(ranking.rank(OfferRequest.of(all, QuantizationLevel.BFLOAT16)))
                .hasSize(1);
        assertThat(ranking.rank(OfferRequest.of(all.plus(Bytes.of(1)), QuantizationLevel.BFLOAT16)))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, Long.MIN_VALUE, Long.MAX_VALUE})
    void nothingHoldsEverything(long unsigned) {
        assertThat(RANKING.rank(OfferRequest.of(new Bytes(unsigned), QuantizationLevel.FLOAT16)))
                .isEmpty();
    }

    private static List<String> instances(OfferRequest request) {
        return RANKING.rank(request).stream()
                .map(choice -> choice.offer().instance())
                .toList();
    }
}
