// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.mesh.RankOptions;
import dev.muster.cli.option.ExitCode;
import dev.muster.core.json.JsonValue;
import dev.muster.core.measure.CalibrationDocument;
import dev.muster.core.measure.MeshCalibration;
import dev.muster.core.measure.MeshCalibration.Collective;
import dev.muster.core.measure.MeshCalibration.Curve;
import dev.muster.core.measure.MeshCalibration.CurvePoint;
import dev.muster.core.measure.Thoroughness;
import dev.muster.detect.measure.CalibrationStore;
import dev.muster.mesh.MeshSpec;
import dev.muster.mesh.rehearse.RehearsalFigures;
import dev.muster.mesh.rehearse.RehearsalFigures.CallFigures;
import dev.muster.plan.cost.StepCommunication;
import dev.muster.plan.cost.StepCommunication.Axis;
import dev.muster.plan.cost.StepCommunication.Call;
import dev.muster.report.mesh.MeshCalibrationText;
import dev.muster.report.mesh.RehearsalReport;
import dev.muster.report.mesh.RehearsalText;
import dev.muster.report.mesh.RehearsedPlan;
import dev.muster.report.terminal.Terminal;
import dev.muster.testing.Need;
import dev.muster.testing.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MeshRehearseCommandTest {
    private static final Terminal WIDE = new Terminal(true, false, false, 160);

    /// Invented: a training of TP 2 x DP 2 on slow links.
    private static final RehearsedPlan PLAN = new RehearsedPlan(
            MeshSpec.parse("tp=2,cp=1,dp=2,pp=1"),
            new StepCommunication(
                    0.25,
                    List.of(
                            new Call(Axis.TP, Collective.ALL_GATHER, 2, 29_360_128, 112, false, 6.7e-3, 4.3e-3),
                            new Call(Axis.TP, Collective.REDUCE_SCATTER, 2, 29_360_128, 112, false, 6.7e-3, 4.3e-3),
                            new Call(Axis.DP, Collective.ALL_REDUCE, 2, 271_986_304, 28, true, 9.8e-3, 5.2e-3))));

    private final MusterRun pipe = MusterRun.inPipe();

    private static RehearsalReport report() {
        CallFigures gather = new CallFigures(5, 12e-3, 14e-3, 1e-4, 3, List.of(2, 3));
        CallFigures scatter = new CallFigures(5, 31e-3, 44e-3, 2e-4, 0, List.of(0, 1));
        CallFigures reduce = new CallFigures(5, 0.4, 0.5, 1e-3, 2, List.of(0, 2));
        return RehearsalReport.of(
                "qwen2.5-7b",
                PLAN,
                Optional.of(calibration()),
                new RehearsalFigures("shm", 1, 5, 0.04, List.of(gather, scatter, reduce)));
    }

    /// Invented: ten microseconds, and 2.5 GB/s; all-reduces were not measured.
    private static MeshCalibration calibration() {
        List<Curve> curves = new ArrayList<>();
        for (Collective collective : Collective.values()) {
            if (collective != Collective.ALL_REDUCE) {
                curves.add(new Curve(
                        collective, 2, List.of(new CurvePoint(1, 1e-5), new CurvePoint(25_000_001, 1e-2 + 1e-5))));
            }
        }
        return new MeshCalibration("shm", 4, 1, Instant.parse("2026-11-17T18:00:00Z"), Thoroughness.FULL, curves);
    }

    @Test
    void aRehearsalIsATable() {
        Golden.assertMatches("mesh-rehearse", new RehearsalText(report()).text(WIDE));
        Golden.assertMatches(
                "mesh-rehearse-narrow", new RehearsalText(report()).text(new Terminal(true, false, false, 72)));
        Golden.assertMatches(
                "mesh-rehearse-json", new RehearsalText(report()).json().toIndentedText() + "\n");
        Golden.assertMatches(
                "mesh-rehearse-fake",
                new RehearsalText(RehearsalReport.of("qwen2.5-7b", PLAN, Optional.empty(), null)).text(WIDE));
    }

    @Test
    void whatWasMeasuredBetweenRanksIsATable() {
        Golden.assertMatches("calibrate-mesh", new MeshCalibrationText(calibration()).text(WIDE));
    }

    @Test
    void aSmallerMeshHasTheSameCallsInSmallerGroups() {
        RehearsedPlan scaled = PLAN.scaledTo(2);
        assertThat(scaled.mesh()).hasToString("tp=2,cp=1,dp=1,pp=1");
        assertThat(scaled.step().calls()).hasSize(2).allMatch(call -> call.members() == 2);
        assertThat(PLAN.scaledTo(3).mesh()).hasToString("tp=2,cp=1,dp=1,pp=1");
        assertThat(PLAN.scaledTo(4)).isEqualTo(PLAN);
        assertThat(PLAN.scaledTo(1).step().calls()).isEmpty();
    }

    @Test
    void threadsRehearseASavedPlan(@TempDir Path folder) throws IOException {
        Path plan = plan(folder);
        Outcome outcome =
                pipe.run("mesh", "rehearse", plan.toString(), "--backend", "local", "--time", "200ms", "--json");

        assertThat(besidesLoad(outcome)).isEmpty();
        assertThat(outcome.code()).isEqualTo(ExitCode.OK);
        JsonValue call = JsonValue.parse(outcome.out()).requireItems("calls").getFirst();
        assertThat(call.requireText("collective")).isEqualTo("all-reduce");
        assertThat(call.requireText("predictedBy")).isEqualTo("plan");
        assertThat(call.requireNumber("count").toDouble()).isEqualTo(64);
        assertThat(call.requireNumber("sentBytes").toDouble()).isEqualTo(64 * 4096 * 2);
        assertThat(call.requireNumber("p50Seconds").toDouble()).isPositive();
    }

    @Test
    @Needs(Need.SHARED_MEMORY)
    void processesRehearseWithWhatWasMeasuredBetweenThem(@TempDir Path folder) throws IOException {
        Path plan = plan(folder);
        MeshCalibration mesh = new MeshCalibration(
                "shm",
                2,
                1,
                Instant.EPOCH,
                Thoroughness.QUICK,
                List.of(new Curve(
                        Collective.ALL_REDUCE, 2, List.of(new CurvePoint(1, 1), new CurvePoint(1 << 20, 1)))));
        CalibrationStore.of(folder.resolve("muster")).add(CalibrationDocument.of(mesh));
        MusterRun stored = pipe.withEnvironment("XDG_CACHE_HOME", folder.toString());
        String words = "mesh rehearse " + plan + " --backend shm --time 200ms --json --at-most ";

        Outcome kept = stored.run(List.of((words + "1").split(" ", -1)));
        assertThat(besidesLoad(kept)).isEmpty();
        assertThat(kept.code()).isEqualTo(ExitCode.OK);
        JsonValue document = JsonValue.parse(kept.out());
        assertThat(document.requireText("backend")).isEqualTo("shm");
        // A second for each of 64 calls.
        assertThat(document.requireNumber("predictedSeconds").toDouble()).isEqualTo(64);
        assertThat(document.requireItems("calls").getFirst().requireText("predictedBy"))
                .isEqualTo("calibration");

        Outcome missed = stored.run(List.of((words + "0.0000001").split(" ", -1)));
        assertThat(missed.code()).isEqualTo(ExitCode.USAGE);
        Outcome slower = pipe.run(List.of((words + "0.00001").split(" ", -1)));
        assertThat(slower.code()).isEqualTo(ExitCode.NO);
        assertThat(slower.out()).contains("\"kind\":\"rehearsal\"");
    }

    private Path plan(Path folder) throws IOException {
        Outcome outcome = pipe.run("plan", "llama-3.1-8b", "--goal", "latency", "--json", "--synthetic", "h100-sxm:2");
        Path file = folder.resolve("plan.json");
        Files.writeString(file, outcome.out());
        return file;
    }

    /// All ranks of Llama 3.1 405B on 98,304 devices, in one process that starts none.
    @Test
    void anyNumberOfRanksIsCounted(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("plan.json");
        Outcome planned = pipe.run(
                "train",
                "llama-3.1-405b",
                "--batch",
                "12288",
                "--hosts",
                "12288",
                "--synthetic",
                "[h100-sxm:8 nvswitch ib:8x400]",
                "--json");
        Files.writeString(file, planned.out());
        JsonValue plan = JsonValue.parse(planned.out()).require("plan");
        double ranks = plan.requireNumber("devices").toDouble();
        assertThat(ranks).isEqualTo(98_304);

        Outcome counted = pipe.run("mesh", "rehearse", file.toString(), "--backend", "fake", "--json");
        assertThat(counted.err()).isEmpty();
        assertThat(counted.code()).isEqualTo(ExitCode.OK);
        JsonValue document = JsonValue.parse(counted.out());
        assertThat(document.requireNumber("ranks").toDouble()).isEqualTo(ranks);
        for (JsonValue call : document.requireItems("calls")) {
            double total = call.requireNumber("totalBytes").toDouble();
            assertThat(total / ranks).isEqualTo(call.requireNumber("sentBytes").toDouble());
            assertThat(call.find("p50Seconds")).isEmpty();
        }

        pipe.run("mesh", "rehearse", file.toString())
                .assertRefused(
                        ExitCode.NO,
                        "muster: the plan has 98304 ranks, and 64 at most are started on one host; rehearse a smaller"
                                + " mesh of the same calls with -n N --scale, or count bytes alone with --backend fake");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            PLAN -n 4 | 1 | the plan has 2 ranks, fewer than -n 4; leave -n out, or plan for more devices
            missing.json | 1 | file 'missing.json' not found
            PLAN -n 1 | 2 | -n is an integer from 2 to 4096 where ranks talk to each other, not '1'; see 'muster help'
            PLAN --backend fake --at-most 2 | 2 | --at-most does not apply: --backend fake sends nothing, and measures nothing; see 'muster help'
            PLAN --at-most none | 2 | --at-most is a ratio above 0, such as 1.2, not 'none'; see 'muster help'
            PLAN --time 1ms | 2 | --time is a time from 100ms to 60m, such as 2s or 500ms, not '1ms'; see 'muster help'
            PLAN --registry x | 2 | --registry does not apply: mesh rehearse runs a saved plan on this machine; see 'muster help'
            PLAN --backend shn | 2 | --backend is one of auto, local, shm, tcp, hier, hier-mpi, hier-gloo, mpi, gloo, nccl, rccl, fake, not 'shn'; did you mean shm?
            """)
    void whatMakesNoSenseIsRefused(String words, int code, String sentence, @TempDir Path folder) throws IOException {
        String line = "mesh rehearse " + words.replace("PLAN", plan(folder).toString());
        pipe.run(List.of(line.split(" ", -1))).assertRefused(code, "muster: " + sentence);
    }

    /// The lines of standard error, without what is said of a machine that is busy or small.
    private static List<String> besidesLoad(Outcome outcome) {
        return outcome.err()
                .lines()
                .filter(line -> !line.contains("measured times may vary"))
                .toList();
    }

    @Test
    void ranksThatShareProcessorsAreToldSo() {
        assertThat(RankOptions.sharing(4, 2, 0.1))
                .hasValue("muster: 4 ranks take turns on 2 processors: measured times may vary by half or more; more"
                        + " processors or fewer ranks give times to rely on");
        assertThat(RankOptions.sharing(2, 4, 9.26))
                .hasValue("muster: other programs keep this machine busy (load 9.3, 4 processors): measured times may"
                        + " vary by half or more");
        assertThat(RankOptions.sharing(2, 2, 0.4)).isEmpty();
        assertThat(RankOptions.sharing(2, 2, -1)).isEmpty();
    }

    @Test
    void aPlanIsNeeded() {
        pipe.run("mesh", "rehearse")
                .assertRefused(
                        ExitCode.USAGE,
                        "muster: mesh rehearse needs a plan, saved with 'muster plan MODEL --json > FILE' or 'muster"
                                + " train MODEL --json > FILE'; see 'muster help'");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            { | "cannot read a plan from 'FILE': "
            {"schema":1,"kind":"fit"} | 'FILE' is not a plan; save one with
            {"schema":9,"kind":"serving-plan","plan":{}} | 'FILE' holds a plan that a newer Muster wrote, which this one cannot read; save one with
            {"schema":1,"kind":"serving-plan","fits":false} | 'FILE' holds no plan, because the model did not fit; save one with
            {"schema":1,"kind":"training-plan","plan":{"mesh":[]}} | 'FILE' does not describe its communication (plans over devices of several kinds and plans of earlier versions do not); plan again with --json
            {"schema":1,"kind":"serving-plan","plan":{"mesh":[{"axis":"tp","size":1}],"communication":{"stepSeconds":1,"calls":[]}}} | the ranks of 'FILE' send nothing to each other, so there is nothing to rehearse
            {"schema":1,"kind":"serving-plan","plan":{"mesh":[{"axis":"tp","size":-3}],"communication":{"stepSeconds":1,"calls":[]}}} | "cannot read a plan from 'FILE': "
            {"schema":1,"kind":"serving-plan","plan":{"mesh":[{"axis":"tp","size":2}],"communication":{"stepSeconds":1,"calls":[{"axis":"xp"}]}}} | "cannot read a plan from 'FILE': "
            {"schema":1,"kind":"serving-plan","plan":{"mesh":[{"axis":"dp","size":2}],"communication":{"stepSeconds":1,"calls":[{"axis":"tp","collective":"send","members":2,"bytes":1,"count":1,"overlapped":false,"seconds":1,"exposedSeconds":1}]}}} | "cannot read a plan from 'FILE': "
            """)
    void whatIsNoPlanIsSaid(String content, String sentence, @TempDir Path folder) throws IOException {
        Path file = folder.resolve("plan.json");
        Files.writeString(file, content);
        Outcome outcome = pipe.run("mesh", "rehearse", file.toString(), "--backend", "local");

        assertThat(outcome.err()).startsWith("muster: " + sentence.replace("FILE", file.toString()));
        assertThat(outcome.err().lines()).hasSize(1);
        assertThat(outcome.code()).isEqualTo(ExitCode.NO);
        assertThat(outcome.out()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            calibrate --backend shm | --backend does not apply: ranks are started only with --mesh
            calibrate --mesh --cpu | --cpu does not apply: --mesh measures between ranks, not devices
            calibrate --mesh --from x | --from does not apply: --mesh measures between ranks
            calibrate --mesh -n 1 | -n is an integer from 2 to 4096 where ranks talk to each other, not '1'
            calibrate --mesh extra | unexpected argument 'extra'
            """)
    void ranksAreMeasuredAlone(String words, String sentence) {
        pipe.run(List.of(words.split(" ", -1)))
                .assertRefused(ExitCode.USAGE, "muster: " + sentence + "; see 'muster help'");
    }

    @Test
    void aPlanSaysThatItRestsOnMeasuredCollectives(@TempDir Path folder) throws IOException {
        CalibrationStore.of(folder.resolve("muster")).add(CalibrationDocument.of(calibration()));
        MusterRun stored = pipe.withEnvironment("XDG_CACHE_HOME", folder.toString());
        String words = "plan llama-3.1-8b --json --synthetic h100-sxm:2 --collectives ";

        assertThat(stored.run(List.of((words + "shm").split(" ", -1))).out())
                .contains("collectives take as long as 'muster calibrate --mesh' measured between 4 ranks over shm on 1"
                        + " host (2026-11-17)");
        Outcome unknown = stored.run(List.of((words + "tcp").split(" ", -1)));
        assertThat(unknown.code()).isEqualTo(ExitCode.USAGE);
        assertThat(unknown.err())
                .contains("no collectives were measured over 'tcp'; measure them with 'muster calibrate --mesh"
                        + " --backend tcp'");
    }
}
