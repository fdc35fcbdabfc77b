package dev.muster.mesh.ops;

import dev.muster.mesh.collective.ReduceOp;
import dev.muster.mesh.ops.DistributedOps.Shard;

/// An embedding whose vocabulary is divided among ranks: each has the rows of some tokens. All ranks
/// give the same tokens and get the same rows. Immutable as long as nobody changes the arrays; the
/// group's rules hold for calls.
///
/// @since 0.1
public final class VocabularyParallelEmbedding {
    private final DistributedOps ops;
    private final Matrix table;
    private final Shard part;
    private final int vocabulary;

    private VocabularyParallelEmbedding(DistributedOps ops, Matrix table, Shard part, int vocabulary) {
        this.ops = ops;
        this.table = table;
        this.part = part;
        this.vocabulary = vocabulary;
    }

    /// This rank's part of a table that all ranks know in full, with a row for each token.
    public static VocabularyParallelEmbedding shard(DistributedOps ops, Matrix table) {
        Shard part = Shard.of(table.rows(), ops.size(), ops.rank());
        return new VocabularyParallelEmbedding(ops, table.rows(part), part, table.rows());
    }

    /// The rows of tokens. Each rank gives those that it has and zeros for the others; the sum is all of
    /// them.
    ///
    /// @throws IllegalArgumentException if a token is not in the vocabulary, before any other rank is
    ///     disturbed
    public Matrix forward(int... tokens) {
        Matrix rows = Matrix.zeros(tokens.length, table.columns());
        for (int i = 0; i < tokens.length; i++) {
            requireToken(tokens[i]);
            if (part.contains(tokens[i])) {
                rows.addRow(i, 1, table, (int) (tokens[i] - part.from()));
            }
        }
        ops.allReduce(rows.values(), ReduceOp.SUM);
        return rows;
    }

    /// The gradient of this rank's rows of the table, from that of the output. Talks to nobody.
    public Matrix backward(int[] tokens, Matrix outputGradient) {
        Matrix gradient = Matrix.zeros(table.rows(), table.columns());
        for (int i = 0; i < tokens.length; i++) {
            requireToken(tokens[i]);
            if (part.contains(tokens[i])) {
                gradient.addRow((int) (tokens[i] - part.from()), 1, outputGradient, i);
            }
        }
        return gradient;
    }

    private void requireToken(int token) {
        if (token < 0 || token >= vocabulary) {
            throw new IllegalArgumentException("token " + token + " is not one of the " + vocabulary);
        }
    }
}
