// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PciAddressTest {
    @ParameterizedTest
    @CsvSource({
        "0000:3b:00.0, 0000:3b:00.0",
        "3B:00.0, 0000:3b:00.0",
        "00000000:3B:00.0, 0000:3b:00.0",
        "' 0000:3b:00.0 ', 0000:3b:00.0",
        "0001:ff:1f.7, 0001:ff:1f.7",
        "10000:01:00.0, 10000:01:00.0",
        "0A0b0C:01:00.0, a0b0c:01:00.0",
        "ffffffff:00:00.0, ffffffff:00:00.0"
    })
    void readsEverySpelling(String text, String canonical) {
        assertThat(PciAddress.find(text)).isPresent().get().hasToString(canonical);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "3b",
                "3b:00",
                "3b:00.8",
                "3b:20.0",
                "3b:ff.0",
                "0:3b:00.0",
                "000:3b:00.0",
                "000000000:3b:00.0",
                "3b:0.0",
                "b:00.0",
                "0000:3b:00:0",
                "0000-3b-00.0",
                "0000:3g:00.0",
                "0000:3b:00.0.0",
                ":3b:00.0",
                "0000:3b:00.0 x",
                "٠٠:٠٠.٠"
            })
    void findsNoAddressInOtherTexts(String text) {
        assertThat(PciAddress.find(text)).isEmpty();
    }

    @Test
    void readsBackWhatItPrints() {
        Trials.run(5_000, random -> {
            int domain = random.nextInt() >>> random.nextInt(Integer.SIZE);
            PciAddress address = new PciAddress(domain, random.nextInt(256), random.nextInt(32), random.nextInt(8));
            assertThat(PciAddress.find(address.toString())).contains(address);
        });
    }

    @Test
    void ordersByDomainThenBusThenDeviceThenFunction() {
        List<String> ordered = List.of(
                "0000:00:00.0",
                "0000:00:00.1",
                "0000:00:01.0",
                "0000:01:00.0",
                "0001:00:00.0",
                "ffff:00:00.0",
                "10000:00:00.0",
                "ffffffff:00:00.0");
        assertThat(ordered.reversed().stream()
                        .map(text -> PciAddress.find(text).orElseThrow())
                        .sorted())
                .extracting(PciAddress::toString)
                .containsExactlyElementsOf(ordered);
    }

    @Test
    void anAddressThatExistsIsValid() {
        assertThatIllegalArgumentException().isThrownBy(() -> new PciAddress(0, 256, 0, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new PciAddress(0, -1, 0, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new PciAddress(0, 0, 32, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new PciAddress(0, 0, -1, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new PciAddress(0, 0, 0, 8));
        assertThatIllegalArgumentException().isThrownBy(() -> new PciAddress(0, 0, 0, -1));
    }
}
