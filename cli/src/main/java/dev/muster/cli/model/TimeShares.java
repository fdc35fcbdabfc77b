package dev.muster.cli.model;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.plan.time.StepPart;
import dev.muster.plan.time.TrainingTime;
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
    /// @param part which
    /// @param words what people call it
    /// @param ratio how much of all it is
    record Share(StepPart part, String words, double ratio) {}

    static TimeShares of(TrainingTime time) {
        double all = time.seconds();
        return new TimeShares(List.of(
                new Share(StepPart.PRODUCTS, "products", time.products() / all),
                new Share(StepPart.ATTENTION, "attention", time.attention() / all),
                new Share(StepPart.EXPERTS, "experts", time.experts() / all),
                new Share(StepPart.TRAFFIC, "memory traffic", time.traffic() / all),
                new Share(StepPart.HOST, "waiting for the host", time.host() / all),
                new Share(StepPart.LINKS, "links within a copy", time.links() / all),
                new Share(StepPart.PIPELINE, "waiting in the pipeline", time.bubble() / all),
                new Share(StepPart.OPTIMIZER, "optimizer", time.optimizer() / all),
                new Share(StepPart.COPIES, "links between copies", time.replicas() / all),
                new Share(StepPart.OFFLOAD, "what lies outside", time.offload() / all),
                new Share(StepPart.STRAGGLERS, "stragglers", time.scale() / all)));
    }

    /// For people: whole percents that add up to a hundred, the largest first. Those that were cut most get one more.
    String text() {
        List<Share> sorted = new ArrayList<>(shares);
        sorted.sort(Comparator.comparingDouble(share -> -share.ratio));
        List<Share> byCut = new ArrayList<>(sorted);
        byCut.sort(Comparator.comparingDouble(share -> whole(share) - PERCENT * share.ratio));
        int missing = PERCENT - sorted.stream().mapToInt(TimeShares::whole).sum();
        List<StepPart> raised =
                byCut.stream().limit(Math.max(0, missing)).map(Share::part).toList();
        List<String> words = new ArrayList<>();
        for (Share share : sorted) {
            int percents = whole(share) + (raised.contains(share.part) ? 1 : 0);
            if (percents > 0) {
                words.add(percents + " % " + share.words);
            }
        }
        return String.join(", ", words);
    }

    private static int whole(Share share) {
        return (int) Math.floor(PERCENT * share.ratio);
    }

    /// For machines.
    JsonValue json() {
        JsonObject.Builder object = JsonObject.builder();
        shares.forEach(share -> object.put(share.part.label(), JsonNumber.of(share.ratio)));
        return object.build();
    }
}
