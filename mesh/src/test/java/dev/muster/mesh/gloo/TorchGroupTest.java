// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.gloo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.mesh.collective.Operation;
import dev.muster.mesh.session.GlooShim;
import dev.muster.testing.Need;
import dev.muster.testing.Needs;
import dev.muster.testing.Waiting;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Ranks of Java and a rank of PyTorch in one group of Gloo: Debian's PyTorch uses the libgloo of the system, which
/// is also ours. `scripts/check-torch-gloo` installs it and runs this.
@Needs(Need.LINUX)
class TorchGroupTest {
    private static final Path PYTHON = Path.of("/usr/bin/python3");
    private static final Path TORCH = Path.of("/usr/lib/python3/dist-packages/torch/__init__.py");
    private static final int RANKS = 3;
    private static final int OF_TORCH = 1;
    private static final long MILLIS = Waiting.seconds(60) * 1_000;
    private static final int MANY = 100_003;
    /// Of the keys of PyTorch's rank, with the place where its default group keeps them: `0/0/1`, `0//cpu//0/1`.
    private static final Pattern KEY = Pattern.compile("(0/.*/)(rank_)?" + OF_TORCH);

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;

    @TempDir
    private Path folder;

    @TempDir
    private Path output;

    @Test
    void ranksOfJavaAndOfPyTorchReduceTogether() throws Exception {
        if (!Files.exists(TORCH)) {
            throw Need.unmet("PyTorch of the system (Debian: python3-torch)");
        }
        GlooShim.require();
        Path said = output.resolve("said");
        Process torch = startTorch(said);
        List<Callable<List<Object>>> tasks = new ArrayList<>();
        for (int rank = 0; rank < RANKS; rank++) {
            if (rank != OF_TORCH) {
                int own = rank;
                tasks.add(() -> play(own));
            }
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(RANKS)) {
            List<Future<List<Object>>> ranks = threads.invokeAll(tasks);
            assertThat(Waiting.result(ranks.getFirst()))
                    .containsExactly(6f, 30f, 3L * (MANY - 2), 3L * (MANY - 1), 7, 107, 207, 1, 2, 3, 50);
            assertThat(Waiting.result(ranks.getLast()))
                    .containsExactly(6f, 30f, 3L * (MANY - 2), 3L * (MANY - 1), 7, 107, 207, 9f, 52);
            assertThat(torch.waitFor(Waiting.seconds(60), TimeUnit.SECONDS)).isTrue();
        } finally {
            torch.destroyForcibly();
        }
        assertThat(Files.readAllLines(said))
                .containsExactly(
                        "all-reduce 6 30",
                        "maximum " + 3L * (MANY - 2) + " " + 3L * (MANY - 1),
                        "broadcast 7",
                        "broadcast 107",
                        "broadcast 207",
                        "reduce",
                        "gather",
                        "scatter 51",
                        "done");
    }

    private Process startTorch(Path said) throws IOException {
        ProcessBuilder python = new ProcessBuilder(
                PYTHON.toString(),
                "src/test/resources/python/torch_gloo.py",
                folder.toString(),
                Integer.toString(OF_TORCH),
                Integer.toString(RANKS));
        python.environment().put("GLOO_SOCKET_IFNAME", "lo");
        return python.redirectError(ProcessBuilder.Redirect.INHERIT)
                .redirectOutput(said.toFile())
                .start();
    }

    /// Returns the part of a rank of Java; the other side is `python/torch_gloo.py`.
    private List<Object> play(int rank) {
        FolderStore store = new FolderStore(folder, Integer.toString(rank));
        GlooLibrary library = GlooLibrary.load(GlooShim.file().toString());
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(MILLIS);
        StoreCallbacks upcalls = new StoreCallbacks(store.withPrefix(findMeeting(store, deadline)), deadline);
        long handle = library.open("127.0.0.1", rank, RANKS, MILLIS, upcalls);
        if (rank == 0) { // as older PyTorch wants it, and so the next line
            store.set("0/SEQ_NUM_STORE_KEY", new byte[Long.BYTES]);
        }
        store.add("store_based_barrier_key:1", 1);
        try (Arena arena = Arena.ofConfined();
                NativeGroup group = new NativeGroup(library, handle, RANKS)) {
            return new Part(group, arena, rank).play();
        }
    }

