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
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The backend `shm`: memory that processes of one host share.
public final class ShmProvider implements EngineProvider {
    /// Its name.
    public static final String NAME = "shm";

    private static final byte[] YES = {1};
    private static final byte[] NO = {0};

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Engine open(GroupIdentity group, EngineContext context) {
        return tryOpen(group, context)
                .orElseThrow(() -> new GroupException(
                        GroupError.UNAVAILABLE,
                        "group " + group.name() + ": " + lack(context.sharedMemory()) + "; use the backend tcp"));
    }

    private static String lack(Path directory) {
        return MappedRegion.isPossible(directory)
                ? "its members cannot share memory in " + directory
                : MappedRegion.without(directory);
    }

    /// The engine of a group if all its members can share memory; empty for all of them if one cannot.
    ///
    /// The first member makes the file and says where it is; each opens it and says whether it could; then the
    /// first deletes its name.
    public static Optional<Engine> tryOpen(GroupIdentity group, EngineContext context) {
        boolean first = group.rank() == 0;
        Path file = first ? create(group, context) : null;
        Engine engine = null;
        try {
            String path = file == null ? "" : file.toString();
            List<byte[]> said = context.exchange(group, "shm/file", path.getBytes(StandardCharsets.UTF_8));
            String place = new String(said.getFirst(), StandardCharsets.UTF_8);
            engine = place.isEmpty() ? null : tryOpen(Path.of(place), group, context.processors());
            boolean all = context.exchange(group, "shm/open", engine == null ? NO : YES).stream()
                    .allMatch(answer -> answer[0] == YES[0]);
            if (all) {
                return Optional.ofNullable(engine);
            }
            close(engine);
            return Optional.empty();
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

    private static @Nullable Path create(GroupIdentity group, EngineContext context) {
        Path file = MappedRegion.choose(context.sharedMemory());
        context.store().set(announced(group), file.toString().getBytes(StandardCharsets.UTF_8));
        try {
            MappedRegion.create(file, group);
            return file;
        } catch (GroupException e) {
            return null; // the others are told that there is none
        }
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
            context.store()
                    .find(announced(group))
                    .ifPresent(path -> MappedRegion.delete(Path.of(new String(path, StandardCharsets.UTF_8))));
        } catch (StoreException | GroupException e) {
            // The failure that led here is what matters.
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static @Nullable Engine tryOpen(Path file, GroupIdentity group, int processors) {
        try {
            return MappedRegion.open(file, group, processors);
        } catch (GroupException e) {
            return null; // the others are told that this member cannot
        }
    }

    private static void close(@Nullable Engine engine) {
        if (engine != null) {
            engine.close();
        }
    }
}
