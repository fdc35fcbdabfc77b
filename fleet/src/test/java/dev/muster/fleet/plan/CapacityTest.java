// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.plan;

import static dev.muster.fleet.plan.Fleets.host;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.fleet.FleetHost;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.plan.serving.ServingChoices;
import dev.muster.plan.serving.ServingRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/// Packings of small fleets against every packing that there is.
class CapacityTest {
    private static final List<String> MODELS = List.of("llama-3.1-8b", "qwen3-32b", "llama-3.1-70b");

    @RepeatedTest(12)
    void liesBetweenWhatIsProvenAndWhatIsFound(RepetitionInfo round) {
        Random random = new Random(round.getCurrentRepetition());
        List<FleetHost> hosts = new ArrayList<>();
        for (int i = 0; i < 2 + random.nextInt(3); i++) {
            boolean large = random.nextBoolean();
            hosts.add(host("n" + i, large ? "H100 SXM" : "L40S", large ? 80 : 48, 1 + random.nextInt(4)));
        }
        List<ServingRequest> requests = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            requests.add(ServingRequest.of(ModelCatalogue.builtIn()
                    .find(MODELS.get(random.nextInt(MODELS.size())))
                    .orElseThrow()
                    .toSummary()));
        }
        FleetPlanner planner = FleetPlanner.of(Fleets.of(hosts), Admission.DEFAULT);

        Capacity capacity = planner.capacity(requests, ServingChoices.USUAL);

        // What one replica takes on each host alone; models that need several hosts are left to other tests.
        int[][] sizes = new int[requests.size()][hosts.size()];
        for (int model = 0; model < sizes.length; model++) {
            for (int i = 0; i < hosts.size(); i++) {
                sizes[model][i] = FleetPlanner.of(Fleets.of(List.of(hosts.get(i))), Admission.DEFAULT)
                        .capacity(List.of(requests.get(model)), ServingChoices.USUAL)
                        .models()
                        .getFirst()
                        .places()
                        .stream()
                        .mapToInt(Capacity.ReplicaGroup::devices)
                        .findFirst()
                        .orElse(0);
            }
        }
        boolean withinHosts = capacity.models().stream()
                .allMatch(model -> model.places().stream().allMatch(place -> place.hosts() == 1));
        int[] left = hosts.stream().mapToInt(one -> one.accelerators().size()).toArray();
        long most = withinHosts ? most(sizes, left) : capacity.sets();

        assertThat(capacity.sets()).isLessThanOrEqualTo(most);
        assertThat(most).isLessThanOrEqualTo(capacity.bound());
        // On so few hosts the placement loses one set at most to the best one.
        assertThat(capacity.sets()).isGreaterThanOrEqualTo(most - 1);
    }

    /// The most sets, by trying every host for every replica.
    private static long most(int[][] sizes, int[] left) {
        long sets = 0;
        while (fits(sizes, left.clone(), sets + 1, 0, 0)) {
            sets++;
        }
        return sets;
    }

    private static boolean fits(int[][] sizes, int[] left, long sets, int model, long placed) {
        if (model == sizes.length) {
            return true;
        }
        if (placed == sets) {
            return fits(sizes, left, sets, model + 1, 0);
        }
        for (int i = 0; i < left.length; i++) {
            int size = sizes[model][i];
            if (size > 0 && size <= left[i]) {
                int[] after = Arrays.copyOf(left, left.length);
                after[i] -= size;
                if (fits(sizes, after, sets, model, placed + 1)) {
                    return true;
                }
            }
        }
        return false;
    }
}
