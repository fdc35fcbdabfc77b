package dev.muster.plan.rules;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.FixedText;
import dev.muster.core.unit.Bytes;
import java.util.List;
import java.util.OptionalDouble;

/// How a model lies on devices, and how fast it may be. Immutable.
///
/// @param shards the pieces, by number
/// @param strategy how the model is split
/// @param totalMemory what all pieces take
/// @param tokensPerSecond the estimated speed; absent where nothing runs
/// @since 0.1
public record ShardingPlan(
        List<ModelShard> shards, ShardingStrategy strategy, Bytes totalMemory, OptionalDouble tokensPerSecond) {
    /// Copies the list, unless nobody can change it.
    public ShardingPlan {
        shards = shards instanceof EvenShards ? shards : List.copyOf(shards);
    }

    /// Whether all available devices together have the memory, the CPU included. Not each for its own piece: that is
    /// what ai-hwaccel asks.
    public boolean fitsInMemory(AcceleratorRegistry registry) {
        return totalMemory.compareTo(registry.totalMemory()) <= 0;
    }

    /// The plan in ai-hwaccel's words, a line each; its "GB" are GiB.
    public String display() {
        StringBuilder text = new StringBuilder("Strategy: ")
                .append(strategy.display())
                .append("\nTotal memory: ")
                .append(gib(totalMemory))
                .append(" GB\n");
        tokensPerSecond.ifPresent(rate ->
                text.append("Est. throughput: ").append(FixedText.of(rate, 0)).append(" tok/s\n"));
        if (shards.size() == 1) {
            text.append("Device: ").append(shards.getFirst().device().display()).append('\n');
        } else if (!shards.isEmpty()) {
            text.append("Shards:\n");
            shards.forEach(shard -> append(text, shard));
        }
        return text.toString();
    }

    private static void append(StringBuilder text, ModelShard shard) {
        text.append("  [")
                .append(shard.shardId())
                .append("] ")
                .append(shard.device().display())
                .append(" — layers ")
                .append(shard.firstLayer())
                .append('-')
                .append(shard.lastLayer())
                .append(" (")
                .append(gib(shard.memory()))
                .append(" GB)\n");
    }

    private static String gib(Bytes memory) {
        return FixedText.of(memory.toGib(), 1);
    }
}
