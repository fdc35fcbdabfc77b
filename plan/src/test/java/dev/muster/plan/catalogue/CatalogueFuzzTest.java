// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.muster.core.QuantizationLevel;
import dev.muster.core.unit.Bytes;
import dev.muster.model.CatalogueException;
import dev.muster.model.table.CsvTable;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/// Arbitrary tables: readers return a catalogue or name the error in one sentence.
final class CatalogueFuzzTest {
    private static final DeviceCatalogue DEVICES = DeviceCatalogue.builtIn();
    private static final String DEVICE_HEAD =
            "device_id,vendor,name,class,memory_gb,memory_type,mem_bw_gbs,pci_ids,tdp_w,source\n";
    private static final String PRICE_HEAD = "provider,instance,region,accelerator,count,memory_gb_each,"
            + "price_usd_hour_on_demand,price_usd_hour_spot,source,date\n";

    @FuzzTest
    void table(byte[] data) {
        read(() -> assertThat(CsvTable.parse(text(data)).rows()).hasSizeLessThanOrEqualTo(CsvTable.MAX_ROWS));
    }

    @FuzzTest
    void devices(byte[] data) {
        read(() -> DeviceCatalogue.parse(DEVICE_HEAD + text(data)).entries().forEach(CatalogueFuzzTest::use));
    }

    @FuzzTest
    void prices(byte[] data) {
        read(() -> {
            PriceCatalogue prices = PriceCatalogue.parse(PRICE_HEAD + text(data), DEVICES);
            OfferRanking.of(prices, DEVICES)
                    .rank(OfferRequest.of(Bytes.ofGib(1), QuantizationLevel.FLOAT16))
                    .forEach(choice -> assertThat(choice.headroomPercent()).isBetween(0.0, 100.0));
        });
    }

    @FuzzTest
    void name(byte[] data) {
        String key = DeviceNames.key(text(data));
        assertThat(DeviceNames.key(key)).isEqualTo(key);
    }

    @FuzzTest
    void deviceList(byte[] data) {
        readText(
                data,
                text -> assertThat(DeviceList.parse(text, DEVICES).items()).isNotEmpty());
    }

    @FuzzTest
    void hosts(byte[] data) {
        readText(
                data,
                text -> assertThat(WhatIf.synthetic(text, DEVICES).profiles())
                        .hasSizeBetween(1, DeviceList.MAX_DEVICES + HostGrammar.MAX_HOSTS));
    }

    private static void readText(byte[] data, Consumer<String> reader) {
        String text = text(data);
        try {
            reader.accept(text);
        } catch (DeviceTextException expected) {
            assertThat(expected.getMessage()).isNotBlank().hasSizeLessThan(200);
            assertThat(expected.position()).isBetween(1, text.length() + 1);
        }
    }

    private static void use(DeviceEntry entry) {
        assertThat(entry.memory().usable()).isLessThanOrEqualTo(entry.memory().total());
        DEVICES.match(entry.toProfile(0));
    }

    private static void read(Runnable reader) {
        try {
            reader.run();
        } catch (CatalogueException expected) {
            assertThat(expected.getMessage()).isNotBlank().hasSizeLessThan(1_000);
        }
    }

    private static String text(byte[] data) {
        return new String(data, StandardCharsets.UTF_8);
    }
}
