// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.collective;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReduceOpTest {
    @Test
    void operatorsAndTypesAreFoundByTheirNames() {
        for (ReduceOp op : ReduceOp.values()) {
            assertThat(ReduceOp.parse(op.text())).contains(op);
        }
        assertThat(ReduceOp.parse("mean")).isEmpty();
        for (DType type : DType.values()) {
            assertThat(DType.parse(type.text())).contains(type);
        }
        assertThat(DType.parse("float")).isEmpty();
    }
}
