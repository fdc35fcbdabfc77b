// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.jobs;

import dev.muster.core.Finding;
import dev.muster.core.json.DocumentException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// A running job of NCCL, which is asked for its state: a finding for each thing that is wrong.
public final class NcclJob {
    /// The port of the RAS service.
    public static final int PORT = 28_028;

    private static final String REACHED = "nccl.ras.answers";
    /// The time after which counts are looked at again.
    private static final Duration MOMENT = Duration.ofSeconds(1);

    private NcclJob() {}

    /// Asks the RAS service of a job.
    ///
    /// @param limit time for each answer
    public static List<Finding> ask(String host, int port, Duration limit) {
        RasClient client = new RasClient(host, port, limit);
        try {
            RasReport first = RasReport.parse(client.ask());
            RasReport second = first;
            if (!RasChecks.isClear(first)) {
                new CountDownLatch(1).await(MOMENT.toMillis(), TimeUnit.MILLISECONDS);
                second = RasReport.parse(client.ask());
            }
            return new RasChecks(first, second).examine();
        } catch (IOException | DocumentException e) {
            return List.of(Finding.fail(
                    REACHED,
                    "the RAS service of NCCL at " + host + ":" + port + " cannot be asked: " + e.getMessage(),
                    "start the job with NCCL 2.24 or later; NCCL_RAS_ADDR=0.0.0.0:" + PORT
                            + " lets other hosts ask, NCCL_RAS_ENABLE=0 turns it off"));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of(Finding.skip(REACHED, "interrupted"));
        }
    }
}
