// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.testing.Waiting;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/// Jobs are asked through sockets; a server here speaks as the RAS service of NCCL does, with answers that are
/// constructed after its documentation and source.
class NcclJobTest {
    private static final Duration LIMIT = Waiting.limit(Duration.ofSeconds(20));

    private static String rank(int number, int error, int broadcasts, int reductions) {
        return """
                {"rank": %d, "host": "10.0.0.4", "pid": %d, "cuda_dev": %d, "nvml_dev": %d,
                 "status": {"init_state": 0, "async_error": %d, "finalize_called": false, "destroy_flag": false,
                 "abort_flag": false}, "collective_counts": {"Broadcast": %d, "AllReduce": %d}}""".formatted(number, 100 + number, number, number, error, broadcasts, reductions);
    }

    private static String missing(int number, boolean dead) {
        return """
            {"rank": %d, "host": "10.0.0.4", "pid": %d, "cuda_dev": %d, "nvml_dev": %d,
             "status": {"unresponsive": true, "considered_dead": %b}}""".formatted(number, 100 + number, number, number, dead);
    }

    private static String answer(List<String> ranks, String... missing) {
        return """
            {"nccl_version": "2.29.1", "cuda_runtime_version": 13000, "cuda_driver_version": 13000,
             "timestamp": "2026-01-01 00:00:00", "communicators_count": 1, "communicators": [{"hash": "0xae94",
             "secondary_hash": "0xb7e7:0xb824", "size": 2, "ranks_count": 1, "missing_ranks_count": 1,
             "ranks": [%s], "missing_ranks": [%s]}], "ras": {"collection_time_sec": 0.1, "timeouts_count": 0}}
            """.formatted(String.join(",", ranks), String.join(",", missing));
    }

    /// Says what each client gets behind its commands, one answer a client, and closes the connection.
    private static List<String> ask(String... answers) throws Exception {
        return ask(true, answers);
    }

