package dev.muster.mesh.session;

import dev.muster.mesh.collective.FailureNote;
import dev.muster.mesh.collective.MeshError;
import dev.muster.mesh.collective.MeshException;
import dev.muster.mesh.store.Store;
import dev.muster.mesh.store.StoreException;
import dev.muster.mesh.store.StoreFault;
import dev.muster.mesh.store.StoreListener;
import dev.muster.mesh.store.Watch;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Where the first failure of an incarnation stands. Whoever fails writes it down unless something stands there already;
/// all members hear of it. Safe for use by several threads.
final class FailureBoard implements AutoCloseable {
    private static final String FIRST = "failure";
    private static final String LOST = "lost/";

    private final Store store;
    private final int rank;
    private final Watch first;
    private final Watch lost;
    private volatile boolean closed;

    /// @param store keys of this incarnation
    /// @param onFailure is told the first failure of the mesh, on another thread
    FailureBoard(Store store, int rank, Consumer<MeshException> onFailure) {
        this.store = store;
        this.rank = rank;
        this.first = store.watch(FIRST, new StoreListener() {
            @Override
            public void onSet(String key, byte[] value) {
                onFailure.accept(read(value));
            }

            @Override
            public void onEnd(StoreException reason) {
                if (!closed) {
                    onFailure.accept(new MeshException(
                            MeshError.STORE_LOST, "the store of the mesh is lost: " + reason.getMessage(), reason));
                }
            }
        });
        this.lost = store.watch(LOST, (key, value) -> reportLost(key.substring(LOST.length())));
        announceOwnLoss();
    }

    /// Lets the store say that this process is lost, where it can notice.
    private void announceOwnLoss() {
        try {
            store.setOnLoss(LOST + rank, new byte[0]);
        } catch (StoreException e) {
            if (!e.fault().equals(StoreFault.UNSUPPORTED)) {
                throw e;
            }
        }
    }

    private void reportLost(String who) {
        int lostRank = Integer.parseInt(who);
        report(new MeshException(
                MeshError.PEER_LOST, "rank " + lostRank + " has ended or lost its connection", List.of(lostRank)));
    }

    /// Writes a failure down.
    ///
    /// @return the first failure of the mesh: this one, or another that stood there
    MeshException report(MeshException failure) {
        try {
            byte[] note = (rank + "\n" + FailureNote.write(failure)).getBytes(StandardCharsets.UTF_8);
            if (store.setIfAbsent(FIRST, note)) {
                return failure;
            }
            return find().orElse(failure);
        } catch (StoreException e) {
            return failure; // without a store others find out by their own limits
        }
    }

    /// The first failure, if there is one.
    Optional<MeshException> find() {
        return store.find(FIRST).map(FailureBoard::read);
    }

    private static MeshException read(byte[] value) {
        String[] parts = new String(value, StandardCharsets.UTF_8).split("\n", 2);
        int writer = parts[0].matches("[0-9]{1,9}") ? Integer.parseInt(parts[0]) : 0;
        return FailureNote.read(parts.length > 1 ? parts[1] : "", writer);
    }

    @Override
    public void close() {
        closed = true;
        first.close();
        lost.close();
    }
}
