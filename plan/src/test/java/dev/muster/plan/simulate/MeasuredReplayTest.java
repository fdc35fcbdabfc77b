// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.json.JsonValue;
import dev.muster.core.unit.Bandwidth;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.model.memory.StandardFormat;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.DeviceEntry;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.search.ServingSearch;
import dev.muster.plan.search.deployment.ReplicaModel;
import dev.muster.plan.serving.RequestTrace;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingLoad;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.serving.ServingSimulation.Figures;
import dev.muster.plan.serving.ServingSimulation.Spread;
import dev.muster.plan.serving.SimulationRequest;
import dev.muster.plan.serving.Slo;
import dev.muster.plan.time.CoefficientTable;
import dev.muster.testing.Need;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Runs of vLLM 0.19 whose requests were measured one by one (LLMServingSim), replayed.
class MeasuredReplayTest {

    /// Step times with a factor.
    private record Scaled(StepTimes times, double factor) implements StepTimes {
        @Override
        public double rows(double tokens) {
            return factor * times.rows(tokens);
        }

        @Override
        public double sequences(int sequences) {
            return factor * times.sequences(sequences);
        }

        @Override
        public double contextToken(int sequences) {
            return factor * times.contextToken(sequences);
        }

        @Override
        public double prompt(double before, double tokens) {
            return factor * times.prompt(before, tokens);
        }

        @Override
        public double promptStep() {
            return factor * times.promptStep();
        }
    }

    /// With the mean TPOT of the run known, which scales all steps, what requests wait for follows: the scheduler,
    /// the KV cache and its preemptions are those of the engine. One device alone is near before that, too; how two
    /// are joined is a fact of their machine.
    @ParameterizedTest
    @CsvSource({
        "RTX4090-Llama-3.1-8B, sharegpt-llama3.1-8b-300-sps10, llama-3.1-8b, rtx-4090, 1, 256",
        "RTXPRO6000-Qwen3-32B, sharegpt-qwen3-32b-300-sps10, qwen3-32b, rtx-pro-6000, 2, 128"
    })
    void waitsFollowFromTheTimePerToken(
            String folder, String workload, String model, String device, int devices, int sequences)
            throws IOException {
        RequestTrace trace = RequestTrace.parse(Files.readString(recording("traces/" + workload + ".lengths.jsonl")));
        Spread[] measured = measured(folder);
        DeviceEntry entry = DeviceCatalogue.builtIn().find(device).orElseThrow();
        ReplicaModel replica =
                ReplicaModel.of(plan(trace, model, DeviceFigures.of(entry), devices), CoefficientTable.builtIn());
        Workload load = load(trace, model);
        Figures before = run(replica, load, 1, sequences);
        report(folder + " as predicted", before, measured);
        if (devices == 1) {
            near(before.timeToFirstToken(), measured[0]);
            near(before.timePerOutputToken(), measured[1]);
        }
        double factor = 1;
        for (int i = 0; i < 20; i++) {
            double tpot =
                    run(replica, load, factor, sequences).timePerOutputToken().mean();
            factor *= measured[1].mean() / tpot;
        }
        Figures after = run(replica, load, factor, sequences);
        report(folder + " with TPOT known", after, measured);
        assertThat(after.timePerOutputToken().mean()).isCloseTo(measured[1].mean(), within(0.01 * measured[1].mean()));
        hold(after.timeToFirstToken(), measured[0]);
        hold(after.timePerOutputToken(), measured[1]);
    }

    /// The recording says that 16 GB/s join the two devices, a quarter of what PCI Express 5 has: nothing else of
    /// the run is known here.
    @Test
    void withTheLinkOfItsMachineARunIsNearBeforeItIsKnown() throws IOException {
        String model = "qwen3-32b";
        RequestTrace trace =
                RequestTrace.parse(Files.readString(recording("traces/sharegpt-qwen3-32b-300-sps10.lengths.jsonl")));
        Spread[] measured = measured("RTXPRO6000-Qwen3-32B");
        DeviceFigures device =
                DeviceFigures.of(DeviceCatalogue.builtIn()
                                .find("rtx-pro-6000-server")
                                .orElseThrow())
                        .toBuilder()
                        .link(Reading.known(new Bandwidth(16), Provenance.GIVEN), DeviceFigures.Linkage.BUS, 1)
                        .build();
        ReplicaModel replica = ReplicaModel.of(plan(trace, model, device, 2), CoefficientTable.builtIn());
        Figures found = run(replica, load(trace, model), 1, 128);
        report("RTXPRO6000-Qwen3-32B with its link", found, measured);
        near(found.timeToFirstToken(), measured[0]);
        near(found.timePerOutputToken(), measured[1]);
    }