    private static List<String> ask(boolean knowsJson, String... answers) throws Exception {
        Thread thread;
        List<String> said;
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Queue<String> left = new ArrayDeque<>(Arrays.asList(answers));
            thread = Thread.ofPlatform().start(() -> {
                while (!left.isEmpty()) {
                    try (Socket client = server.accept()) {
                        serve(client, knowsJson, left.remove());
                    } catch (IOException e) {
                        return;
                    }
                }
            });
            said = NcclJob.ask("127.0.0.1", server.getLocalPort(), LIMIT).stream()
                    .map(finding -> finding.status() + " " + finding.message())
                    .toList();
        }
        thread.join();
        return said;
    }

    private static void serve(Socket client, boolean knowsJson, String answer) throws IOException {
        BufferedReader in =
                new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII));
        OutputStream out = client.getOutputStream();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String reply = switch (line) {
                case "CLIENT PROTOCOL 2" -> "SERVER PROTOCOL 2\n";
                case "TIMEOUT 2" -> "OK\n";
                case "SET FORMAT json" -> knowsJson ? "OK\n" : "ERROR: Unknown command SET FORMAT json\n";
                case "VERBOSE STATUS" -> answer;
                default -> "ERROR: Unknown command\n";
            };
            out.write(reply.getBytes(StandardCharsets.UTF_8));
            if (line.equals("VERBOSE STATUS")) {
                return;
            }
        }
    }

    @Test
    void aRankThatDoesNotAnswerIsNamedAtOnce() throws Exception {
        assertThat(ask(answer(List.of(rank(0, 0, 1, 7)), missing(1, false), missing(2, true))))
                .containsExactly(
                        "FAIL communicator 0xae94: rank 1 (process 101 on 10.0.0.4, GPU 1) does not answer: it is stopped,"
                                + " dead or cannot be reached",
                        "FAIL communicator 0xae94: rank 2 (process 102 on 10.0.0.4, GPU 2) is considered dead");
    }

    @Test
    void aRankThatIsBehindIsStuckWhileNoCountGrows() throws Exception {
        String stuck = answer(List.of(rank(0, 0, 1, 7), rank(1, 0, 1, 6), rank(2, 0, 1, 7)));
        assertThat(ask(stuck, stuck))
                .containsExactly("FAIL communicator 0xae94: rank 1 (process 101 on 10.0.0.4, GPU 1) has not launched"
                        + " [AllReduce 7], in which the others wait, and no count grows");
    }

    @Test
    void countsThatGrowAreNoFault() throws Exception {
        assertThat(ask(
                        answer(List.of(rank(0, 0, 1, 7), rank(1, 0, 1, 6))),
                        answer(List.of(rank(0, 0, 1, 9), rank(1, 0, 1, 8)))))
                .containsExactly("PASS all ranks of 1 communicators answer");
    }

    @Test
    void differentCallsAreToldFromLateOnes() throws Exception {
        String stuck = answer(List.of(rank(0, 0, 2, 6), rank(1, 0, 1, 7)));
        assertThat(ask(stuck, stuck))
                .containsExactly("FAIL communicator 0xae94: ranks 0, 1 launched other operations than the rest, and no"
                        + " count grows: rank 0 {AllReduce=6, Broadcast=2}, rank 1 {AllReduce=7, Broadcast=1}");
    }

    @Test
    void errorsOfRanksAreNamed() throws Exception {
        assertThat(ask(answer(List.of(rank(0, 0, 1, 7), rank(1, 6, 1, 7)))))
                .containsExactly("FAIL communicator 0xae94: rank 1 (process 101 on 10.0.0.4, GPU 1): asynchronous error"
                        + " (ncclResult 6)");
    }

    /// As NCCL 2.28.9 answered on an H200, without the comma before the status of the missing rank.
    @Test
    void aMissingRankIsReadWhereNcclLeavesOutAComma() throws Exception {
        assertThat(ask("""
                {
                  "nccl_version": "2.28.9",
                  "communicators_count": 1,
                  "communicators": [
                    {
                      "hash": "0x5e79e45997effd3f",
                      "size": 2,
                      "ranks": [
                        {
                          "rank": 0,
                          "host": "127.0.0.1",
                          "pid": 25866,
                          "cuda_dev": 0,
                          "nvml_dev": 0,
                          "status": {"init_state": 0, "async_error": 0},
                          "collective_counts": {"AllReduce": 40}
                        }
                      ],
                      "missing_ranks": [
                        {
                          "rank": 1,
                          "host": "127.0.0.1",
                          "pid": 25867,
                          "cuda_dev": 0,
                          "nvml_dev": 0
                          "status": {
                            "unresponsive": true,
                            "considered_dead": false
                          }
                        }
                      ]
                    }
                  ],
                  "ras": {"collection_time_sec": 3.621, "timeouts_count": 1}
                }
                """))
                .containsExactly(
                        "FAIL communicator 0x5e79e45997effd3f: rank 1 (process 25867 on 127.0.0.1, GPU 0) does not"
                                + " answer: it is stopped, dead or cannot be reached");
    }

    /// The form of NCCL 2.24 to 2.28.6.
    @Test
    void textIsReadWhereThereIsNoJson() throws Exception {
        assertThat(ask(false, """
                NCCL version 2.27.3 compiled with CUDA 12.8

                Errors
                ======

                INCOMPLETE
                  Missing communicator data from 1 job process
                  Process 3487984 on node 172.16.64.213 managing GPU 5

                #0-0 (cf264af53edbe986) INCOMPLETE
                  Missing communicator data from 1 rank
                  Rank 21 -- GPU 5 managed by process 3487984 on node 172.16.64.213

                Warnings
                ========

                TIMEOUT
                  Encountered 2 communication timeouts while gathering communicator data

                """))
                .containsExactly(
                        "FAIL Process 3487984 on node 172.16.64.213 managing GPU 5 does not answer: it is stopped, dead or"
                                + " cannot be reached",
                        "FAIL communicator 0xcf264af53edbe986: rank 21 (GPU 5 managed by process 3487984 on node"
                                + " 172.16.64.213) does not answer: it is stopped, dead or cannot be reached");
    }

    @Test
    void differencesInTextCountWhereNothingChanges() throws Exception {
        String text = """
                #0-0 (27a079b828ff1a75) MISMATCH
                  Communicator ranks have different AllReduce operation counts
                  3 ranks have launched up to operation 6650
                  Rank 2 has launched up to operation 6649 -- GPU 2 managed by process 483074 on node 172.16.64.210

                """;
        assertThat(ask(false, text, text))
                .singleElement()
                .asString()
                .contains("ranks differ, and nothing changes: ", "Rank 2");
        assertThat(ask(false, text, text.replace("66", "67")))
                .singleElement()
                .asString()
                .startsWith("PASS");
    }

    @Test
    void hostileAnswersEndInASentence() throws Exception {
        assertThat(ask("{\"communicators\": [{\"ranks\": ["))
                .singleElement()
                .asString()
                .contains("cannot be asked: ");
        assertThat(ask("{\"communicators\": [{\"hash\": 5}]}"))
                .singleElement()
                .asString()
                .contains("'hash' is missing");
        assertThat(ask("x".repeat(33 << 20))).singleElement().asString().contains("larger than 32 MiB");
    }

    @Test
    void othersThanTheServiceAreKnown() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread thread = Thread.ofPlatform().start(() -> {
                try (Socket client = server.accept()) {
                    client.getOutputStream().write("SSH-2.0-OpenSSH_10\r\n".getBytes(StandardCharsets.US_ASCII));
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            assertThat(NcclJob.ask("127.0.0.1", server.getLocalPort(), LIMIT)
                            .getFirst()
                            .message())
                    .endsWith("cannot be asked: it is not the RAS service of NCCL");
            thread.join();
        }
    }

    @Test
    void silenceHasALimit() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            assertThat(NcclJob.ask("127.0.0.1", server.getLocalPort(), Duration.ofMillis(50))
                            .getFirst()
                            .message())
                    .contains("cannot be asked: ");
        }
    }
}
