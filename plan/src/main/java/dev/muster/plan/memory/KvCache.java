package dev.muster.plan.memory;

import static dev.muster.plan.model.ModelDimension.STATE_CONVOLUTION;
import static dev.muster.plan.model.ModelDimension.STATE_GROUPS;
import static dev.muster.plan.model.ModelDimension.STATE_HEADS;
import static dev.muster.plan.model.ModelDimension.STATE_KEY_SIZE;
import static dev.muster.plan.model.ModelDimension.STATE_VALUE_SIZE;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.core.unit.Bytes;
import dev.muster.plan.model.LayerKind.Mixer;
import dev.muster.plan.model.LayerKinds;
import dev.muster.plan.model.ModelArchitecture;
import dev.muster.plan.model.ModelDimension;
import java.util.OptionalLong;

/// What the KV cache of one sequence takes. Layers that look back only so far keep no more than their window;
/// those that keep a state instead take the same for any number of tokens.
/// Immutable.
///
/// @since 0.1
public final class KvCache {
    private static final Provenance DERIVED = Provenance.of(
            "layers, heads and window of the architecture", Provenance.Method.DERIVED, Provenance.Confidence.STATED);
    /// Head counts and widths beyond these are no architecture, and products of them no bytes.
    private static final long MAX_FACTOR = 1 << 24;

    private final long fullLayers;
    private final long localLayers;
    private final long window;
    private final long bytesPerFullLayer;
    private final long bytesPerLocalLayer;
    private final Bytes states;

    private KvCache(
            long fullLayers,
            long localLayers,
            long window,
            long bytesPerFullLayer,
            long bytesPerLocalLayer,
            Bytes states) {
        this.fullLayers = fullLayers;
        this.localLayers = localLayers;
        this.window = window;
        this.bytesPerFullLayer = bytesPerFullLayer;
        this.bytesPerLocalLayer = bytesPerLocalLayer;
        this.states = states;
    }

    /// The cache of an architecture; unknown where it does not say enough.
    ///
    /// @param bytesPerNumber bytes of one key or value: 2 for 16 bits
    public static Reading<KvCache> of(ModelArchitecture architecture, int bytesPerNumber) {
        LayerKinds layers = keeping(architecture);
        OptionalLong width = width(architecture);
        OptionalLong fullWidth = width(fullLayers(architecture));
        if (layers.layers().isEmpty() || width.isEmpty() || fullWidth.isEmpty()) {
            return Reading.unknown(UnknownReason.NOT_STATED, "layers, KV heads or head size are not known");
        }
        long window = architecture.find(ModelDimension.SLIDING_WINDOW).orElse(0);
        Bytes states = Bytes.of(layers.count(Mixer.STATE)).saturatingTimes(LayerState.bytes(architecture));
        return Reading.known(
                new KvCache(
                        layers.count(Mixer.FULL_ATTENTION),
                        layers.count(Mixer.LOCAL_ATTENTION),
                        window,
                        fullWidth.getAsLong() * bytesPerNumber,
                        width.getAsLong() * bytesPerNumber,
                        states),
                DERIVED);
    }

    /// The layers that keep a KV cache; the last ones of some models use those of an earlier one.
    private static LayerKinds keeping(ModelArchitecture architecture) {
        LayerKinds all = LayerKinds.of(architecture);
        long shared = architecture.find(ModelDimension.SHARED_KV_LAYERS).orElse(0);
        return new LayerKinds(all.layers()
                .subList(0, (int) Math.max(0, all.layers().size() - shared)));
    }

    /// The architecture as its layers see it that attend to all tokens.
    private static ModelArchitecture fullLayers(ModelArchitecture architecture) {
        ModelArchitecture.Builder builder = architecture.toBuilder();
        architecture
                .find(ModelDimension.FULL_KV_HEADS)
                .ifPresent(heads -> builder.dimension(ModelDimension.KV_HEADS, heads, DERIVED));
        architecture
                .find(ModelDimension.FULL_HEAD_SIZE)
                .ifPresent(size -> builder.dimension(ModelDimension.HEAD_SIZE, size, DERIVED));
        return builder.build();
    }

