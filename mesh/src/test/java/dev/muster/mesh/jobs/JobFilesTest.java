// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.core.Finding;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/// Files of jobs, constructed after what PyTorch 2.10 and NCCL Inspector 4.0 write.
class JobFilesTest {
    private final JobFiles files = new JobFiles();

    private void add(String name, String text) {
        files.add(name, text.getBytes(StandardCharsets.UTF_8));
    }

    private List<String> said() {
        return files.examine().stream()
                .map(finding -> finding.status() + " " + finding.message())
                .toList();
    }

    private static String dump(String... entries) {
        return "{\"version\": \"2.10\", \"pg_config\": {\"0\": {\"name\": \"0\", \"ranks\": \"[0, 1]\"}}, \"entries\": ["
                + String.join(", ", entries) + "]}";
    }

    private static String call(int number, String operation, String sizes, String state) {
        return "{\"process_group\": [\"0\", \"default_pg\"], \"collective_seq_id\": " + number
                + ", \"profiling_name\": \"nccl:" + operation + "\", \"input_sizes\": " + sizes
                + ", \"input_dtypes\": [\"Float\"], \"state\": \"" + state + "\", \"is_p2p\": false}";
    }

    @Test
    void theRankThatHasNotComeIsNamed() {
        files.add("/tmp/nccl_trace_rank_0", PickleTest.WAITING);
        files.add("/tmp/nccl_trace_rank_1", PickleTest.WAITING);
        files.add("/tmp/nccl_trace_rank_2", PickleTest.BEHIND);
        assertThat(said())
                .containsExactly("FAIL process group 0: rank 2 has not come to call #2, all_reduce of [[4,1024]] Float"
                        + " (train.py:41), in which ranks 0, 1 wait");
    }

    @Test
    void ranksWithoutADumpAreNamed() {
        files.add("nccl_trace_rank_0", PickleTest.WAITING);
        files.add("nccl_trace_rank_2", PickleTest.BEHIND);
        assertThat(said().getFirst()).endsWith("in which rank 0 waits; a dump of rank 1 was not given");
    }

    @Test
    void callsThatDifferAreNamed() {
        add(
                "rank_0.json",
                dump(call(1, "all_reduce", "[[8]]", "completed"), call(2, "all_reduce", "[[8]]", "started")));
        add("rank_1.json", dump(call(1, "all_reduce", "[[8]]", "completed"), call(2, "broadcast", "[[8]]", "started")));
        assertThat(said())
                .containsExactly("FAIL process group 0: call #2 differs: rank 0 called all_reduce of [[8]] Float,"
                        + " rank 1 called broadcast of [[8]] Float");
    }

    @Test
    void shapesOfTheirOwnAreAllowedWhereOperationsHaveThem() {
        add("rank_0.json", dump(call(1, "all_to_all", "[[8]]", "completed")));
        add("rank_1.json", dump(call(1, "all_to_all", "[[9]]", "completed")));
        assertThat(said())
                .containsExactly("PASS process group 0: all ranks made and completed the same calls, up to #1");
    }

    /// A recorder keeps the last calls alone.
    @Test
    void forgottenCallsAreNotMissed() {
        add(
                "rank_0.json",
                dump(call(1, "all_reduce", "[[8]]", "completed"), call(2, "all_reduce", "[[8]]", "completed")));
        add("rank_1.json", dump(call(2, "all_reduce", "[[8]]", "completed")));
        assertThat(said().getFirst()).startsWith("PASS");
    }

    @Test
    void aCallThatNoRankCompletesIsNotBlamedOnOne() {
        add("rank_0.json", dump(call(4, "all_reduce", "[[8]]", "started")));
        add("rank_1.json", dump(call(4, "all_reduce", "[[8]]", "started")));
        assertThat(said().getFirst()).contains("all ranks are in call #4, and none has completed it");
    }

    private static String event(String communicator, int rank, int number, double bandwidth, int micros) {
        return String.format(
                Locale.ROOT,
                "{\"header\":{\"id\":\"%s\",\"rank\":%d,\"n_ranks\":2,\"nnodes\":1},\"metadata\":{\"pid\":7},"
                        + "\"coll_perf\":{\"coll\":\"AllReduce\",\"coll_sn\":%d,\"coll_msg_size_bytes\":1048576,"
                        + "\"coll_exec_time_us\":%d,\"coll_algobw_gbs\":1.5,\"coll_busbw_gbs\":%f}}\n",
                communicator,
                rank,
                number,
                micros,
                bandwidth);
    }

    @Test
    void slowCommunicatorsLateAndStoppedRanksAreNamed() {
        StringBuilder text = new StringBuilder();
        for (int number = 1; number <= 9; number++) {
            for (int rank = 0; rank < 2; rank++) {
                text.append(event("0xa", rank, number, 100, 50));
                text.append(event("0xb", rank, number, rank == 0 ? 101 : 99, rank == 0 ? 50 : 9));
                text.append(event("0xc", rank, number, 40, 120));
                text.append(rank == 0 || number < 6 ? event("0xd", rank, number, 98, 50) : "");
            }
        }
        add("host-pid7.log", text.toString());
        assertThat(said())
                .containsExactly(
                        "WARN communicator 0xc, AllReduce of 1048576 bytes among 2 ranks: 40.0 GB/s, where others reach"
                                + " 99.0 GB/s",
                        "WARN communicator 0xb: rank 1 comes late: it spends 9 us in a collective, the others 50 us,"
                                + " most of it waiting",
                        "FAIL communicator 0xd: rank 1 ended collective #5 last, others #9");
    }

    @Test
    void slowLinksAreNamed() {
        StringBuilder text = new StringBuilder();
        for (int peer = 1; peer < 5; peer++) {
            for (int number = 0; number < 6; number++) {
                text.append("{\"header\":{\"id\":\"0xa\",\"rank\":0,\"n_ranks\":5},"
                        + "\"p2p_perf\":{\"p2p\":\"Send\",\"p2p_sn\":" + number + ",\"p2p_peer\":" + peer
                        + ",\"p2p_msg_size_bytes\":4096,\"p2p_busbw_gbs\":"
                        + (peer == 3 ? 9.5 : 24) + "}}\n");
            }
        }
        add("host.log", text.toString());
        assertThat(said())
                .containsExactly("WARN rank 0 to rank 3 of communicator 0xa, Send of 4096 bytes: 9.5 GB/s, where others"
                        + " reach 24.0 GB/s");
    }

    @Test
    void otherFilesAreRefusedInASentence() {
        assertThatThrownBy(() -> add("x.json", "{\"a\": 1}"))
                .hasMessageContaining("it is neither a recording of a mesh");
        assertThatThrownBy(() -> files.add("dump", PickleTest.WAITING))
                .hasMessageContaining("its name does not end with the number of its rank");
        assertThatThrownBy(() -> files.add("x", new byte[] {(byte) 0xff, 1}))
                .hasMessageContaining("neither a pickle nor UTF-8 text");
        assertThatThrownBy(() -> add("rank_1", "{\"version\": \"2\", \"entries\": [{\"state\": 5}]}"))
                .hasMessageContaining("'collective_seq_id' is missing");
        assertThat(files.examine()).extracting(Finding::id).isEmpty();
    }
}
