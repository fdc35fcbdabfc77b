// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.memory;

import static dev.muster.model.ModelDimension.STATE_CONVOLUTION;
import static dev.muster.model.ModelDimension.STATE_GROUPS;
import static dev.muster.model.ModelDimension.STATE_HEADS;
import static dev.muster.model.ModelDimension.STATE_KEY_SIZE;
import static dev.muster.model.ModelDimension.STATE_VALUE_SIZE;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.core.unit.Bytes;
import dev.muster.model.LayerKind.Mixer;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelDimension;
import dev.muster.model.ModelLayer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/// The KV cache of one sequence. Layers with a window keep no more than that; those that keep a state instead take
/// the same for any number of tokens. Immutable.
///
/// @since 0.1
public final class KvCache {
    /// Published configurations of Qwen 3.5 and Nemotron 3 ask for states in 32 bits (2026).
    private static final long STATE_NUMBER_BYTES = 4;

    /// Larger numbers are invalid; their products would overflow bytes.
    private static final long MAX_STATE_FACTOR = 1 << 16;

    private static final Provenance DERIVED = Provenance.of(
            "layers, heads and window of the architecture", Provenance.Method.DERIVED, Provenance.Confidence.STATED);
    /// Larger head counts and widths are invalid; their products would overflow bytes.
    private static final long MAX_FACTOR = 1 << 24;

    private final List<Group> groups;
    private final long bytesPerNumber;
    private final Bytes states;

    private KvCache(List<Group> groups, long bytesPerNumber, Bytes states) {
        this.groups = List.copyOf(groups);
        this.bytesPerNumber = bytesPerNumber;
        this.states = states;
    }

    /// Layers with the same KV cache.
    ///
    /// @param layers the number
    /// @param numbers numbers that a layer keeps for each token that it keeps
    /// @param window tokens kept as they are; 0 for all
    /// @param compression tokens kept as one entry, beside those of the window; 0 without compression
    /// @param compressed numbers of such an entry
    private record Group(long layers, long numbers, long window, long compression, long compressed) {
        Group with(long more) {
            return new Group(layers + more, numbers, window, compression, compressed);
        }

        /// Reports whether the groups differ in their number of layers alone.
        boolean isLike(Group other) {
            return numbers == other.numbers
                    && window == other.window
                    && compression == other.compression
                    && compressed == other.compressed;
        }

        long recent(long tokens) {
            return window == 0 && compression == 0 ? tokens : Math.min(tokens, window);
        }

        long joined(long tokens) {
            return compression == 0 ? 0 : tokens / compression;
        }
    }

    /// Returns the cache of an architecture; unknown if it is incomplete, or states what is not understood.
    ///
    /// @param bytesPerNumber bytes of one key or value: 2 for 16 bits
    public static Reading<KvCache> of(ModelArchitecture architecture, int bytesPerNumber) {
        if (!architecture.doubt().isEmpty()) {
            return Reading.unknown(UnknownReason.UNREADABLE, architecture.doubt());
        }
        List<Group> groups = new ArrayList<>();
        if (architecture.layers().isEmpty() || !addGroups(groups, architecture, architecture.layers(), 0)) {
            return Reading.unknown(UnknownReason.NOT_STATED, "layers, KV heads or head size are not known");
        }
        long count = 0;
        for (ModelLayer layer : architecture.layers()) {
            count += layer.kind().mixer().keepsState() ? 1 : 0;
        }
        if (count > 0 && !architecture.hasStates()) {
            return Reading.unknown(UnknownReason.NOT_STATED, "the size of states is unknown");
        }
        Bytes states = Bytes.of(count).saturatingTimes(stateBytes(architecture));
        return Reading.known(new KvCache(groups, bytesPerNumber, states), DERIVED);
    }

    /// Returns the cache of some layers of an architecture, without states, in numbers instead of bytes.
    ///
    /// @param width numbers of a layer and token, if the architecture does not state them
    public static KvCache ofLayers(ModelArchitecture architecture, List<ModelLayer> layers, long width) {
        List<Group> groups = new ArrayList<>();
        addGroups(groups, architecture, layers, Math.max(1, width));
        return new KvCache(groups, 1, Bytes.ZERO);
    }

    /// @return true if the cache of all layers is known
    private static boolean addGroups(
            List<Group> groups, ModelArchitecture architecture, List<ModelLayer> layers, long otherwise) {
        for (ModelLayer layer : layers) {
            if (!shares(architecture, layer) && layer.kind().mixer().isAttention()) {
                OptionalLong width = width(architecture, layer);
                if (width.isEmpty() && otherwise == 0) {
                    return false;
                }
                add(groups, group(architecture, layer, width.orElse(otherwise)));
            }
        }
        return true;
    }

    /// Reports whether a layer uses the KV cache of an earlier one.
    private static boolean shares(ModelArchitecture architecture, ModelLayer layer) {
        Long own = layer.own().get(ModelDimension.SHARED_KV_LAYERS);
        return own != null
                && own == 0
                && architecture.find(ModelDimension.SHARED_KV_LAYERS).orElse(0) > 0;
    }

    private static void add(List<Group> groups, Group more) {
        for (int at = 0; at < groups.size(); at++) {
            if (groups.get(at).isLike(more)) {
                groups.set(at, groups.get(at).with(1));
                return;
            }
        }
        groups.add(more);
    }

