// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.shm;

import dev.muster.mesh.collective.Engine;
import dev.muster.mesh.collective.EngineProvider;
import dev.muster.mesh.collective.EngineProvider.EngineContext;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.GroupError;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.store.StoreException;
import dev.muster.mesh.store.TcpStoreServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The backend `shm`: memory that processes of one host share.
public final class ShmProvider implements EngineProvider {
    /// Its name.
    public static final String NAME = "shm";

    /// In place of a path, which has no such character.
    private static final String OBSTACLE = "\0";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Engine open(GroupIdentity group, EngineContext context) {
        Attempt attempt = attempt(group, context);
        return attempt.find()
                .orElseThrow(() -> new GroupException(
                        GroupError.UNAVAILABLE,
                        "group " + group.name() + ": " + attempt.obstacle() + "; use the backend tcp"));
    }

    /// The engine of a group if all its members can share memory; else, on all of them, the reason for which one
    /// cannot.
    ///
    /// The first member makes the file and says where it is; each opens it and says whether it could; then the
    /// first deletes its name.
    public static Attempt attempt(GroupIdentity group, EngineContext context) {
        Creation creation = group.rank() == 0 ? create(group, context) : new Creation(null, "");
        Path file = creation.file();
        Engine engine = null;
        try {
            String place = file == null ? OBSTACLE + creation.obstacle() : file.toString();
            String told = text(context.exchange(group, "shm/file", bytes(place)).getFirst());
            if (told.startsWith(OBSTACLE)) {
                return new Attempt(Optional.empty(), told.substring(OBSTACLE.length()));
            }
            String obstacle = "";
            try {
                engine = MappedRegion.open(Path.of(told), group, context.processors());
            } catch (GroupException e) {
                obstacle = "rank " + group.worldRank(group.rank()) + " cannot open the memory of rank "
                        + group.worldRank(0) + " in " + context.sharedMemory();
            }
            Optional<String> first = context.exchange(group, "shm/open", bytes(obstacle)).stream()
                    .map(ShmProvider::text)
                    .filter(said -> !said.isEmpty())
                    .findFirst();
            if (first.isEmpty()) {
                return new Attempt(Optional.ofNullable(engine), "");
            }
            close(engine);
            return new Attempt(Optional.empty(), first.get());
        } catch (RuntimeException e) {
            close(engine);
            deleteAnnounced(group, context);
            throw e;
        } finally {
            if (file != null) {
                MappedRegion.delete(file);
            }
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /// The engine over shared memory, or the reason for which there is none.
    ///
    /// @param find the engine
    /// @param obstacle the reason, in the middle of a sentence
    public record Attempt(Optional<Engine> find, String obstacle) {}

    /// The file that the first member made, or the reason for which it could not.
    private record Creation(@Nullable Path file, String obstacle) {}

    /// An obstacle is for the others, who are told in place of the file.
    private static Creation create(GroupIdentity group, EngineContext context) {
        Path file = MappedRegion.choose(context.sharedMemory());
        context.store().set(announced(group), bytes(file.toString()));
        return MappedRegion.tryCreate(file, group)
                .map(obstacle -> new Creation(null, obstacle))
                .orElseGet(() -> new Creation(file, ""));
    }

    /// Returns the key by which the first member of a group says how the file will be called, before there is one: so
    /// those that are left can delete it when that member is killed.
    private static String announced(GroupIdentity group) {
        return "group/" + group.key() + "/shm" + TcpStoreServer.ANNOUNCED_FILE;
    }

    /// The first member may be gone, and with it the one that would delete the file. That news interrupts those who
    /// wait, and must not keep them from asking which file it was.
    private static void deleteAnnounced(GroupIdentity group, EngineContext context) {
        boolean wasInterrupted = Thread.interrupted();
        try {
            context.store().find(announced(group)).ifPresent(path -> MappedRegion.delete(Path.of(text(path))));
        } catch (StoreException | GroupException e) {
            // The failure that led here is what matters.
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void close(@Nullable Engine engine) {
        if (engine != null) {
            engine.close();
        }
    }
}
