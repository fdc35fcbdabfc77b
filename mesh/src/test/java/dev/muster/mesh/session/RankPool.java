// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.session;

import dev.muster.mesh.ChildJvm;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/// Processes that play ranks in one mesh after the other; those that are killed are replaced.
final class RankPool implements AutoCloseable {
    private final List<ChildJvm> players = new ArrayList<>();
    private final IntFunction<List<String>> way;

    /// @param way the command that leads each to its host; empty on this one
    RankPool(int size, IntFunction<List<String>> way) {
        this.way = way;
        for (int i = 0; i < size; i++) {
            players.add(launch(i));
        }
        for (int i = 0; i < size; i++) {
            awaitReady(i);
        }
    }

    /// Limits begin with the first that joins, and JVMs start slowly here and there.
    private void awaitReady(int index) {
        String ready = player(index).line();
        if (!ready.equals(RankMain.READY)) {
            throw new AssertionError("player " + index + ": " + ready);
        }
    }

    private ChildJvm launch(int index) {
        return ChildJvm.start(way.apply(index), Map.of(), RankMain.class);
    }

    ChildJvm player(int index) {
        return players.get(index);
    }

    /// Returns the next line of a player, apart from being in a loop.
    String answer(int index, long seconds) {
        String line = player(index).line(seconds);
        while (line.equals("looping")) {
            line = player(index).line(seconds);
        }
        return line;
    }

    void replace(int index) {
        players.get(index).close();
        players.set(index, launch(index));
        awaitReady(index);
    }

    @Override
    public void close() {
        players.forEach(ChildJvm::close);
    }
}
