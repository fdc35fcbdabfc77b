// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.measured;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.CatalogueException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MeasuredTablesTest {
    private static final MeasuredTables FIRST = MeasuredTables.of(
            Map.of(MeasuredTables.MEMORY, "row_id,value\nM1,1", MeasuredTables.TRAINING, "row_id\nT1\n"));

    @Test
    void rowsOfBothAreThere() {
        MeasuredTables both = FIRST.with(MeasuredTables.of(
                Map.of(MeasuredTables.MEMORY, "row_id,value\nM2,2\n", MeasuredTables.SERVING, "row_id\nN1\n")));
        assertThat(both.find(MeasuredTables.MEMORY)).hasValue("row_id,value\nM1,1\nM2,2\n");
        assertThat(both.find(MeasuredTables.TRAINING)).hasValue("row_id\nT1\n");
        assertThat(both.find(MeasuredTables.SERVING)).hasValue("row_id\nN1\n");
        assertThat(both.find(MeasuredTables.INFERENCE)).isEmpty();
    }

    @Test
    void otherColumnsAreRefused() {
        MeasuredTables both = FIRST.with(MeasuredTables.of(Map.of(MeasuredTables.MEMORY, "row_id,size\nM2,2\n")));
        assertThatThrownBy(() -> both.find(MeasuredTables.MEMORY))
                .isInstanceOf(CatalogueException.class)
                .hasMessageContaining("memory.csv has other columns");
    }
}
