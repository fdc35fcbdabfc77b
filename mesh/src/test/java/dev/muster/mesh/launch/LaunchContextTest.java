// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.muster.core.text.HostList;
import dev.muster.mesh.launch.LaunchContext.LaunchSource;
import dev.muster.mesh.start.LaunchEnvironment;
import dev.muster.mesh.store.Secret;
import dev.muster.mesh.store.Store;
import dev.muster.mesh.store.TcpStoreConfig;
import dev.muster.mesh.store.TcpStoreServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The place of a process by the variables that launchers set.
class LaunchContextTest {
    @Test
    void withoutALauncherAProcessIsAlone() {
        LaunchContext alone = LaunchContext.from(Map.of("HOME", "/root"));

        assertThat(alone.source()).isEqualTo(LaunchSource.NONE);
        assertThat(alone).hasToString("rank 0 of 1 (no launcher has set variables)");
        assertThat(alone.findLocalRank()).isEmpty();
        assertThat(alone.hasStore()).isFalse();
        assertThat(alone.limit()).isEqualTo(Duration.ofSeconds(60));
    }

    @Test
    void understandsTorchrun() {
        LaunchContext context = LaunchContext.from(Map.of(
                "RANK",
                "5",
                "WORLD_SIZE",
                "8",
                "LOCAL_RANK",
                "1",
                "LOCAL_WORLD_SIZE",
                "4",
                "GROUP_RANK",
                "1",
                "MASTER_ADDR",
                "node1",
                "MASTER_PORT",
                "29500"));

        assertThat(context).hasToString("rank 5 of 8 (RANK and WORLD_SIZE of torchrun are set)");
        assertThat(context.findLocalRank()).hasValue(1);
        assertThat(context.findLocalWorldSize()).hasValue(4);
        assertThat(context.findGroupRank()).hasValue(1);
        assertThat(context.findMasterHost()).hasValue("node1");
        assertThat(context.findMasterPort()).hasValue(29_500);
    }

    @Test
    void understandsMpi() {
        LaunchContext open = LaunchContext.from(Map.of(
                "OMPI_COMM_WORLD_RANK",
                "3",
                "OMPI_COMM_WORLD_SIZE",
                "4",
                "OMPI_COMM_WORLD_LOCAL_RANK",
                "1",
                "OMPI_COMM_WORLD_LOCAL_SIZE",
                "2"));
        assertThat(open.source()).isEqualTo(LaunchSource.OPEN_MPI);
        assertThat(open.rank()).isEqualTo(3);
        assertThat(open.findLocalWorldSize()).hasValue(2);
        assertThat(open.findMasterHost()).isEmpty();

        LaunchContext mpich = LaunchContext.from(Map.of("PMI_RANK", "0", "PMI_SIZE", "2", "MPI_LOCALRANKID", "0"));
        assertThat(mpich.source()).isEqualTo(LaunchSource.MPICH);
        assertThat(mpich.findLocalRank()).hasValue(0);
        assertThat(mpich.findLocalWorldSize()).isEmpty();
    }

    @Test
    void understandsSlurm() {
        LaunchContext context = LaunchContext.from(Map.of(
                "SLURM_PROCID",
                "9",
                "SLURM_NTASKS",
                "16",
                "SLURM_LOCALID",
                "1",
                "SLURM_NODEID",
                "1",
                "SLURM_NODELIST",
                "gpu[007-008],login"));

        assertThat(context.source()).isEqualTo(LaunchSource.SLURM);
        assertThat(context.rank()).isEqualTo(9);
        assertThat(context.findGroupRank()).hasValue(1);
        assertThat(context.findMasterHost()).hasValue("gpu007");
    }

