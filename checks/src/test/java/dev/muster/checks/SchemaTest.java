// SPDX-License-Identifier: Apache-2.0
package dev.muster.checks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.harrel.jsonschema.Validator;
import dev.harrel.jsonschema.ValidatorFactory;
import dev.harrel.jsonschema.providers.JacksonNode;
import dev.muster.core.PciAddress;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.core.json.ReferenceDocument;
import dev.muster.core.json.RegistryDocument;
import dev.muster.core.measure.CalibrationDocument;
import dev.muster.core.measure.CalibrationDocument.DeviceCalibration;
import dev.muster.core.measure.CalibrationDocument.MeasurementGap;
import dev.muster.core.measure.MeasuredDevice;
import dev.muster.core.measure.MeasuredQuantity;
import dev.muster.core.measure.Measurement;
import dev.muster.core.measure.MeshCalibration;
import dev.muster.core.measure.MeshCalibration.Collective;
import dev.muster.core.measure.MeshCalibration.Curve;
import dev.muster.core.measure.MeshCalibration.CurvePoint;
import dev.muster.core.measure.Thoroughness;
import dev.muster.fleet.Fleet;
import dev.muster.fleet.Fleet.SourceState;
import dev.muster.fleet.FleetSummary;
import dev.muster.fleet.SourceReport;
import dev.muster.fleet.synthetic.SyntheticFleet;
import dev.muster.mesh.collective.CallState;
import dev.muster.mesh.collective.FlightDump;
import dev.muster.mesh.collective.FlightDump.FlightRecord;
import dev.muster.plan.catalogue.DeviceCatalogue;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The published schemas describe the documents of the program: each document is held to its schema with unknown keys
/// forbidden, so that a key without a description fails here.
class SchemaTest {
    private static final Path SCHEMAS = Path.of("../docs/schema");
    private static final Path GOLDENS = Path.of("../bench/src/test/resources/golden/registry.jsonl");
    private static final long LIMIT_SECONDS = 60;

    private final ObjectMapper mapper = new ObjectMapper();

    @Test
    void aDetectedRegistryIsAsDescribed() throws Exception {
        assertValid("registry", run("detect", "--json"));
    }

    @Test
    void aFleetIsAsDescribed() throws Exception {
        assertValid("fleet", run("fleet", "list", "--source", "synthetic:60xh100-sxm:4,seed=3", "-o", "json"));
    }

    @Test
    void theAnswersAboutFleetsAreAsDescribed(@TempDir Path folder) throws Exception {
        String fleet = " --json --source synthetic:60xh100-sxm:4,20xl4:2,seed=3";
        for (String model : List.of("llama-3.1-8b", "llama-3.1-405b --hosts 4", "deepseek-v3 --hosts 1")) {
            String plan = answer(words("fleet plan " + model + fleet));
            assertValid("fleet-plan", plan);
            assertValid(
                    "serving-plan", mapper.readTree(plan).required("serving").toString());
        }
        assertValid("capacity", answer(words("fleet plan llama-3.1-8b qwen3-32b" + fleet)));
        assertValid(
                "capacity",
                answer(words("fleet plan llama-3.1-405b deepseek-v3 --json --source synthetic:1xl4:1,seed=1")));
        assertValid("fleet-topology", run(words("fleet topology" + fleet)));
        assertValid(
                "fleet-check",
                run(words("fleet check --count 4 --min-memory 1GiB --min-free 1GiB --total-memory 1GiB --link nvlink"
                        + fleet)));

        Path before = folder.resolve("before.json");
        Path after = folder.resolve("after.json");
        Files.writeString(before, run(words("fleet list -o json --source synthetic:60xh100-sxm:4,9xl4:2,seed=3")));
        Files.writeString(after, run(words("fleet list -o json --source synthetic:64xh100-sxm:8,5xl4:2,seed=4")));
        String difference = answer("fleet", "diff", before.toString(), after.toString(), "--json");
        assertValid("fleet-difference", difference);
        assertThat(difference)
                .contains("host-added", "host-removed", "state-changed", "claims-changed", "devices-changed");
        JsonNode changes = mapper.readTree(difference).required("changes");
        for (JsonNode change : changes) {
            if (change.has("changes")) {
                ObjectNode nested = mapper.createObjectNode().put("schema", 1).put("kind", "difference");
                assertValid(
                        "difference",
                        nested.set("changes", change.get("changes")).toString());
                break; // the others have the same form
            }
        }
    }

