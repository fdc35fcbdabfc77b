// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.plan;

import dev.muster.plan.cost.StepTerm;
import dev.muster.plan.cost.TrainingTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// The parts of the time of training, as shares.
///
/// @param shares a share for each part
record TimeShares(List<Share> shares) {
    private static final int PERCENT = 100;

    /// One part.
    ///
    /// @param words name of the part
    /// @param ratio share of the whole
    record Share(String words, double ratio) {}

    static TimeShares of(TrainingTime time) {
        List<Share> shares = new ArrayList<>();
        time.shares().forEach((part, seconds) -> shares.add(new Share(words(part), seconds / time.seconds())));
        return new TimeShares(shares);
    }

    private static String words(StepTerm.StepPart part) {
        return switch (part) {
            case PRODUCTS, ATTENTION, EXPERTS, HEAD, OPTIMIZER, STRAGGLERS -> part.label();
            case TRAFFIC -> "memory traffic";
            case HOST -> "waiting for the host";
            case LINKS -> "TP/CP/EP communication";
            case PIPELINE -> "pipeline bubble";
            case REPLICAS -> "DP communication";
            case OFFLOAD -> "offloaded states";
        };
    }

    /// Returns whole percents that add up to a hundred, the largest first. Those with the largest remainders are
    /// rounded up.
    String text() {
        List<Share> sorted = new ArrayList<>(shares);
        sorted.sort(Comparator.comparingDouble(share -> -share.ratio));
        List<Share> byCut = new ArrayList<>(sorted);
        byCut.sort(Comparator.comparingDouble(share -> whole(share) - PERCENT * share.ratio));
        int missing = PERCENT - sorted.stream().mapToInt(TimeShares::whole).sum();
        List<String> raised =
                byCut.stream().limit(Math.max(0, missing)).map(Share::words).toList();
        List<String> words = new ArrayList<>();
        for (Share share : sorted) {
            int percents = whole(share) + (raised.contains(share.words) ? 1 : 0);
            if (percents > 0) {
                words.add(percents + " % " + share.words);
            }
        }
        return String.join(", ", words);
    }

    private static int whole(Share share) {
        return (int) Math.floor(PERCENT * share.ratio);
    }
}
