// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.plan;

import dev.muster.plan.cost.StepTerm;
import dev.muster.plan.cost.TrainingTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Where the time of training goes, as shares of all of it.
///
/// @param shares one for each part
record TimeShares(List<Share> shares) {
    private static final int PERCENT = 100;

    /// One part.
    ///
    /// @param words what people call it
    /// @param ratio how much of all it is
    record Share(String words, double ratio) {}

    static TimeShares of(TrainingTime time) {
        List<Share> shares = new ArrayList<>();
        time.shares().forEach((part, seconds) -> shares.add(new Share(words(part), seconds / time.seconds())));
        return new TimeShares(shares);
    }

    private static String words(StepTerm.Part part) {
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

    /// For people: whole percents that add up to a hundred, the largest first. Those that were cut most get one more.
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