    /// Two sources that contradict each other, one that fails now and one that never answered.
    @Test
    void theFleetOfAServerIsAsDescribed() {
        SourceReport one = synthetic("40xh100-sxm:4,seed=3");
        SourceReport other = synthetic("40xh100-sxm:8,seed=4");
        Fleet merged = Fleet.merge(
                List.of(one, new SourceReport("other", other.kind(), other.observedAt(), other.hosts(), List.of())));
        List<SourceState> sources = new ArrayList<>(merged.sources());
        sources.add(new SourceState("stale", Reading.known(Instant.EPOCH, Provenance.GIVEN), "gone"));
        sources.add(new SourceState("never", Reading.unknown(UnknownReason.NOT_PROBED), "no answer"));
        String summary = FleetSummary.of(new Fleet(merged.hosts(), sources), Instant.EPOCH.plusSeconds(5))
                .toText();

        assertValid("fleet-summary", summary);
        assertThat(summary)
                .contains("\"ageSeconds\":5", "no answer", "\"statements\":[{", "\"holder\":", "\"domains\":[\"");
    }

    private static SourceReport synthetic(String text) {
        return SyntheticFleet.parse(text, DeviceCatalogue.builtIn(), InstantSource.fixed(Instant.EPOCH))
                .read(Duration.ofSeconds(LIMIT_SECONDS));
    }

    @Test
    void aRegistryWithEverythingInItIsAsDescribed() {
        assertValid("registry", RegistryDocument.write(FullRegistry.create()));
    }

    @Test
    void everyRecordedRegistryIsAsDescribed() throws IOException {
        int count = 0;
        for (String line : Files.readAllLines(GOLDENS)) {
            JsonNode registry = mapper.readTree(line).at("/input/registry");
            if (registry.isObject()) {
                assertValid("registry", RegistryDocument.write(ReferenceDocument.read(registry.toString())));
                count++;
            }
        }
        assertThat(count).isGreaterThan(100);
    }

    @Test
    void aCalibrationWithEverythingInItIsAsDescribed() {
        List<Measurement> results = new ArrayList<>();
        for (MeasuredQuantity quantity : MeasuredQuantity.values()) {
            results.add(new Measurement(quantity, 1e9, 2e9, 3e9, 11, "by hand"));
        }
        MeasuredDevice device = new MeasuredDevice(
                "cuda:0", "GPU", "GPU-0", PciAddress.find("3b:00.0").orElseThrow(), "580");
        List<MeasurementGap> gaps = new ArrayList<>();
        for (UnknownReason reason : UnknownReason.values()) {
            gaps.add(new MeasurementGap("cuda:1", reason, "for a reason"));
        }
        List<Curve> curves = new ArrayList<>();
        for (Collective collective : Collective.values()) {
            curves.add(new Curve(collective, 2, List.of(new CurvePoint(1024, 1e-5), new CurvePoint(4096, 2e-5))));
        }
        CalibrationDocument document = new CalibrationDocument(
                List.of(new DeviceCalibration(device, Instant.EPOCH, Thoroughness.FULL, results)),
                List.of(new MeshCalibration("shm", 4, 1, Instant.EPOCH, Thoroughness.FULL, curves)),
                gaps);

        assertValid("calibration", document.toJson().toText());
    }

