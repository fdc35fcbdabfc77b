// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.DeviceId;
import dev.muster.core.unit.Bytes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ProcessRowTest {
    private static final List<ProcessRow> ROWS = List.of(
            row(30, 10, "bob", "python train.py", Bytes.ofGib(4)),
            row(10, 1, "alice", "bash", null),
            row(20, 10, "alice", "vllm serve", Bytes.ofGib(40)),
            row(40, 20, null, "vllm worker", Bytes.ofGib(39)));

    @Test
    void theLargestComesFirstAndTheUnknownLast() {
        assertThat(pids("", ProcessRow.Sort.MEMORY, false)).containsExactly(20L, 40L, 30L, 10L);
        assertThat(pids("", ProcessRow.Sort.PID, false)).containsExactly(10L, 20L, 30L, 40L);
        assertThat(pids("", ProcessRow.Sort.USER, false)).containsExactly(10L, 20L, 30L, 40L);
        assertThat(pids("", ProcessRow.Sort.COMMAND, false)).containsExactly(10L, 30L, 20L, 40L);
    }

    @Test
    void aFilterLooksAtEveryFieldAndIgnoresCase() {
        assertThat(pids("VLLM", ProcessRow.Sort.PID, false)).containsExactly(20L, 40L);
        assertThat(pids("alice", ProcessRow.Sort.PID, false)).containsExactly(10L, 20L);
        assertThat(pids("30", ProcessRow.Sort.PID, false)).containsExactly(30L);
        assertThat(pids("cuda:0", ProcessRow.Sort.PID, false)).hasSize(4);
        assertThat(pids("nothing", ProcessRow.Sort.PID, false)).isEmpty();
    }

    @Test
    void childrenStandBelowTheirParents() {
        List<ProcessRow> tree = ProcessRow.arrange(ROWS, "", ProcessRow.Sort.MEMORY, true);

        assertThat(tree).extracting(ProcessRow::pid).containsExactly(10L, 20L, 40L, 30L);
        assertThat(tree).extracting(ProcessRow::depth).containsExactly(0, 1, 2, 1);
    }

    @Test
    void processesThatAreEachOthersParentsAreNotLost() {
        List<ProcessRow> odd = new ArrayList<>(ROWS);
        odd.add(row(50, 51, "eve", "one", null));
        odd.add(row(51, 50, "eve", "other", null));
        odd.add(row(52, 52, "eve", "own parent", null));

        assertThat(ProcessRow.arrange(odd, "", ProcessRow.Sort.PID, true))
                .extracting(ProcessRow::pid)
                .containsExactlyInAnyOrder(10L, 20L, 30L, 40L, 50L, 51L, 52L);
    }

    private static List<Long> pids(String filter, ProcessRow.Sort sort, boolean tree) {
        return ProcessRow.arrange(ROWS, filter, sort, tree).stream()
                .map(ProcessRow::pid)
                .toList();
    }

    private static ProcessRow row(
            long pid, long parent, @Nullable String user, String command, @Nullable Bytes memory) {
        return new ProcessRow(new DeviceId("cuda:0"), 0, pid, parent, user, command, memory, null, null, null, 0);
    }
}