    /// The variables are those that Slurm 22.05.8 sets.
    @Test
    void onlyWhatSrunStartsIsATask() {
        Map<String, String> job = Map.of("SLURM_JOB_ID", "2", "SLURM_NTASKS", "4", "SLURM_JOB_NODELIST", "n[1-4]");
        Map<String, String> script = new HashMap<>(job);
        script.putAll(Map.of("SLURM_PROCID", "0", "SLURM_LOCALID", "0", "SLURM_NODEID", "0"));
        Map<String, String> task = new HashMap<>(script);
        task.putAll(Map.of("SLURM_STEP_ID", "0", "SLURM_STEP_NODELIST", "n[2-3]", "SLURM_NTASKS", "2"));
        Map<String, String> scriptWithoutCount = new HashMap<>(script);
        scriptWithoutCount.remove("SLURM_NTASKS");

        for (Map<String, String> itself : List.of(job, script, scriptWithoutCount)) {
            assertThat(LaunchContext.from(itself))
                    .hasToString("rank 0 of 1 (this is a job of Slurm, but not a task that srun started)");
        }
        assertThat(LaunchContext.from(task))
                .hasToString("rank 0 of 2 (SLURM_PROCID and SLURM_NTASKS of Slurm are set)");
        assertThat(LaunchContext.from(task).findMasterHost()).hasValue("n2");
        task.put("SLURM_DISTRIBUTION", "arbitrary");
        assertThat(LaunchContext.from(task).findMasterHost()).isEmpty();
    }

    @Test
    void understandsKubernetes() {
        LaunchContext group = LaunchContext.from(
                Map.of("LWS_LEADER_ADDRESS", "vllm-0.vllm.default", "LWS_GROUP_SIZE", "2", "LWS_WORKER_INDEX", "1"));
        assertThat(group.source()).isEqualTo(LaunchSource.LEADER_WORKER_SET);
        assertThat(group.rank()).isEqualTo(1);
        assertThat(group.findMasterHost()).hasValue("vllm-0.vllm.default");

        LaunchContext job = LaunchContext.from(Map.of("JOB_COMPLETION_INDEX", "2", "WORLD_SIZE", "3"));
        assertThat(job.source()).isEqualTo(LaunchSource.INDEXED_JOB);
        assertThat(job.rank()).isEqualTo(2);
    }