    /// PyTorch comes first and shows where.
    private static String findMeeting(FolderStore store, long deadline) {
        while (System.nanoTime() - deadline < 0) {
            for (String key : store.keys("")) {
                Matcher matcher = KEY.matcher(key);
                if (matcher.matches()) {
                    return matcher.group(1);
                }
            }
            LockSupport.parkNanos(1_000_000);
        }
        throw new AssertionError("PyTorch has left no key in the store");
    }

    /// The operations of a rank, counted as PyTorch counts them.
    private static final class Part {
        private static final int INT64 = 8;
        private static final int FLOAT32 = 9;
        private static final int SUM = 0;
        private static final int MAX = 3;

        private final NativeGroup group;
        private final Arena arena;
        private final int rank;
        private final CallBlock block;
        private final List<Object> seen = new ArrayList<>();
        private int calls;

        Part(NativeGroup group, Arena arena, int rank) {
            this.group = group;
            this.arena = arena;
            this.rank = rank;
            this.block = new CallBlock(arena, RANKS);
        }

        private void next(long count, int root) {
            block.begin(calls++, count, root);
        }

        List<Object> play() {
            reductions();
            for (int root = 0; root < RANKS; root++) {
                MemorySegment word = arena.allocateFrom(INT, 100 * rank + 7);
                next(Integer.BYTES, root);
                group.run(Operation.BROADCAST, block, MemorySegment.NULL, word);
                seen.add(word.get(INT, 0));
            }
            MemorySegment part = arena.allocateFrom(ValueLayout.JAVA_FLOAT, 2f + rank);
            next(1, RANKS - 1);
            block.reducing(FLOAT32, SUM);
            group.run(Operation.REDUCE, block, part, part);
            if (rank == RANKS - 1) {
                seen.add(part.get(ValueLayout.JAVA_FLOAT, 0));
            }
            MemorySegment piece = arena.allocateFrom(INT, rank + 1);
            MemorySegment pieces = arena.allocate(INT, RANKS);
            next(Integer.BYTES, 0);
            group.run(Operation.GATHER, block, piece, pieces);
            if (rank == 0) {
                seen.addAll(List.of(pieces.get(INT, 0), pieces.get(INT, 4), pieces.get(INT, 8)));
            }
            next(Integer.BYTES, 0);
            group.run(Operation.SCATTER, block, arena.allocateFrom(INT, 50, 51, 52), piece);
            seen.add(piece.get(INT, 0));
            next(0, 0);
            group.run(Operation.BARRIER, block, MemorySegment.NULL, MemorySegment.NULL);
            return seen;
        }

        private void reductions() {
            MemorySegment floats = arena.allocateFrom(ValueLayout.JAVA_FLOAT, 1f + rank, 10f);
            next(2, 0);
            block.reducing(FLOAT32, SUM);
            group.run(Operation.ALL_REDUCE, block, floats, floats);
            seen.addAll(List.of(floats.get(ValueLayout.JAVA_FLOAT, 0), floats.get(ValueLayout.JAVA_FLOAT, 4)));
            MemorySegment many = arena.allocate(ValueLayout.JAVA_LONG, MANY);
            for (int i = 0; i < MANY; i++) {
                many.setAtIndex(ValueLayout.JAVA_LONG, i, (long) i * (rank + 1));
            }
            next(MANY, 0);
            block.reducing(INT64, MAX);
            group.run(Operation.ALL_REDUCE, block, many, many);
            seen.addAll(List.of(
                    many.getAtIndex(ValueLayout.JAVA_LONG, MANY - 2),
                    many.getAtIndex(ValueLayout.JAVA_LONG, MANY - 1)));
        }
    }
}
