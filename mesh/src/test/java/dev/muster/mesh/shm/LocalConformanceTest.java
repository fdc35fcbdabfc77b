// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.shm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.mesh.collective.CollectiveConformance;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.collective.ProcessGroup;
import dev.muster.testing.Exclusive;
import dev.muster.testing.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Exclusive
class LocalConformanceTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 7, 8})
    void everyOperationGivesWhatTheScalarReferenceGives(int ranks) throws Exception {
        LocalRegions regions = new LocalRegions(2, 4096);
        List<Callable<Long>> tasks = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            GroupIdentity identity = GroupIdentity.world(ranks, rank, 1);
            tasks.add(() -> {
                try (ProcessGroup group = ProcessGroup.of(
                        identity, regions.open(identity), Waiting.limit(Duration.ofSeconds(30)), failure -> failure)) {
                    return CollectiveConformance.run(group, 20261115, 5003);
                }
            });
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(ranks)) {
            for (Future<Long> result : threads.invokeAll(tasks)) {
                assertThat(result.get(Waiting.seconds(60), TimeUnit.SECONDS)).isGreaterThan(1000);
            }
        }
    }
}