    @Test
    void theAnswersOfTheCommandsAreAsDescribed(@TempDir Path folder) throws Exception {
        Path full = folder.resolve("full.json");
        Files.writeString(full, RegistryDocument.write(FullRegistry.create()));
        Path bare = folder.resolve("bare.json");
        Files.writeString(bare, "{\"profiles\":[{\"accelerator\":\"Cpu\",\"available\":false,\"memory_bytes\":1}]}");

        assertValid("version", run("version", "--json"));
        assertValid("summary", run("detect", "--summary", "--json", "--registry", full.toString()));
        assertValid("doctor", run("doctor", "--json"));
        assertValid("doctor", run("mesh", "doctor", "--json"));
        FlightRecord call = new FlightRecord(1, "barrier", 5, 7, CallState.DONE);
        assertValid(
                "mesh-recording",
                new FlightDump("world", 0, List.of(call)).toJson().toText());
        assertValid("calibration", answer("calibrate", "--cpu", "--quick", "--no-store", "--json"));
        String[] bench = {"mesh", "bench", "-n", "2", "--backend", "local,tcp", "--operation", "all", "--to", "64"};
        List<String> measured = new ArrayList<>(List.of(bench));
        measured.addAll(List.of("--iterations", "1", "--json"));
        assertValid("mesh-bench", answer(measured.toArray(String[]::new)));
        Path plan = folder.resolve("plan.json");
        String[] planned = {"plan", "llama-3.1-8b", "--goal", "latency", "--json", "--synthetic", "h100-sxm:2"};
        Files.writeString(plan, answer(planned));
        assertValid("serving-plan", Files.readString(plan));
        String rehearse = "mesh rehearse " + plan + " --json --backend ";
        assertValid("rehearsal", answer(words(rehearse + "fake")));
        assertValid("rehearsal", answer(words(rehearse + "local --time 200ms")));
        assertValid("topology", run("topology", "--json", "--registry", full.toString()));
        assertValid("mesh-plan", answer("mesh", "plan", "tp=2,dp=2", "--json", "--registry", bare.toString()));
        String hosts = "3x[h100-sxm:6 nvswitch numa:2]";
        String[] surplus = {"mesh", "plan", "tp=4,dp=3", "--json", "--synthetic", hosts, "--allow-surplus"};
        assertValid("mesh-plan", answer(surplus));
        assertValid("mesh-plan", answer("mesh", "plan", "tp=5", "--json", "--synthetic", hosts));
        assertValid("difference", run("diff", bare.toString(), full.toString(), "--json"));
        assertValid("difference", run("diff", full.toString(), bare.toString(), "--json", "--all"));
        String[] everyCheck = {
            "--min-memory", "1GiB", "--min-free", "1GiB", "--total-memory", "1GiB", "--link", "nvlink"
        };
        List<String> check = new ArrayList<>(List.of("check", "--json", "--registry", full.toString()));
        check.addAll(List.of(everyCheck));
        assertValid("check", run(check.toArray(String[]::new)));
    }

    @Test
    void theAnswersAboutModelsAreAsDescribed(@TempDir Path folder) throws Exception {
        String fixtures = "../cli/src/test/resources/fixtures/model/";
        String machine = "[h100-sxm:8 nvswitch cpu:1TiB]";

        assertValid("checkpoint", run("inspect", "--json", "--tensors", fixtures + "tiny-llama__synthetic"));
        assertValid("checkpoint", run("inspect", "--json", fixtures + "tiny-llama__q4_0__synthetic.gguf"));
        assertValid("models", run("models", "--json"));
        assertValid("models", answer("models", "--fit", "--json", "--synthetic", machine));
        assertValid("plan", answer("plan", "405B", "--rules", "--json", "--quant", "int8", "--synthetic", machine));
        assertValid("plan", answer("plan", "70B", "--rules", "--json", "--synthetic", "[l4:4 pcie]"));
        assertValid("quantization", answer("quantize", "70B", "--json", "--synthetic", machine));
        assertValid("training", run("train", "7B", "--rules", "--json"));
        assertValid("training-plan", answer("train", "mixtral-8x7b", "--json", "--synthetic", machine));
        assertValid(
                "training-plan", answer("train", "llama-3.1-8b", "--method", "lora", "--json", "--synthetic", "l4:2"));
        assertValid("training-plan", answer("train", "llama-3.1-405b", "--json", "--synthetic", "l4:2"));
        assertValid(
                "training-plan",
                answer(words("train llama-3.1-8b --batch 8 --offload all --explain --json"
                        + " --synthetic [rtx-4090:1,cpu:256GiB]")));
        assertValid(
                "training-plan",
                answer(words(
                        "train llama-3.1-8b --tokens 1T --deadline 2d --budget 9 --json" + " --synthetic h100-sxm:8")));
        assertValid("cost", answer("cost", "70B", "--json", "--all"));
        assertValid("cost", answer("cost", "llama-3.1-8b", "--json"));
        takeSome(folder);
        assertValid("accuracy", run("accuracy", "--json", "--rows", "--data", folder.toString()));
        String unlike = "[rtx-4090 rtx-3060-12 cpu:96GiB]";
        String[] split = {"plan", "gpt-oss-120b", "--quant", "mxfp4_moe", "--engine", "llama.cpp", "--json"};
        List<String> offload = new ArrayList<>(List.of(split));
        offload.addAll(List.of("--offload", "--host-bandwidth", "60", "--synthetic", unlike));
        assertValid("split-plan", answer(offload.toArray(String[]::new)));
        assertValid("serving-plan", answer("plan", "mixtral-8x7b", "--json", "--synthetic", machine));
        for (String model : List.of("bge-m3", "whisper-large-v3", "flux.1-dev", "wan2.1-t2v-14b", "flan-t5-xl")) {
            assertValid("task-plan", answer("plan", model, "--json", "--synthetic", machine));
        }
        for (String target : List.of("vllm", "sglang", "slurm", "mpirun", "kubernetes")) {
            assertValid("launch", answer("plan", "mixtral-8x7b", "--emit", target, "--json", "--synthetic", machine));
        }
        assertValid(
                "serving-plan",
                answer(
                        "plan",
                        "llama-3.1-8b",
                        "--json",
                        "--pareto",
                        "--concurrency",
                        "64",
                        "--max-tpot",
                        "9ms",
                        "--explain",
                        "--max-ttft",
                        "1s",
                        "--budget",
                        "50",
                        "--synthetic",
                        machine));
        assertValid(
                "serving-plan",
                answer("plan", "llama-3.1-8b", "--json", "--quant", "int4", "--synthetic", "rtx-5090:1"));
        assertValid("fit", answer("fit", "llama-3.1-70b", "--json", "--concurrency", "8", "--synthetic", machine));
        assertValid(
                "serving-simulation",
                answer(words("simulate llama-3.1-8b --users 8 --slo ttft=1s,latency=9s --json --synthetic l40s:2")));
        assertValid(
                "serving-simulation",
                answer(words("simulate llama-3.1-8b --rate 3/s --json --svg target/load.svg --synthetic l40s:2")));
        assertValid(
                "serving-deployment",
                answer(words("plan llama-3.1-8b --users 8 --ttft 1s --latency p90=20s --json --pareto"
                        + " --synthetic l40s:2")));
        assertValid(
                "serving-deployment",
                run("plan", "llama-3.1-8b", "--rate", "90/s", "--tpot", "30ms", "--json", "--synthetic", "l40s:2"));
        assertValid("comparison", run("compare", "h100-sxm:8", "rtx-5090:1", "llama-3.1-8b", "--json"));
        String saved = "../cli/src/test/resources/golden/plan-serving-json.txt";
        assertValid("plan-comparison", run("compare", saved, saved, "--json"));
        assertValid("comparison", run("compare", "h100-sxm:8", "rtx-5090:1", "llama-3.1-70b", "--json"));
        assertValid(
                "serving-plan",
                answer("plan", "llama-3.1-405b", "--json", "--concurrency", "8", "--synthetic", "l4:2"));
    }

