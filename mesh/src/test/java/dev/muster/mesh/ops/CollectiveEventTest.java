// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.mesh.collective.ReduceOp;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CollectiveEventTest {
    @TempDir
    private Path folder;

    @Test
    void flightRecordingsShowEachCallOfEachRank() throws Exception {
        Path file = folder.resolve("mesh.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("dev.muster.Collective").withoutThreshold();
            recording.start();
            Threads.run(2, ops -> {
                ops.allReduce(new float[] {1, 2, 3, 4}, ReduceOp.SUM);
                return true;
            });
            recording.stop();
            recording.dump(file);
        }

        List<RecordedEvent> reduced = RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getString("operation").equals("ALL_REDUCE"))
                .toList();

        assertThat(reduced).extracting(event -> event.getInt("rank")).containsExactlyInAnyOrder(0, 1);
        assertThat(reduced).allSatisfy(event -> {
            assertThat(event.getInt("size")).isEqualTo(2);
            assertThat(event.getLong("bytes")).isEqualTo(4L * Float.BYTES);
            assertThat(event.getBoolean("failed")).isFalse();
            assertThat(event.getString("group")).isEqualTo("world");
        });
    }
}
