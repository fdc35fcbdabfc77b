// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.muster.model.CatalogueException;
import dev.muster.plan.answer.PlanNote;
import dev.muster.testing.Need;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestTraceTest {
    private static RequestTrace shared(String name) throws IOException {
        return RequestTrace.parse(Files.readString(Need.recording("fixtures/bench/traces/" + name)));
    }

    @Test
    void readsDatesAsAzureWritesThem() {
        RequestTrace trace = RequestTrace.parse("""
                TIMESTAMP,ContextTokens,GeneratedTokens
                2023-11-16 18:15:46.6805900,374,44
                2023-11-16 18:15:50.9951690,396,109
                """.replace("\n", "\r\n"));
        assertThat(trace.input()).containsExactly(374, 396);
        assertThat(trace.output()).containsExactly(44, 109);
        assertThat(trace.seconds()[1]).isCloseTo(4.314579, within(1e-9));
    }

    @Test
    void leavesOutWhatFailedInBurstGpt() {
        RequestTrace trace = RequestTrace.parse("""
                Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type
                5,ChatGPT,472,18,490,Conversation log
                45,ChatGPT,1087,0,1087,Conversation log
                118,GPT-4,417,276,693,API log
                """);
        assertThat(trace.size()).isEqualTo(2);
        assertThat(trace.seconds()).containsExactly(0, 113);
        assertThat(trace.notes()).containsExactly(PlanNote.of(PlanNote.Topic.FAILED_REQUESTS, 1));
    }

    @Test
    void readsBlocksOfPromptsInJsonLines() {
        RequestTrace trace = RequestTrace.parse("""
                {"timestamp": 0, "input_length": 1000, "output_length": 5, "hash_ids": [0, 1]}
                {"timestamp": 2500, "input_length": 1500, "output_length": 7, "hash_ids": [0, 1, 2]}
                """);
        assertThat(trace.seconds()).containsExactly(0, 2.5);
        assertThat(trace.blocks()).containsExactly(0, 1, 0, 1, 2);
        assertThat(trace.blockStart()).containsExactly(0, 2, 5);
        assertThat(trace.blockTokens()).isEqualTo(512);
    }

    @Test
    void aRequestMayComeSomeTimeAfterTheLastOfItsSession() {
        RequestTrace trace = RequestTrace.parse("""
                {"session_id":"a","input_length":12,"output_length":5,"timestamp":1000.0}
                {"session_id":"a","input_length":51,"output_length":3,"delay":100.0}
                """);
        assertThat(trace.seconds()[1]).isCloseTo(0.1, within(1e-12));
    }

    @Test
    void requestsOfOneCoarseStampAreSpreadUpToTheNext() {
        StringBuilder text = new StringBuilder("timestamp,input,output\n");
        for (int i = 0; i < 12; i++) {
            text.append(i / 4 * 3).append(",10,10\n");
        }
        RequestTrace trace = RequestTrace.parse(text.toString());
        assertThat(trace.seconds()).containsExactly(0, 0.75, 1.5, 2.25, 3, 3.75, 4.5, 5.25, 6, 6.75, 7.5, 8.25);
        assertThat(trace.notes()).extracting(PlanNote::topic).containsExactly(PlanNote.Topic.COARSE_TIMES);
    }

    @Test
    void lengthsAloneHaveNoTimes() {
        RequestTrace trace = RequestTrace.parse("""
                num_prefill_tokens,num_decode_tokens,pd_ratio
                3772,54,69.8
                """);
        assertThat(trace.hasTimes()).isFalse();
        assertThatThrownBy(() -> new ServingLoad.Replay(trace)).hasMessageContaining("does not say when");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            `` | the trace is empty
            time,input~1,2 | line 1: no column for the tokens of answers
            time,input,output~1,2 | line 2: there are 2 fields, but 3 columns
            time,input,output~1,2,3~now,2,3 | line 3: 'now' is not a time
            time,input,output~1,two,3 | line 2: 'two' is not a number of tokens
            time,input,output~1,-2,3 | line 2: a prompt has -2 tokens
            time,input,output~5,2,3~1,2,3 | sort the trace by time
            time,input,output~1,2,0 | it contains no answered request
            {"timestamp": 0 | line 1: no request as JSON
            {"spans": []} | line 1: no request: the keys
            {"timestamp":0,"input_length":5,"output_length":5,"hash_ids":["x"]} | is not an integer
            """)
    void badRowsAreRefusedInOneSentence(String text, String sentence) {
        assertThatThrownBy(() -> RequestTrace.parse(text.replace('~', '\n')))
                .isInstanceOf(CatalogueException.class)
                .hasMessageContaining(sentence);
    }

    @Test
    void damagedTracesAreReadOrRefused() {
        String csv = """
                timestamp,input,output
                0,12,5
                1.5,7,9
                2023-11-16 18:15:46.68,4,4
                """;
        String json = """
                {"timestamp": 0, "input_length": 10, "output_length": 5, "hash_ids": [0, 1]}
                """;
        Random random = new Random(11);
        for (int i = 0; i < 20_000; i++) {
            StringBuilder damaged = new StringBuilder(random.nextBoolean() ? csv : json.repeat(3));
            for (int j = random.nextInt(4); j >= 0; j--) {
                damaged.setCharAt(random.nextInt(damaged.length()), (char) (random.nextInt(100) + 9));
            }
            try {
                assertThat(RequestTrace.parse(damaged.toString()).size()).isPositive();
            } catch (CatalogueException e) {
                assertThat(e.getMessage()).isNotBlank();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "AzureLLMInferenceTrace_conv_2023.csv, 19366, 3501.722, 1154.7, 211.1",
        "AzureLLMInferenceTrace_code_2023.csv, 8819, 3435.948, 2047.8, 27.9",
        "sharegpt-llama3.1-8b-300-sps10.lengths.jsonl, 300, 29.137, 857.5, 652.5",
        "mooncake_synthetic_trace.first500.jsonl, 657, 182.906, 0, 0",
        "splitwise_sim_test_trace.csv, 3, 3, 2730.7, 18.7",
        "srt_slurm_session_replay_sample.jsonl, 3, 0.1, 0, 0"
    })
    void publishedTracesHaveTheirKnownStatistics(
            String name, int requests, double duration, double input, double output) throws IOException {
        RequestTrace trace = shared(name);
        assertThat(trace.size()).isEqualTo(requests);
        assertThat(trace.seconds()[trace.size() - 1]).isCloseTo(duration, within(1e-3 + 0.001 * duration));
        if (input > 0) {
            assertThat(trace.meanInput()).isCloseTo(input, within(0.06));
            assertThat(trace.meanOutput()).isCloseTo(output, within(0.06));
        }
    }

    /// With an endless prefix cache 34.73 % of the input tokens of the first 5764 requests are known already.
    @Test
    void mooncakePromptsShareTheirPrefixes() throws IOException {
        RequestTrace trace = shared("mooncake_conversation_trace.first.jsonl");
        Set<Integer> known = new HashSet<>();
        int[] start = trace.blockStart();
        int[] blocks = trace.blocks();
        int[] input = trace.input();
        long hits = 0;
        long all = 0;
        for (int i = 0; i < trace.size(); i++) {
            int leading = 0;
            for (int at = start[i]; at < start[i + 1]; at++) {
                boolean isKnown = !known.add(blocks[at]);
                leading += isKnown && leading == at - start[i] ? 1 : 0;
            }
            hits += Math.min(input[i], 512L * leading);
            all += input[i];
        }
        assertThat((double) hits / all).isCloseTo(0.3473, within(0.0001));
        assertThat(trace.notes()).extracting(PlanNote::topic).containsExactly(PlanNote.Topic.COARSE_TIMES);
    }
}
