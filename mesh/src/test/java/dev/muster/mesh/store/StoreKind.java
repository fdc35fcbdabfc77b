// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.store;

import dev.muster.testing.Waiting;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// Every kind of store, for tests that hold all of them to the same promises.
enum StoreKind {
    MEMORY {
        @Override
        Meeting meet(Path folder) {
            MemoryStore memory = MemoryStore.create();
            return new Meeting(memory::open, memory);
        }
    },
    FILE {
        @Override
        Meeting meet(Path folder) {
            return new Meeting(() -> FileLog.openStore(folder.resolve("store")), () -> {});
        }
    },
    TCP {
        @Override
        Meeting meet(Path folder) {
            TcpStoreConfig config = TcpStoreConfig.of(SECRET);
            TcpStoreServer server = TcpStoreServer.start(config);
            return new Meeting(() -> TcpStore.connect(server.address(), config, LONG), server);
        }
    },
    TLS {
        @Override
        Meeting meet(Path folder) {
            TcpStoreConfig config = TcpStoreConfig.of(SECRET).withTls("always");
            TcpStoreServer server = TcpStoreServer.start(config);
            return new Meeting(() -> TcpStore.connect(server.address(), config, LONG), server);
        }
    },
    TCP_AND_SERVER {
        @Override
        Meeting meet(Path folder) {
            TcpStoreConfig config = TcpStoreConfig.of(SECRET);
            TcpStoreServer server = TcpStoreServer.start(config);
            boolean[] first = {true};
            return new Meeting(
                    () -> {
                        boolean own = first[0];
                        first[0] = false;
                        return own ? server.open() : TcpStore.connect(server.address(), config, LONG);
                    },
                    server);
        }
    },
    PREFIX {
        @Override
        Meeting meet(Path folder) {
            MemoryStore memory = MemoryStore.create();
            try (Store other = memory.open()) {
                other.set("outside", new byte[] {1});
            }
            return new Meeting(() -> memory.open().withPrefix("mesh-1/"), memory);
        }
    };

    static final Secret SECRET = Secret.of("a secret of these tests alone");
    /// Longer than anything here takes; only a failing test waits for it.
    static final Duration LONG = Waiting.limit(Duration.ofSeconds(60));

    abstract Meeting meet(Path folder);

    boolean noticesLoss() {
        return this != FILE;
    }

    /// A store with the members that opened it.
    static final class Meeting implements AutoCloseable {
        private final Supplier<Store> opener;
        private final AutoCloseable owner;
        private final List<Store> members = new ArrayList<>();

        Meeting(Supplier<Store> opener, AutoCloseable owner) {
            this.opener = opener;
            this.owner = owner;
        }

        Store open() {
            Store store = opener.get();
            members.add(store);
            return store;
        }

        @Override
        public void close() {
            members.forEach(Store::close);
            try {
                owner.close();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }
}
