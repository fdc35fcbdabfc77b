package dev.muster.mesh;

import dev.muster.mesh.MeshPlanException.Code;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What tells one plan from another: the first 64 bits of the SHA-256 of its canonical text, the same on every machine.
///
/// @param value the bits
/// @since 0.1
public record PlanHash(long value) {
    private static final int DIGITS = 16;

    /// The hash of a canonical text.
    static PlanHash of(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return new PlanHash(ByteBuffer.wrap(digest).getLong());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /// Reads a hash as it is printed.
    ///
    /// @throws MeshPlanException if it is no hash
    public static PlanHash parse(String text) {
        if (text.length() != DIGITS || !text.chars().allMatch(HexFormat::isHexDigit)) {
            throw new MeshPlanException(Code.BAD_TEXT, "a plan hash has 16 hexadecimal digits: '" + text + "'");
        }
        return new PlanHash(HexFormat.fromHexDigitsToLong(text));
    }

    /// Checks that all ranks have the same plan.
    ///
    /// @param byRank the hash of each rank, by its number
    /// @throws MeshPlanException naming the ranks that differ from what most have; on a tie, from the first
    public static void requireSame(List<PlanHash> byRank) {
        Map<PlanHash, List<Integer>> ranks = new LinkedHashMap<>();
        for (int rank = 0; rank < byRank.size(); rank++) {
            ranks.computeIfAbsent(byRank.get(rank), _ -> new ArrayList<>()).add(rank);
        }
        if (ranks.size() < 2) {
            return;
        }
        PlanHash usual = byRank.getFirst();
        int most = 0;
        for (Map.Entry<PlanHash, List<Integer>> entry : ranks.entrySet()) {
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
                Code.PLANS_DIFFER, message + "; start all ranks with the same sizes, order and groups");
    }

    /// The hash as 16 hexadecimal digits.
    @Override
    public String toString() {
        return HexFormat.of().toHexDigits(value);
    }
}
