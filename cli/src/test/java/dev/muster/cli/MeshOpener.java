// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import dev.muster.mesh.launch.LaunchContext;
import dev.muster.mesh.session.MeshSession;
import dev.muster.mesh.store.Store;
import dev.muster.mesh.store.TcpStoreServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/// A member of a mesh in a process of its own: rank 0 ends in the middle of opening a group, as if killed, and
/// says which file it had; rank 1 never opens that group.
final class MeshOpener {
    private static final long PAUSE_NANOS = 1_000_000;
    private static final int KILLED = 128 + 9;

    private MeshOpener() {}

    static void main(String[] words) {
        LaunchContext context = LaunchContext.from(System.getenv());
        try (Store store = context.openStore();
                MeshSession session = MeshSession.join(context)) {
            if (context.rank() == 0) {
                Thread.ofPlatform().daemon().start(() -> session.open("late", 0, 1));
                System.out.println("made " + awaitFile(store));
                System.out.flush();
                Runtime.getRuntime().halt(KILLED);
            }
            while (words.length == 0) {
                LockSupport.park();
            }
        }
    }

    private static Path awaitFile(Store store) {
        while (true) {
            Optional<Path> file = store.keys("").stream()
                    .filter(key -> key.contains("late") && key.endsWith(TcpStoreServer.ANNOUNCED_FILE))
                    .findFirst()
                    .flatMap(store::find)
                    .map(path -> Path.of(new String(path, StandardCharsets.UTF_8)))
                    .filter(Files::exists);
            if (file.isPresent()) {
                return file.get();
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
