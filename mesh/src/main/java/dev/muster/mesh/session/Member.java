// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.session;

import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.GroupError;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.store.Store;
import dev.muster.mesh.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// The announcement of a rank when it joins.
///
/// @param host the host that the rank runs on
/// @param process the process, so that threads of one are known to be
record Member(String host, String process) {
    private static final String MEMBER = "member/";
    private static final String ALL = "members";

    /// Says that this member is here as a rank of the world, and learns who all ranks are, in their order.
    ///
    /// @param store keys of this incarnation
    /// @throws GroupException `refused` if the rank has already joined; `limit-exceeded` if others do not come
    List<Member> meet(Store store, GroupIdentity world, Duration limit) {
        if (!store.setIfAbsent(MEMBER + world.rank(), toBytes())) {
            throw new GroupException(GroupError.REFUSED, "rank " + world.rank() + " has already joined");
        }
        return world.rank() == 0 ? collect(store, world, limit) : learn(store, world, limit);
    }

    /// The first rank waits for all and writes one list: if each waited for all, the work of the store would grow with
    /// the square of the ranks.
    private static List<Member> collect(Store store, GroupIdentity world, Duration limit) {
        List<String> keys =
                IntStream.range(0, world.size()).mapToObj(rank -> MEMBER + rank).toList();
        List<Member> all = GroupOpener.awaitAll(store, world, keys, limit).stream()
                .map(Member::parse)
                .toList();
        store.set(ALL, list(all).getBytes(StandardCharsets.UTF_8));
        return all;
    }

    private static List<Member> learn(Store store, GroupIdentity world, Duration limit) {
        try {
            return parseList(new String(store.await(ALL, limit), StandardCharsets.UTF_8));
        } catch (StoreException e) {
            if (e.missing().isEmpty()) {
                throw e;
            }
            List<String> come = store.keys(MEMBER);
            List<Integer> missing = IntStream.range(0, world.size())
                    .filter(rank -> !come.contains(MEMBER + rank))
                    .boxed()
                    .toList();
            throw GroupException.overdue(
                    "group " + world.name() + ": opening it", limit, missing.isEmpty() ? List.of(0) : missing);
        }
    }

    /// The hosts, a blank line, and for each rank the number of its host and its process.
    private static String list(List<Member> all) {
        List<String> hosts = all.stream().map(Member::host).distinct().toList();
        Map<String, Integer> numbers = new HashMap<>();
        hosts.forEach(host -> numbers.put(host, numbers.size()));
        StringBuilder text = new StringBuilder(String.join("\n", hosts)).append("\n\n");
        all.forEach(one -> text.append(numbers.get(one.host()))
                .append(' ')
                .append(one.process())
                .append('\n'));
        return text.toString();
    }

    private static List<Member> parseList(String text) {
        String[] parts = text.split("\n\n", 2);
        String[] hosts = parts[0].split("\n", -1);
        return parts[1].lines()
                .map(line -> line.split(" ", 2))
                .map(rank -> new Member(hosts[Integer.parseInt(rank[0])], rank[1]))
                .toList();
    }

    private byte[] toBytes() {
        return (host + "\n" + process).getBytes(StandardCharsets.UTF_8);
    }

    private static Member parse(byte[] bytes) {
        String[] parts = new String(bytes, StandardCharsets.UTF_8).split("\n", 2);
        return new Member(parts[0], parts.length > 1 ? parts[1] : "");
    }
}
