// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RandomMatrixTest {
    private static final int COUNT = 100_000;

    @ParameterizedTest
    @ValueSource(ints = {RandomMatrix.FLOAT, RandomMatrix.HALF, RandomMatrix.BFLOAT16})
    void numbersAreNearlyNormal(int type) {
        int bytes = type == RandomMatrix.FLOAT ? Float.BYTES : Short.BYTES;
        double sum = 0;
        double squares = 0;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate((long) COUNT * bytes, Long.BYTES);
            RandomMatrix.fill(memory, type);
            for (int i = 0; i < COUNT; i++) {
                double value = read(memory, (long) i * bytes, type);
                sum += value;
                squares += value * value;
            }
        }
        assertThat(sum / COUNT).isCloseTo(0, within(0.02));
        assertThat(squares / COUNT).isCloseTo(1, within(0.02));
    }

    private static double read(MemorySegment memory, long offset, int type) {
        return switch (type) {
            case RandomMatrix.FLOAT -> memory.get(ValueLayout.JAVA_FLOAT, offset);
            case RandomMatrix.HALF -> Float.float16ToFloat(memory.get(ValueLayout.JAVA_SHORT, offset));
            default -> Float.intBitsToFloat(memory.get(ValueLayout.JAVA_SHORT, offset) << 16);
        };
    }

    @Test
    void bfloat16IsRoundedToNearestTiesToEven() {
        assertThat(RandomMatrix.toBfloat16(1f)).isEqualTo((short) 0x3f80);
        assertThat(RandomMatrix.toBfloat16(Float.intBitsToFloat(0x3f80_8000))).isEqualTo((short) 0x3f80);
        assertThat(RandomMatrix.toBfloat16(Float.intBitsToFloat(0x3f81_8000))).isEqualTo((short) 0x3f82);
        assertThat(RandomMatrix.toBfloat16(Float.intBitsToFloat(0x3f80_8001))).isEqualTo((short) 0x3f81);
        assertThat(RandomMatrix.toBfloat16(-2f)).isEqualTo((short) 0xc000);
    }
}