    private static String[] words(String line) {
        return line.split(" ", -1);
    }

    /// Returns standard output, without notes on hypothetical devices.
    /// Some measurements of each kind: the rows of all take a minute to hold to their schema.
    private static void takeSome(Path folder) throws IOException {
        Path tables = Path.of("../evidence/src/main/resources/dev/muster/evidence/measured");
        for (String table : List.of("inference.csv", "serving.csv", "training.csv", "memory.csv")) {
            List<String> lines = Files.readAllLines(tables.resolve(table));
            List<String> some = new ArrayList<>();
            for (int i = 0; i < lines.size(); i += i == 0 ? 1 : 25) {
                some.add(lines.get(i));
            }
            Files.write(folder.resolve(table), some);
        }
    }

    private static String answer(String... arguments) throws IOException, InterruptedException {
        String output = run(arguments);
        return output.substring(output.indexOf('{')).lines().findFirst().orElseThrow();
    }

    @Test
    void aDocumentWithAnUndescribedKeyIsRefused() {
        String document = RegistryDocument.write(FullRegistry.create()).replaceFirst("\"uuid\"", "\"uid\"");

        assertThat(validate("registry", document).isValid()).isFalse();
    }

    void assertValid(String schema, String document) {
        Validator.Result result = validate(schema, document);
        assertThat(result.isValid())
                .as(() -> result.getErrors() + "\n" + document)
                .isTrue();
    }

    private Validator.Result validate(String name, String document) {
        try {
            JsonNode schema = mapper.readTree(Files.readString(SCHEMAS.resolve(name + ".schema.json")));
            forbidUnknownKeys(schema);
            Validator validator = new ValidatorFactory()
                    .withJsonNodeFactory(new JacksonNode.Factory())
                    .createValidator();
            URI uri = validator.registerSchema(schema.toString());
            return validator.validate(uri, document);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void forbidUnknownKeys(JsonNode schema) {
        if (schema instanceof ObjectNode object && object.has("properties") && !object.has("additionalProperties")) {
            object.put("additionalProperties", false);
        }
        schema.forEach(SchemaTest::forbidUnknownKeys);
    }

    private static String run(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED", // as the launcher does, like the two below
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.muster.cli.Main"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        return output;
    }
}
