// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.collective;

import dev.muster.mesh.collective.EngineProvider.EngineContext;
import dev.muster.mesh.store.Secret;
import dev.muster.mesh.store.Store;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/// The context in which engines open, without a session: ranks of this host that meet in a store.
///
/// @param store place where they meet
/// @param secret their common secret
/// @param limit longest wait
/// @param worldSize number of them
/// @param settings by the names of their variables
public record StoreContext(Store store, Secret secret, Duration limit, int worldSize, Map<String, String> settings)
        implements EngineContext {
    /// Without settings.
    public StoreContext(Store store, Secret secret, Duration limit, int worldSize) {
        this(store, secret, limit, worldSize, Map.of());
    }

    @Override
    public InetAddress address() {
        return InetAddress.getLoopbackAddress();
    }

    @Override
    public int processors() {
        return 2;
    }

    @Override
    public boolean inRankOrder() {
        return false;
    }

    @Override
    public Path sharedMemory() {
        return Path.of("/dev/shm");
    }

    @Override
    public int localRank() {
        return 0;
    }

    @Override
    public List<String> hosts(GroupIdentity group) {
        return Collections.nCopies(group.size(), "host");
    }

    @Override
    public boolean isOneProcess(GroupIdentity group) {
        return true;
    }

    @Override
    public Optional<String> findSetting(String variable) {
        return Optional.ofNullable(settings.get(variable));
    }

    @Override
    public List<byte[]> exchange(GroupIdentity group, String topic, byte[] own) {
        String prefix = "group/" + group.key() + "/" + topic + "/";
        store.set(prefix + group.rank(), own);
        return IntStream.range(0, group.size())
                .mapToObj(rank -> store.await(prefix + rank, limit))
                .toList();
    }

    @Override
    public List<byte[]> exchange(
            GroupIdentity group, String topic, byte[] own, Duration atMost, Runnable requireWanted) {
        return exchange(group, topic, own);
    }

    @Override
    public EngineChoice openBest(GroupIdentity group) {
        throw new UnsupportedOperationException("no best engine without a session");
    }
}
