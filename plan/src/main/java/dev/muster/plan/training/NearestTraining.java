package dev.muster.plan.training;

import dev.muster.plan.TrainingMethod;
import java.util.ArrayList;
import java.util.List;

/// What would fit where nothing does: shorter sequences, more devices, or less that is trained.
record NearestTraining(
        TrainingSearch search, TrainingRequest request, TrainingCluster cluster, TrainingSoftware software) {
    private static final int MOST_DEVICES = 1 << 17;

    List<String> sentences() {
        List<String> sentences = new ArrayList<>();
        for (int tokens = Integer.highestOneBit(request.sequence() - 1); tokens > 0; tokens /= 2) {
            if (search.fits(request.withSequence(tokens), cluster, software)) {
                sentences.add("sequences of " + tokens + " tokens instead of " + request.sequence());
                break;
            }
        }
        devices(sentences);
        for (String method : List.of("lora", "qlora")) {
            TrainingMethod other = TrainingMethod.parse(method);
            if (!other.equals(request.method()) && search.fits(request.withMethod(other), cluster, software)) {
                sentences.add(
                        other.display() + " instead of " + request.method().display());
                break;
            }
        }
        return sentences;
    }

    private void devices(List<String> sentences) {
        for (int count = 2 * cluster.devices(); count <= MOST_DEVICES; count *= 2) {
            if (search.fits(request, cluster.withDevices(count), software)) {
                sentences.add(count + " devices of this kind instead of " + cluster.devices());
                return;
            }
        }
    }
}
