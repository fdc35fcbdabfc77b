// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DeviceFactTest {
    @Test
    void everyFactIsFoundByItsKeyAndKnowsItsPlace() {
        for (int i = 0; i < DeviceFact.all().size(); i++) {
            DeviceFact<?> fact = DeviceFact.all().get(i);
            assertThat(fact.index()).isEqualTo(i);
            assertThat(DeviceFact.findByKey(fact.key())).containsSame(fact);
        }
        assertThat(DeviceFact.findByKey("memory_bytes")).isEmpty();
    }

    @Test
    void keysAndLabelsAreUnique() {
        assertThat(DeviceFact.all()).extracting(DeviceFact::key).doesNotHaveDuplicates();
        assertThat(DeviceFact.all()).extracting(DeviceFact::label).doesNotHaveDuplicates();
    }

    @Test
    void onlyWhatChangesByItselfIsPassing() {
        assertThat(DeviceFact.all())
                .filteredOn(DeviceFact::isVolatile)
                .containsExactly(
                        DeviceFact.MEMORY_USED,
                        DeviceFact.MEMORY_FREE,
                        DeviceFact.TEMPERATURE,
                        DeviceFact.POWER,
                        DeviceFact.UTILIZATION,
                        DeviceFact.MEMORY_RESERVED,
                        DeviceFact.PCIE_GENERATION,
                        DeviceFact.PCIE_WIDTH,
                        DeviceFact.CLOCK,
                        DeviceFact.MEMORY_CLOCK,
                        DeviceFact.MEMORY_TEMPERATURE,
                        DeviceFact.HOTSPOT_TEMPERATURE,
                        DeviceFact.ECC_CORRECTED,
                        DeviceFact.ECC_UNCORRECTED,
                        DeviceFact.THROTTLING,
                        DeviceFact.PROCESSES,
                        DeviceFact.REMAPPED_ROWS,
                        DeviceFact.ROW_REMAPPING,
                        DeviceFact.MEMORY_SHARED_FREE,
                        DeviceFact.SRAM_THRESHOLD_EXCEEDED,
                        DeviceFact.ECC_UNCORRECTED_LIFETIME,
                        DeviceFact.ENERGY,
                        DeviceFact.MEMORY_UTILIZATION,
                        DeviceFact.ENCODER_UTILIZATION,
                        DeviceFact.DECODER_UTILIZATION,
                        DeviceFact.PCIE_SENT,
                        DeviceFact.PCIE_RECEIVED,
                        DeviceFact.FABRIC_SENT,
                        DeviceFact.FABRIC_RECEIVED,
                        DeviceFact.FAN,
                        DeviceFact.PERFORMANCE_STATE,
                        DeviceFact.BAR_USED,
                        DeviceFact.PCIE_REPLAYS,
                        DeviceFact.ENGINE_ACTIVE,
                        DeviceFact.COMPUTE_ACTIVE,
                        DeviceFact.OCCUPANCY,
                        DeviceFact.TENSOR_ACTIVE,
                        DeviceFact.BANDWIDTH_UTILIZATION,
                        DeviceFact.FABRIC_SEND_RATE,
                        DeviceFact.FABRIC_RECEIVE_RATE);
    }
}