    /// Keys and values of one layer and token, in numbers.
    private static OptionalLong width(ModelArchitecture architecture) {
        if (architecture.hasLatentAttention()) {
            OptionalLong rank = bounded(architecture, ModelDimension.KV_RANK);
            OptionalLong rope = bounded(architecture, ModelDimension.ROPE_HEAD_SIZE);
            return rank.isPresent() && rope.isPresent()
                    ? OptionalLong.of(rank.getAsLong() + rope.getAsLong())
                    : OptionalLong.empty();
        }
        OptionalLong heads = bounded(architecture, ModelDimension.KV_HEADS);
        OptionalLong keys = bounded(architecture, ModelDimension.HEAD_SIZE);
        if (heads.isEmpty() || keys.isEmpty()) {
            return OptionalLong.empty();
        }
        OptionalLong values = bounded(architecture, ModelDimension.VALUE_HEAD_SIZE);
        long numbers = heads.getAsLong() * (keys.getAsLong() + values.orElse(keys.getAsLong()));
        long compression =
                Math.max(1, architecture.find(ModelDimension.KV_COMPRESSION).orElse(1));
        return OptionalLong.of(Math.ceilDiv(numbers, compression));
    }

    private static OptionalLong bounded(ModelArchitecture architecture, ModelDimension dimension) {
        OptionalLong value = architecture.find(dimension);
        return value.isPresent() && value.getAsLong() <= MAX_FACTOR ? value : OptionalLong.empty();
    }

    /// What one more token takes while no window is full.
    public Bytes perToken() {
        return Bytes.of(fullLayers)
                .saturatingTimes(bytesPerFullLayer)
                .saturatingPlus(Bytes.of(localLayers).saturatingTimes(bytesPerLocalLayer));
    }

    /// How many tokens fit into some memory, up to a limit.
    public long tokensIn(Bytes memory, long limit) {
        long low = 0;
        long high = limit;
        while (low < high) {
            long middle = low + (high - low + 1) / 2;
            if (ofTokens(middle).compareTo(memory) <= 0) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    /// What a sequence of so many tokens takes.
    public Bytes ofTokens(long tokens) {
        Bytes full = Bytes.of(tokens).saturatingTimes(fullLayers).saturatingTimes(bytesPerFullLayer);
        Bytes local =
                Bytes.of(Math.min(tokens, window)).saturatingTimes(localLayers).saturatingTimes(bytesPerLocalLayer);
        return full.saturatingPlus(local).saturatingPlus(states);
    }

    /// What a layer of Mamba or linear attention keeps of a sequence, however long it is: a matrix of keys by
    /// values for each head, and the last inputs of its convolution.
    ///
    /// @since 0.1
    public static final class LayerState {
        /// Published configurations of Qwen 3.5 and Nemotron 3 ask for states in 32 bits (2026).
        private static final long BYTES = 4;

        /// Wider numbers are no architecture, and products of them no bytes.
        private static final long MAX_FACTOR = 1 << 12;

        private LayerState() {}

        /// Bytes of one layer and sequence; 0 where the architecture does not say how large states are.
        public static long bytes(ModelArchitecture architecture) {
            if (!architecture.hasStates()) {
                return 0;
            }
            long heads = bounded(architecture, STATE_HEADS);
            long keys = bounded(architecture, STATE_KEY_SIZE);
            long values = bounded(architecture, STATE_VALUE_SIZE);
            long convolved = 2 * bounded(architecture, STATE_GROUPS) * keys + heads * values;
            long inputs = Math.max(0, bounded(architecture, STATE_CONVOLUTION) - 1);
            return BYTES * (heads * keys * values + inputs * convolved);
        }

        private static long bounded(ModelArchitecture architecture, ModelDimension dimension) {
            return Math.min(MAX_FACTOR, architecture.find(dimension).orElse(0));
        }
    }
}
