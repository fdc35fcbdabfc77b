// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.plan.answer.Shortfall;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.testing.Need;
import dev.muster.testing.Needs;
import dev.muster.testing.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Emitted files as a shell and a YAML reader see them, and those of training plans.
@Needs(Need.POSIX)
class LaunchScriptTest {
    private static final Random RANDOM = new Random(23);
    private static final String STRANGE = " '\"$`\\;&|<>()[]{}*?!#~%^=,:@+-_.äß漢aZ09/";

    /// A program that prints its arguments, one a line.
    private static final String ECHO = "#!/bin/sh\nprintf '%s\\n' \"$@\"\n";

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(names = {"MEGATRON_LM", "DEEPSPEED", "ACCELERATE", "TORCHRUN"})
    void aTrainingPlanBecomesACommand(LaunchTarget target) {
        Golden.assertMatches("emit-training-" + target.label(), text(target, training(target)));
    }

    @Test
    void aTrainingPlanBecomesAJobOfACluster() {
        Golden.assertMatches("emit-training-slurm", text(LaunchTarget.SLURM, training(LaunchTarget.MEGATRON_LM)));
        Golden.assertMatches(
                "emit-training-kubernetes", text(LaunchTarget.KUBERNETES, training(LaunchTarget.DEEPSPEED)));
    }

    @Test
    void megatronRefusesWhatItCannotTrain() {
        LaunchFacts lora = training(LaunchTarget.MEGATRON_LM).with(LaunchFact.METHOD, "lora");
        assertThat(Launcher.emit(LaunchTarget.MEGATRON_LM, lora))
                .isEqualTo(new LaunchAnswer.Refused(Shortfall.of(
                        Shortfall.Cause.TARGET_LIMIT,
                        "Megatron-LM trains all weights, and this plan is for lora; use accelerate or torchrun")));
    }

    @RepeatedTest(30)
    void anyNameOfAModelReachesTheEngineAsItIs() throws Exception {
        String model = name();
        program("vllm");
        Path script = write(artifacts(LaunchTarget.VLLM, serving(model)).getFirst());
        assertThat(run(script).lines().skip(1).findFirst()).as(model).contains(model);
    }

    @RepeatedTest(30)
    void anyNameOfAModelGoesThroughTheJobOfACluster() throws Exception {
        String model = name();
        program("vllm");
        Files.setPosixFilePermissions(
                Files.writeString(folder.resolve("srun"), "#!/bin/sh\nexec \"$@\"\n"),
                PosixFilePermissions.fromString("rwx------"));
        Path script = write(artifacts(LaunchTarget.SLURM, serving(model)).getFirst());
        assertThat(run(script).lines().skip(1).findFirst()).as(model).contains(model);
    }

    @RepeatedTest(30)
    void anyNameOfAModelGoesThroughAPod() throws Exception {
        String model = name();
        program("vllm");
        String yaml =
                artifacts(LaunchTarget.KUBERNETES, serving(model)).getFirst().text();
        String block = yaml.substring(yaml.indexOf("- |\n") + 4, yaml.indexOf("            resources:"));
        // What Kubernetes does with the argument before the shell sees it, where no variable is defined.
        String script = block.stripIndent().replace("$$", "$");
        assertThat(run(write(new Artifact("pod.sh", "application/x-sh", script)))
                        .lines()
                        .skip(1)
                        .findFirst())
                .as(model)
                .contains(model);
    }

    @Test
    void eachHostOfAReplicaDoesItsPart() throws Exception {
        program("vllm");
        LaunchFacts facts = serving("a/b")
                .with(LaunchFact.HOSTS, 2)
                .with(LaunchFact.TENSOR, 8)
                .with(LaunchFact.REPLICAS, 1);
        Path script = write(artifacts(LaunchTarget.VLLM, facts).getFirst());
        String head = run(script, Map.of("HEAD_ADDRESS", "first host", "NODE_RANK", "0"));
        assertThat(head)
                .startsWith("serve\na/b\n--tensor-parallel-size\n8\n")
                .contains("--nnodes\n2\n--node-rank\n0\n--master-addr\nfirst host\n")
                .doesNotContain("--headless", "ray");
        assertThat(run(script, Map.of("HEAD_ADDRESS", "first host", "NODE_RANK", "1")))
                .isEqualTo(head.replace("--node-rank\n0\n", "--node-rank\n1\n") + "--headless\n");
        Program.Result unset = Program.run(List.of("sh", script.toString()));
        assertThat(unset.code()).isNotZero();
        assertThat(unset.output()).contains("HEAD_ADDRESS: set it to the name or address of the first host");
    }

