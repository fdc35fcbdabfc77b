// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.price;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.CatalogueException;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.InstanceOffer;
import dev.muster.plan.catalogue.InstanceOffer.Purchase;
import dev.muster.plan.catalogue.PriceCatalogue;
import dev.muster.plan.price.SkyPilotPrices.Fate;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SkyPilotPricesTest {
    private static final LocalDate DAY = LocalDate.of(2026, 8, 22);
    private static final String HEADER =
            "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,SpotPrice,Region,AvailabilityZone,GpuInfo\n";

    private final SkyPilotPrices prices = SkyPilotPrices.of(DeviceCatalogue.builtIn());

    @Test
    void keepsEachInstanceTypeAtItsCheapestRegion() {
        prices.read(
                "runpod",
                HEADER
                        + "1x_RTX4090,RTX4090,1.0,8.0,31.0,0.74,0.5,EU,a,\"{'Gpus': [{'MemoryInfo': {'SizeInMiB': 24}}]}\"\n"
                        + "1x_RTX4090,RTX4090,1.0,8.0,31.0,0.69,,US,b,\"{'Gpus': [{'MemoryInfo': {'SizeInMiB': 24}}]}\"\n"
                        + "2x_RTX4090,RTX4090,2.0,16.0,62.0,1.38,0.9,US,b,\n",
                DAY);

        List<InstanceOffer> offers = prices.prices().offers();
        assertThat(offers)
                .extracting(InstanceOffer::instance, InstanceOffer::region, InstanceOffer::machine)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("1x_RTX4090", "US", "rtx-4090:1"),
                        org.assertj.core.groups.Tuple.tuple("2x_RTX4090", "US", "rtx-4090:2,pcie"));
        assertThat(offers.getFirst().onDemand().amount()).isEqualTo(0.69);
        assertThat(offers.getFirst().spot().isKnown()).isFalse();
        assertThat(offers.getLast().price(Purchase.SPOT).find().orElseThrow().amount())
                .isEqualTo(0.9);
        assertThat(offers.getFirst().date()).isEqualTo(DAY);
        assertThat(prices.fates()).isEqualTo(Map.of(Fate.KEPT, 2, Fate.DEARER, 1));
    }

    @Test
    void everyRowHasAFate() {
        prices.read(
                "gcp",
                HEADER
                        + "a3-highgpu-8g,,,208,1872,10,6,us,us-a,\n"
                        + ",H100,8,,,70,30,us,us-a,\"{'Gpus': [{'MemoryInfo': {'SizeInMiB': 81920}}]}\"\n"
                        + ",T4,1,,,0.35,0.1,us,us-a,\n"
                        + ",tpu-v5p-8,1,,,16.8,,us,us-a,tpu-v5p-8\n"
                        + ",tpu-v5p-1024,1,,,2150,,us,us-a,tpu-v5p-1024\n"
                        + "x,K80,1,,,1,,us,us-a,\n"
                        + "y,L4,0.5,,,1,,us,us-a,\n"
                        + "z,L4,1,,,,0.2,us,us-a,\n",
                DAY);

        assertThat(prices.fates())
                .isEqualTo(Map.of(
                        Fate.NO_ACCELERATOR, 1,
                        Fate.KEPT, 2,
                        Fate.DEVICE_ALONE, 1,
                        Fate.SEVERAL_HOSTS, 1,
                        Fate.UNKNOWN_DEVICE, 1,
                        Fate.SHARE, 1,
                        Fate.NO_PRICE, 1));
        assertThat(prices.unknownDevices()).isEqualTo(Map.of("K80", 1));
        assertThat(prices.prices().offers())
                .extracting(
                        InstanceOffer::instance,
                        InstanceOffer::machine,
                        offer -> offer.onDemand().amount())
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("a3-highgpu-8g", "h100-sxm:8,nvswitch", 80.0),
                        org.assertj.core.groups.Tuple.tuple("tpu-v5p-8", "tpu-v5p:4,ici", 16.8));
    }

    @Test
    void memoryTellsFormsOfADeviceApart() {
        prices.read(
                "vast",
                HEADER + "a,A100,2,1,1,1,,r,,\"{'Gpus': [{'MemoryInfo': {'SizeInMiB': 163840}}]}\"\n"
                        + "b,A100,4,1,1,1,,r,,\"{'Gpus': [{'MemoryInfo': {'SizeInMiB': 163840}}]}\"\n",
                DAY);

        assertThat(prices.prices().offers())
                .extracting(InstanceOffer::machine)
                .containsExactly("a100-pcie-80:2,pcie", "a100-pcie-40:4,pcie");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a,b\n1,2\n",
                HEADER + "x,L4,1,1,1,-3,,us,a,\n",
                HEADER + "x,L4,1,1,1,NaN,,us,a,\n",
                HEADER + "x,L4,1,1,1,1e400,,us,a,\n",
                HEADER + "x,L4,many,1,1,3,,us,a,\n",
                HEADER + "x,L4,1,1,1,3,,us\n",
                HEADER + "x,L4,1,1,1,1e9,,us,a,\n",
                HEADER + "\"x\ny\",L4,1,1,1,3,,us,a,\n",
                HEADER + "\"x,L4,1,1,1,3,,us,a,\n"
            })
    void refusesHostileFiles(String text) {
        assertThatThrownBy(() -> prices.read("runpod", text, DAY)).isInstanceOf(CatalogueException.class);
    }

    @Test
    void anyTextIsReadOrRefused() {
        Random random = new Random(20_261_119);
        String valid = HEADER + "1x_RTX4090,RTX4090,1.0,8.0,31.0,0.74,0.5,\"EU, x\",a,\"{'SizeInMiB': 24}\"\n";
        for (int i = 0; i < 2000; i++) {
            StringBuilder text = new StringBuilder(valid);
            for (int change = random.nextInt(1, 6); change > 0; change--) {
                text.setCharAt(random.nextInt(text.length()), (char) random.nextInt(0x20 + random.nextInt(0x300)));
            }
            SkyPilotPrices one = SkyPilotPrices.of(DeviceCatalogue.builtIn());
            try {
                one.read("runpod", text.toString(), DAY);
                PriceCatalogue read = one.prices();
                assertThat(read.offers()).hasSize(one.fates().getOrDefault(Fate.KEPT, 0));
            } catch (CatalogueException _) {
                // refused with a message
            }
        }
    }
}
