package dev.muster.mesh.session;

import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.Code;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.store.Store;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/// What ranks tell each other when they join.
///
/// @param host the host that the rank runs on
/// @param process the process, so that threads of one are known to be
record Member(String host, String process) {
    /// Says that this member is here as a rank of the world, and learns who all ranks are, in their order.
    ///
    /// @param store keys of this incarnation
    /// @throws GroupException `refused` if the rank is there already; `limit-exceeded` if others do not come
    List<Member> meet(Store store, GroupIdentity world, Duration limit) {
        if (!store.setIfAbsent(key(world.rank()), toBytes())) {
            throw new GroupException(Code.REFUSED, "rank " + world.rank() + " is there already");
        }
        List<String> keys =
                IntStream.range(0, world.size()).mapToObj(Member::key).toList();
        return GroupOpener.awaitAll(store, world, keys, limit).stream()
                .map(Member::parse)
                .toList();
    }

    private static String key(int rank) {
        return "member/" + rank;
    }

    private byte[] toBytes() {
        return (host + "\n" + process).getBytes(StandardCharsets.UTF_8);
    }

    private static Member parse(byte[] bytes) {
        String[] parts = new String(bytes, StandardCharsets.UTF_8).split("\n", 2);
        return new Member(parts[0], parts.length > 1 ? parts[1] : "");
    }
}