    /// The image of vLLM 0.11.0 has Ray, and that release has no --nnodes.
    @Test
    void hostsOfAnOldReleaseMeetByRay() throws Exception {
        Files.setPosixFilePermissions(
                Files.writeString(folder.resolve("ray"), "#!/bin/sh\necho tried\nexit 1\n"),
                PosixFilePermissions.fromString("rwx------"));
        Files.setPosixFilePermissions(
                Files.writeString(folder.resolve("sleep"), "#!/bin/sh\n"),
                PosixFilePermissions.fromString("rwx------"));
        LaunchFacts facts = serving("a/b")
                .with(LaunchFact.RELEASE, "0.11.0")
                .with(LaunchFact.HOSTS, 2)
                .with(LaunchFact.TENSOR, 8)
                .with(LaunchFact.REPLICAS, 1);
        Path script = write(artifacts(LaunchTarget.VLLM, facts).getFirst());
        Program.Result result = Program.run(
                List.of("sh", script.toString()), path(Map.of("HEAD_ADDRESS", "nowhere", "NODE_RANK", "1")));
        assertThat(result.code()).isEqualTo(1);
        assertThat(result.output().lines()).hasSize(60).containsOnly("tried");
    }

    @Test
    void theLastHostRunsFewerCopiesWhereTheyDoNotDivide() throws Exception {
        program("vllm");
        LaunchFacts facts = serving("a/b").with(LaunchFact.HOSTS, 2).with(LaunchFact.REPLICAS, 3);
        Path script = write(artifacts(LaunchTarget.VLLM, facts).getFirst());
        assertThat(run(script, Map.of("NODE_RANK", "0")).lines().filter("a/b"::equals))
                .hasSize(2);
        assertThat(run(script, Map.of("NODE_RANK", "1")).lines().filter("a/b"::equals))
                .hasSize(1);
    }

    /// Slurm gives a job all hosts that it names: two replicas on the same hosts would wait for each other.
    @Test
    void eachReplicaOfSeveralHostsIsAJobOnHostsOfItsOwn() {
        LaunchFacts facts = serving("a/b")
                .with(LaunchFact.HOSTS, 6)
                .with(LaunchFact.TENSOR, 8)
                .with(LaunchFact.REPLICAS, 3)
                .with(LaunchFact.NODES, List.of("n1", "n2", "n3", "n4", "n5", "n6"));
        List<Artifact> jobs = artifacts(LaunchTarget.SLURM, facts);
        assertThat(jobs).extracting(Artifact::name).containsExactly("1-slurm.sh", "2-slurm.sh", "3-slurm.sh");
        assertThat(jobs)
                .extracting(LaunchScriptTest::listNodes)
                .containsExactly(List.of("n1", "n2"), List.of("n3", "n4"), List.of("n5", "n6"));
        assertThat(jobs).allSatisfy(job -> assertThat(job.text()).contains("#SBATCH --nodes=2\n"));
    }

    private static List<String> listNodes(Artifact job) {
        String option = "#SBATCH --nodelist=";
        String line = job.text()
                .lines()
                .filter(one -> one.startsWith(option))
                .findFirst()
                .orElseThrow();
        return List.of(line.substring(option.length()).split(",", -1));
    }

    @Test
    void whatAJobIsGivenReachesTheTrainingScript() throws Exception {
        program("torchrun");
        Files.setPosixFilePermissions(
                Files.writeString(folder.resolve("srun"), "#!/bin/sh\nexec \"$@\"\n"),
                PosixFilePermissions.fromString("rwx------"));
        LaunchFacts facts = training(LaunchTarget.TORCHRUN).with(LaunchFact.HOSTS, 1);
        Path script = write(artifacts(LaunchTarget.SLURM, facts).getFirst());
        Program.Result result = Program.run(List.of("sh", script.toString(), "--lr", "1 e-4"), path(Map.of()));
        assertThat(result.output()).endsWith("train.py\n--lr\n1 e-4\n");
    }

    @ParameterizedTest
    @EnumSource(LaunchTarget.class)
    void aShellReadsEveryScript(LaunchTarget target) throws Exception {
        LaunchFacts facts = switch (target.kind()) {
            case SERVING ->
                engine(serving("some/model"), target).with(LaunchFact.TENSOR, target == LaunchTarget.DIFFUSERS ? 1 : 2);
            case TRAINING -> training(target);
            case CLUSTER -> serving("it's/a model");
        };
        for (Artifact artifact : artifacts(target, facts)) {
            if (artifact.mediaType().equals("application/x-sh")) {
                Program.Result result =
                        Program.run(List.of("sh", "-n", write(artifact).toString()));
                assertThat(result).isEqualTo(new Program.Result(0, ""));
            }
        }
    }

    @Test
    @Needs(programs = "python3")
    void aReaderOfYamlReadsWhatWasMeant() throws Exception {
        if (Program.run(List.of("python3", "-c", "import yaml")).code() != 0) {
            throw Need.unmet("YAML for Python (Debian: python3-yaml, Fedora: python3-pyyaml)");
        }
        Path file = write(artifacts(LaunchTarget.KUBERNETES, serving("it's: a # \"model\""))
                .getFirst());
        String program = "import sys, yaml; d = yaml.safe_load(open(sys.argv[1]));"
                + " s = d['spec']; t = s['leaderWorkerTemplate']; c = t['workerTemplate']['spec']['containers'][0];"
                + " print(d['metadata']['name'], s['replicas'], t['size'], c['resources']['limits'], c['command'],"
                + " c['args'][0].splitlines()[-1].strip())";
        assertThat(Program.run(List.of("python3", "-c", program, file.toString()))
                        .output())
                .isEqualTo("it-s-a-model 2 1 {'nvidia.com/gpu': 2} ['/bin/sh', '-c'] --port 8000\n");
    }