    /// Checks the tolerance of a run before anything of it is known.
    private static void near(Spread predicted, Spread measured) {
        assertThat(predicted.mean()).isCloseTo(measured.mean(), within(0.15 * measured.mean()));
    }

    private static Path recording(String name) {
        return Need.recording("fixtures/bench/" + name);
    }

    private static Workload load(RequestTrace trace, String model) {
        return Loads.of(SimulationRequest.of(
                ServingRequest.of(
                        ModelCatalogue.builtIn().find(model).orElseThrow().toSummary()),
                new ServingLoad.Replay(trace)));
    }

    private static Spread[] measured(String folder) throws IOException {
        return measured(
                Files.readAllLines(recording("results/simulators/llmservingsim/" + folder + "/vllm-requests.jsonl")));
    }

    private static void hold(Spread found, Spread measured) {
        assertThat(found.mean()).isCloseTo(measured.mean(), within(0.05 * measured.mean()));
        assertThat(found.p50()).isCloseTo(measured.p50(), within(0.2 * measured.p50()));
        assertThat(found.p90()).isCloseTo(measured.p90(), within(0.2 * measured.p90()));
        assertThat(found.p99()).isCloseTo(measured.p99(), within(0.2 * measured.p99()));
    }

    private static Figures run(ReplicaModel replica, Workload load, double factor, int sequences) {
        SchedulerPolicy policy = Schedulers.find("vllm", "0.19.0", "", 0).orElseThrow();
        policy = SchedulerOption.apply(policy, "max-num-seqs", String.valueOf(sequences));
        policy = SchedulerOption.apply(policy, "max-num-batched-tokens", "2048");
        Deployment deployment = Deployment.of(new Scaled(replica.times(), factor), policy, replica.kvTokens());
        return Simulator.run(load, deployment).figures(Slo.NONE);
    }

    private static ServingPlan plan(RequestTrace trace, String model, DeviceFigures device, int devices) {
        ServingRequest request = ServingRequest.of(
                        ModelCatalogue.builtIn().find(model).orElseThrow().toSummary())
                .withFormat(StandardFormat.BF16)
                .withTokens((int) trace.meanInput(), (int) trace.meanOutput());
        DevicePool pool = DevicePool.of(device, device.id(), devices);
        return ServingSearch.of(CoefficientTable.builtIn())
                .find(request, pool, ServingEngine.VLLM)
                .find()
                .orElseThrow()
                .considered()
                .stream()
                .filter(plan -> plan.layout().tp() == devices)
                .findFirst()
                .orElseThrow();
    }

    /// Returns the measured times to first token and per token, from the time the engine had a request.
    private static Spread[] measured(List<String> lines) {
        double[] ttft = new double[lines.size()];
        double[] tpot = new double[lines.size()];
        for (int i = 0; i < lines.size(); i++) {
            JsonValue row = JsonValue.parse(lines.get(i));
            double first = row.requireNumber("first_token_ts").toDouble();
            ttft[i] = first - row.requireNumber("queued_ts").toDouble();
            tpot[i] = (row.requireNumber("last_token_ts").toDouble() - first)
                    / (row.requireNumber("output_toks").toDouble() - 1);
        }
        return new Spread[] {
            Statistics.spread(ttft, ttft.length), Statistics.spread(tpot, tpot.length),
        };
    }

    private static void report(String what, Figures found, Spread[] measured) {
        System.out.println(what + ": TTFT " + ratios(found.timeToFirstToken(), measured[0]) + "; TPOT "
                + ratios(found.timePerOutputToken(), measured[1]));
    }

    /// Returns predicted over measured: mean, p50, p90, p99.
    private static String ratios(Spread found, Spread measured) {
        return String.format(
                Locale.ROOT,
                "%.3f %.3f %.3f %.3f",
                found.mean() / measured.mean(),
                found.p50() / measured.p50(),
                found.p90() / measured.p90(),
                found.p99() / measured.p99());
    }
}
