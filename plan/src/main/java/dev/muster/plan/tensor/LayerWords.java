package dev.muster.plan.tensor;

import dev.muster.plan.model.LayerKind.Block;
import dev.muster.plan.model.LayerKind.Mixer;
import java.util.HashMap;
import java.util.Map;

/// The names that formulas have for what layers are made of.
final class LayerWords {
    static final Map<String, Long> CODES = new HashMap<>();
    private static final Mixer[] MIXERS = Mixer.values();
    private static final Block[] BLOCKS = Block.values();

    static {
        for (Mixer mixer : MIXERS) {
            CODES.put(mixer.name(), (long) mixer.ordinal());
        }
        CODES.put("DENSE", (long) Block.DENSE.ordinal());
        CODES.put("EXPERTS", (long) Block.EXPERTS.ordinal());
        CODES.put("NO_BLOCK", (long) Block.NONE.ordinal());
    }

    private LayerWords() {}

    static Mixer mixer(long code) {
        return MIXERS[(int) code];
    }

    static Block block(long code) {
        return BLOCKS[(int) code];
    }
}