    @Test
    void saysWhomItBelievesAndWhomItPassesOver() {
        LaunchContext torchrunInSlurm =
                LaunchContext.from(Map.of("RANK", "5", "WORLD_SIZE", "8", "SLURM_PROCID", "1", "SLURM_NTASKS", "2"));
        assertThat(torchrunInSlurm.rank()).isEqualTo(5);
        assertThat(torchrunInSlurm.reason())
                .isEqualTo("RANK and WORLD_SIZE of torchrun are set, which are nearer to the process than those of"
                        + " Slurm");

        LaunchContext usualScript = LaunchContext.from(
                Map.of("WORLD_SIZE", "2", "MASTER_ADDR", "n1", "SLURM_PROCID", "1", "SLURM_NTASKS", "2"));
        assertThat(usualScript.source()).isEqualTo(LaunchSource.SLURM);
        assertThat(usualScript.findMasterHost()).hasValue("n1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "RANK=1 | RANK is set and WORLD_SIZE is not, though torchrun sets both; set WORLD_SIZE or unset RANK",
                "WORLD_SIZE=4 | WORLD_SIZE is set and RANK is not, though torchrun sets both;"
                        + " set RANK or unset WORLD_SIZE",
                "SLURM_PROCID=1 | SLURM_PROCID is set and SLURM_NTASKS is not, though Slurm sets both;"
                        + " set SLURM_NTASKS or unset SLURM_PROCID",
                "JOB_COMPLETION_INDEX=1 | JOB_COMPLETION_INDEX says which process this is, but not of how many;"
                        + " set WORLD_SIZE to the completions of the Job",
                "RANK=4 WORLD_SIZE=4 | RANK is 4 and WORLD_SIZE is 4, but the first counts from 0 up to one less"
                        + " than the second",
                "RANK=-1 WORLD_SIZE=4 | RANK must be an integer from 0 to 16777216, not '-1'",
                "RANK=x WORLD_SIZE=4 | RANK must be an integer from 0 to 16777216, not 'x'",
                "RANK=1 WORLD_SIZE=4 LOCAL_RANK=2 | LOCAL_RANK is 2, which is more than the 1 of RANK",
                "RANK=1 WORLD_SIZE=4 LOCAL_RANK=1 LOCAL_WORLD_SIZE=1 | LOCAL_RANK is 1 and LOCAL_WORLD_SIZE is 1,"
                        + " but the first counts from 0 up to one less than the second",
                "RANK=1 WORLD_SIZE=4 LOCAL_WORLD_SIZE=8 | LOCAL_WORLD_SIZE is 8, which is more than the 4 of"
                        + " WORLD_SIZE",
                "RANK=0 WORLD_SIZE=1 MASTER_PORT=70000 | MASTER_PORT is a port from 1 to 65535, not 70000",
                "WORLD_SIZE=4 SLURM_PROCID=1 SLURM_NTASKS=2 | WORLD_SIZE is 4 and SLURM_NTASKS is 2;"
                        + " unset the one that is wrong",
                "MUSTER_STORE=nowhere | MUSTER_STORE is host:port or file:/an/absolute/folder, not 'nowhere'",
                "MUSTER_STORE=file:here | MUSTER_STORE is host:port or file:/an/absolute/folder, not 'file:here'",
                "MUSTER_STORE=::1:80 | MUSTER_STORE is host:port or file:/an/absolute/folder, not '::1:80'",
                "MUSTER_LIMIT=soon | MUSTER_LIMIT is a time such as 60s, 500ms or 2m, not 'soon'",
                "MUSTER_MESH_TLS=perhaps | MUSTER_MESH_TLS is auto, always or never, not 'perhaps'",
                "MUSTER_SECRET=short | MUSTER_SECRET is not a secret: a secret has 16 to 1024 bytes, not 5",
            })
    void contradictionsAreOneSentence(String environment, String sentence) {
        Map<String, String> variables = new HashMap<>();
        for (String assignment : environment.split(" ")) {
            int equals = assignment.indexOf('=');
            variables.put(assignment.substring(0, equals), assignment.substring(equals + 1));
        }
        assertThatExceptionOfType(LaunchException.class)
                .isThrownBy(() -> LaunchContext.from(variables))
                .withMessage(sentence);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "node1 | node1",
                "node1,node2 | node1",
                "gpu[3,5-7] | gpu3",
                "gpu[003-010].cluster,other | gpu003.cluster",
                "rack[1-2]n[0-3] | rack1n0",
                "a-b[01] | a-b01",
                "node[] | ''",
                "node[1 | ''",
                "node[x-y] | ''",
                "'; rm -rf' | ''",
            })
    void findsTheFirstHostOfAListOfSlurm(String list, String first) {
        assertThat(HostList.first(list).orElse("")).isEqualTo(first);
    }

    @Test
    void readsWhatOurOwnLauncherWrites() {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 4711);
        LaunchContext context = LaunchContext.from(
                new LaunchEnvironment(4, 4712, address, Secret.randomText(), Duration.ofMillis(1500), "shm", "never")
                        .of(3));

        assertThat(context.rank()).isEqualTo(3);
        assertThat(context.worldSize()).isEqualTo(4);
        assertThat(context.findLocalRank()).hasValue(3);
        assertThat(context.findMasterPort()).hasValue(4712);
        assertThat(context.findStoreServer())
                .hasValue(InetSocketAddress.createUnresolved(
                        InetAddress.getLoopbackAddress().getHostAddress(), 4711));
        assertThat(context.findSecret()).isPresent();
        assertThat(context.findBackend()).hasValue("shm");
        assertThat(context.tls()).isEqualTo("never");
        assertThat(context.limit()).isEqualTo(Duration.ofMillis(1500));
    }

    @Test
    void opensTheStoreThatItIsTold(@TempDir Path folder) {
        String secret = Secret.randomText();
        try (TcpStoreServer server = TcpStoreServer.start(TcpStoreConfig.of(Secret.of(secret)))) {
            Map<String, String> variables = new HashMap<>(
                    Map.of("MUSTER_STORE", "127.0.0.1:" + server.address().getPort(), "MUSTER_LIMIT", "30s"));
            assertThatExceptionOfType(LaunchException.class)
                    .isThrownBy(() -> LaunchContext.from(variables).openStore())
                    .withMessageContaining("MUSTER_SECRET is not set");
            variables.put("MUSTER_SECRET", secret);
            try (Store store = LaunchContext.from(variables).openStore()) {
                store.set("key", new byte[] {1});
            }
        }
        try (Store store = LaunchContext.from(Map.of("MUSTER_STORE", "file:" + folder.resolve("store")))
                .openStore()) {
            store.set("key", new byte[] {1});
        }
        assertThatExceptionOfType(LaunchException.class)
                .isThrownBy(() -> LaunchContext.from(Map.of()).openStore())
                .withMessageContaining("MUSTER_STORE is not set");
    }
}
