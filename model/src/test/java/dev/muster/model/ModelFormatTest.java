// SPDX-License-Identifier: Apache-2.0
package dev.muster.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ModelFormatTest {
    @Test
    void formatsAreNamedAsTheReferenceNamesThem() {
        assertThat(Arrays.stream(ModelFormat.values()).map(ModelFormat::display))
                .containsExactly("SafeTensors", "GGUF", "ONNX", "PyTorch");
    }
}
