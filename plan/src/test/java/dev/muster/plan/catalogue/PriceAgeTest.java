// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.plan.catalogue.PriceCatalogue.PriceAge;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PriceAgeTest {
    private static final LocalDate TODAY = LocalDate.of(2026, 11, 18);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2025-11-18 | 2025-11-18 | of 2025-11-18, 365 days old: stale (more than 120 days)",
                "2025-11-18 | 2026-11-01 | of 2025-11-18 to 2026-11-01, up to 365 days old: stale (more than 120 days)",
                "2026-07-21 | 2026-07-21 | of 2026-07-21, 120 days old",
                "2026-07-20 | 2026-07-20 | of 2026-07-20, 121 days old: stale (more than 120 days)",
                "2026-11-17 | 2026-11-17 | of 2026-11-17, 1 day old",
                "2026-11-20 | 2026-11-20 | of 2026-11-20, which is in the future",
                "2026-11-18 | 2026-11-18 | of 2026-11-18, 0 days old"
            })
    void saysHowOldPricesAre(LocalDate oldest, LocalDate newest, String sentence) {
        assertThat(new PriceAge(oldest, newest, TODAY).display()).isEqualTo(sentence);
    }

    @Test
    void theOldestCounts() {
        List<InstanceOffer> offers = PriceCatalogue.builtIn().offers();
        PriceAge age = PriceAge.of(offers, TODAY);
        assertThat(offers).allSatisfy(offer -> assertThat(offer.date()).isBetween(age.oldest(), age.newest()));
        assertThat(offers).extracting(InstanceOffer::date).contains(age.oldest(), age.newest());
    }

    @Test
    void noPriceHasNoAge() {
        assertThatThrownBy(() -> PriceAge.of(List.of(), TODAY)).isInstanceOf(IllegalArgumentException.class);
    }
}
