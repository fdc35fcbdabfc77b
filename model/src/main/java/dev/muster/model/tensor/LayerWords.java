// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.tensor;

import dev.muster.model.LayerKind.Block;
import dev.muster.model.LayerKind.Mixer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The names of mixers and blocks in formulas.
final class LayerWords {
    static final Map<String, Long> CODES = new HashMap<>();
    private static final List<Mixer> MIXERS = List.of(Mixer.values());
    private static final List<Block> BLOCKS = List.of(Block.values());

    static {
        for (int code = 0; code < MIXERS.size(); code++) {
            CODES.put(MIXERS.get(code).name(), (long) code);
        }
        for (int code = 0; code < BLOCKS.size(); code++) {
            Block block = BLOCKS.get(code);
            // A mixer of none has a word, too.
            CODES.put(block == Block.NONE ? "NO_BLOCK" : block.name(), (long) code);
        }
    }

    private LayerWords() {}

    static Mixer mixer(long code) {
        return MIXERS.get((int) code);
    }

    static Block block(long code) {
        return BLOCKS.get((int) code);
    }
}