    private static Group group(ModelArchitecture architecture, ModelLayer layer, long width) {
        long window = architecture.find(layer, ModelDimension.SLIDING_WINDOW).orElse(0);
        long index = layer.kind().mixer() == Mixer.SPARSE_ATTENTION
                ? bounded(architecture, layer, ModelDimension.INDEXER_HEAD_SIZE).orElse(0)
                : 0;
        long compression =
                architecture.find(layer, ModelDimension.KV_COMPRESSION).orElse(0);
        if (layer.kind().mixer().isBounded()) {
            return new Group(1, width, window, 0, 0);
        }
        return compression > 0
                ? new Group(1, width, window, compression, width + index)
                : new Group(1, width + index, 0, 0, 0);
    }

    /// Returns the numbers of keys and values of one layer and token.
    private static OptionalLong width(ModelArchitecture architecture, ModelLayer layer) {
        if (architecture.hasLatentAttention() && !layer.kind().mixer().isBounded()) {
            OptionalLong rank = bounded(architecture, layer, ModelDimension.KV_RANK);
            OptionalLong rope = bounded(architecture, layer, ModelDimension.ROPE_HEAD_SIZE);
            return rank.isPresent() && rope.isPresent()
                    ? OptionalLong.of(rank.getAsLong() + rope.getAsLong())
                    : OptionalLong.empty();
        }
        OptionalLong heads = bounded(architecture, layer, ModelDimension.KV_HEADS);
        OptionalLong keys = bounded(architecture, layer, ModelDimension.HEAD_SIZE);
        if (heads.isEmpty() || keys.isEmpty()) {
            return OptionalLong.empty();
        }
        OptionalLong values = bounded(architecture, layer, ModelDimension.VALUE_HEAD_SIZE);
        return OptionalLong.of(heads.getAsLong() * (keys.getAsLong() + values.orElse(keys.getAsLong())));
    }

    private static OptionalLong bounded(ModelArchitecture architecture, ModelLayer layer, ModelDimension dimension) {
        OptionalLong value = architecture.find(layer, dimension);
        return value.isPresent() && value.getAsLong() <= MAX_FACTOR ? value : OptionalLong.empty();
    }

    /// Returns the bytes of one more token while no window is full.
    public Bytes perToken() {
        Bytes sum = Bytes.ZERO;
        for (Group group : groups) {
            long recent = group.compression == 0 || group.window > 0 ? group.numbers : 0;
            long joined = group.compression == 0 ? 0 : Math.ceilDiv(group.compressed, group.compression);
            sum = sum.saturatingPlus(Bytes.of(group.layers).saturatingTimes((recent + joined) * bytesPerNumber));
        }
        return sum;
    }

    /// Returns the number of tokens that fit into some memory, up to a limit.
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

    /// Returns the bytes of a sequence of a number of tokens.
    public Bytes ofTokens(long tokens) {
        Bytes sum = states;
        for (Group group : groups) {
            Bytes recent = Bytes.of(group.recent(tokens)).saturatingTimes(group.numbers * bytesPerNumber);
            Bytes joined = Bytes.of(group.joined(tokens)).saturatingTimes(group.compressed * bytesPerNumber);
            sum = sum.saturatingPlus(recent.saturatingPlus(joined).saturatingTimes(group.layers));
        }
        return sum;
    }

    /// Returns the token-layers kept of a number of tokens, which may be fractional.
    public double keptTokens(double tokens) {
        double sum = 0;
        for (Group group : groups) {
            sum += group.layers * (recent(group, tokens) + joined(group, tokens));
        }
        return sum;
    }

    /// Returns the numbers kept of a number of tokens, which may be fractional.
    public double keptNumbers(double tokens) {
        double sum = 0;
        for (Group group : groups) {
            sum += group.layers * (recent(group, tokens) * group.numbers + joined(group, tokens) * group.compressed);
        }
        return sum;
    }

    private static double recent(Group group, double tokens) {
        return group.window == 0 && group.compression == 0 ? tokens : Math.min(tokens, (double) group.window);
    }

    private static double joined(Group group, double tokens) {
        return group.compression == 0 ? 0 : tokens / group.compression;
    }

    /// Returns the bytes of the state that a layer of Mamba or linear attention keeps of a sequence of any length:
    /// a matrix of keys by values for each head, and the last inputs of its convolution. 0 if the architecture
    /// does not state the size of states.
    public static long stateBytes(ModelArchitecture architecture) {
        if (!architecture.hasStates()) {
            return 0;
        }
        long heads = bounded(architecture, STATE_HEADS);
        long keys = bounded(architecture, STATE_KEY_SIZE);
        long values = bounded(architecture, STATE_VALUE_SIZE);
        long convolved = 2 * bounded(architecture, STATE_GROUPS) * keys + heads * values;
        long inputs = Math.max(0, bounded(architecture, STATE_CONVOLUTION) - 1);
        return STATE_NUMBER_BYTES * (heads * keys * values + inputs * convolved);
    }

    private static long bounded(ModelArchitecture architecture, ModelDimension dimension) {
        return Math.min(MAX_STATE_FACTOR, architecture.find(dimension).orElse(0));
    }
}
