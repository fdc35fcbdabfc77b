// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh;

import dev.muster.mesh.MeshPlanException.MeshPlanError;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Numbers that tell texts apart, the same on every machine.
final class PlanHash {
    private PlanHash() {}

    /// Refuses plans that differ, naming the ranks that have another than most; on a tie, than the first.
    static void requireSame(List<String> byRank) {
        Map<String, List<Integer>> ranks = new LinkedHashMap<>();
        for (int rank = 0; rank < byRank.size(); rank++) {
            ranks.computeIfAbsent(byRank.get(rank), _ -> new ArrayList<>()).add(rank);
        }
        if (ranks.size() < 2) {
            return;
        }
        String usual = byRank.getFirst();
        int most = 0;
        for (Map.Entry<String, List<Integer>> entry : ranks.entrySet()) {
            if (entry.getValue().size() > most) {
                usual = entry.getKey();
                most = entry.getValue().size();
            }
        }
        StringBuilder message = new StringBuilder("ranks disagree about the mesh: most have plan " + usual);
        ranks.remove(usual);
        ranks.forEach((hash, members) -> message.append(members.size() == 1 ? ", rank " : ", ranks ")
                .append(RankSequence.of(members))
                .append(members.size() == 1 ? " has " : " have ")
                .append(hash));
        throw new MeshPlanException(
                MeshPlanError.PLANS_DIFFER, message + "; start all ranks with the same sizes, order and groups");
    }

    /// The first 64 bits of the SHA-256 of a text.
    static long of(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return ByteBuffer.wrap(digest).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