    private static String name() {
        StringBuilder name = new StringBuilder();
        int length = RANDOM.nextInt(1, 24);
        for (int i = 0; i < length; i++) {
            name.append(STRANGE.charAt(RANDOM.nextInt(STRANGE.length())));
        }
        return "m" + name;
    }

    private static LaunchFacts serving(String model) {
        return LaunchFacts.NONE
                .with(LaunchTarget.LaunchKind.SERVING)
                .with(LaunchFact.ENGINE, "vllm")
                .with(LaunchFact.ENGINE_NAME, "vLLM")
                .with(LaunchFact.RELEASE, "0.27.1")
                .with(LaunchFact.MODEL, model)
                .with(LaunchFact.FORMAT, "bf16")
                .with(LaunchFact.CHECKPOINT, "whole")
                .with(LaunchFact.FAMILY, "nvidia-hbm")
                .with(LaunchFact.HOSTS, 1)
                .with(LaunchFact.DEVICES_PER_HOST, 4)
                .with(LaunchFact.TENSOR, 2)
                .with(LaunchFact.STAGES, 1)
                .with(LaunchFact.EXPERT, 1)
                .with(LaunchFact.ATTENTION_REPLICAS, 1)
                .with(LaunchFact.EXPERTS, 0)
                .with(LaunchFact.REPLICAS, 2);
    }

    private static LaunchFacts engine(LaunchFacts facts, LaunchTarget target) {
        String engine = target == LaunchTarget.SGLANG
                ? "vllm"
                : target.findEngine().map(ServingEngine::label).orElse(target.label());
        return facts.with(LaunchFact.ENGINE, engine);
    }

    /// 70 billion parameters on two hosts; where a program shares by replicas alone, on one.
    private static LaunchFacts training(LaunchTarget target) {
        boolean megatron = target == LaunchTarget.MEGATRON_LM;
        return LaunchFacts.NONE
                .with(LaunchTarget.LaunchKind.TRAINING)
                .with(LaunchFact.ENGINE, target.label())
                .with(LaunchFact.MODEL, "meta-llama/Llama-3.1-70B")
                .with(LaunchFact.FAMILY, "nvidia-hbm")
                .with(LaunchFact.DEVICE, "H100 SXM5 80GB")
                .with(LaunchFact.HOSTS, 2)
                .with(LaunchFact.DEVICES_PER_HOST, 8)
                .with(LaunchFact.METHOD, "full")
                .with(LaunchFact.PRECISION, "bf16")
                .with(LaunchFact.TENSOR, megatron ? 4 : 1)
                .with(LaunchFact.STAGES, megatron ? 2 : 1)
                .with(LaunchFact.VIRTUAL_STAGES, megatron ? 4 : 1)
                .with(LaunchFact.LAYERS_PER_VIRTUAL_STAGE, 10)
                .with(LaunchFact.REPLICAS, megatron ? 2 : 16)
                .with(LaunchFact.ZERO_STAGE, megatron ? 1 : 3)
                .with(LaunchFact.RECOMPUTE, megatron ? "selective" : "full")
                .with(LaunchFact.MICRO_BATCH, 1)
                .with(LaunchFact.ACCUMULATION, 8)
                .with(LaunchFact.GLOBAL_BATCH, megatron ? 16 : 128)
                .with(LaunchFact.SEQUENCE, 8192)
                .withArchitecture(ModelCatalogue.builtIn()
                        .find("llama-3.1-70b")
                        .orElseThrow()
                        .architecture());
    }

    private static List<Artifact> artifacts(LaunchTarget target, LaunchFacts facts) {
        return switch (Launcher.emit(target, facts)) {
            case LaunchAnswer.Emitted(List<Artifact> artifacts) -> artifacts;
            case LaunchAnswer.Refused refused -> throw new AssertionError(refused);
        };
    }

    private static String text(LaunchTarget target, LaunchFacts facts) {
        return artifacts(target, facts).stream()
                .map(artifact -> "---- " + artifact.name() + "\n" + artifact.text())
                .collect(Collectors.joining());
    }

    private void program(String name) throws IOException {
        Files.setPosixFilePermissions(
                Files.writeString(folder.resolve(name), ECHO), PosixFilePermissions.fromString("rwx------"));
    }

    private Path write(Artifact artifact) throws IOException {
        return Files.writeString(folder.resolve(artifact.name()), artifact.text());
    }

    private String run(Path script) throws IOException, InterruptedException {
        return run(script, Map.of());
    }

    private String run(Path script, Map<String, String> variables) throws IOException, InterruptedException {
        Program.Result result = Program.run(List.of("sh", script.toString()), path(variables));
        assertThat(result.code()).as(result.output()).isZero();
        return result.output();
    }

    /// Returns the programs of this test before those of the machine.
    private Map<String, String> path(Map<String, String> variables) {
        Map<String, String> all = new HashMap<>(variables);
        all.put("PATH", folder + ":" + System.getenv().getOrDefault("PATH", ""));
        return all;
    }
}
