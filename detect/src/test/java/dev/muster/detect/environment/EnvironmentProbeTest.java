// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.environment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.RuntimeEnvironment;
import dev.muster.core.RuntimeEnvironment.CloudInstance;
import dev.muster.core.RuntimeEnvironment.GpuGrant;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.Contexts;
import dev.muster.detect.Fixtures;
import dev.muster.detect.host.HostSketch;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EnvironmentProbeTest {
    private static RuntimeEnvironment probe(HostSketch host) {
        return new EnvironmentProbe().probe(Contexts.of(host)).find().orElseThrow();
    }

    private static HostSketch dmi(HostSketch host, String name, String value) {
        return host.file("/sys/class/dmi/id/" + name, value + "\n");
    }

    @Test
    void aPlainMachineIsNowhereInParticular() {
        RuntimeEnvironment plain = probe(new HostSketch()
                .file("/proc/1/cgroup", "0::/init.scope\n")
                .file("/proc/self/cgroup", "0::/user.slice\n"));

        assertThat(plain.docker()).isFalse();
        assertThat(plain.kubernetes()).isFalse();
        assertThat(plain.container().find()).contains("none");
        assertThat(plain.cloudInstance().isKnown()).isFalse();
        assertThat(plain.kubernetesGpu().isKnown()).isFalse();
        assertThat(plain.memoryLimit().isKnown()).isFalse();
        assertThat(plain.cpuLimit().isKnown()).isFalse();
        assertThat(plain.slurmJob().isKnown()).isFalse();
        assertThat(plain.deviceVariables()).isEmpty();
    }

    @Test
    void aHostThatTellsNothingIsNotSaidToBeOutsideOfAContainer() {
        assertThat(probe(new HostSketch()).container().isKnown()).isFalse();
    }

    @Test
    void aDellServerIsNoCloud() throws IOException {
        HostSketch host = new HostSketch().tar(Fixtures.sharedTar("environment/procfs-host.tar.gz"), "", "");
        host.tar(Fixtures.sharedTar("environment/procfs-host.tar.gz"), "proc/26231", "/proc/self");

        RuntimeEnvironment server = probe(host);

        assertThat(server.cloudInstance().isKnown()).isFalse();
        assertThat(server.container().find())
                .as("it keeps containers, it is in none")
                .contains("none");
    }

    @Test
    void readsAnAmazonMachine() {
        HostSketch host = new HostSketch().variable("AWS_REGION", "eu-central-1");
        dmi(host, "sys_vendor", "Amazon EC2");
        dmi(host, "product_name", "p5.48xlarge");
        dmi(host, "board_asset_tag", "i-0633517e496256bf8");

        CloudInstance cloud = probe(host).cloudInstance().find().orElseThrow();

        assertThat(cloud.provider()).isEqualTo("aws");
        assertThat(cloud.instanceType().find()).contains("p5.48xlarge");
        assertThat(cloud.instanceId().find()).contains("i-0633517e496256bf8");
        assertThat(cloud.region().find()).contains("eu-central-1");
        assertThat(cloud.zone().isKnown()).isFalse();
    }

    @Test
    void anOldAmazonMachineNamesNoType() {
        HostSketch host = new HostSketch();
        dmi(host, "sys_vendor", "Xen");
        dmi(host, "product_name", "HVM domU");
        dmi(host, "bios_version", "4.2.amazon");

        CloudInstance cloud = probe(host).cloudInstance().find().orElseThrow();

        assertThat(cloud.provider()).isEqualTo("aws");
        assertThat(cloud.instanceType().isKnown()).isFalse();
        assertThat(cloud.region().isKnown()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "12:memory:/docker/4f1a | docker | true",
                "0::/system.slice/docker-4f1a.scope | docker | true",
                "0::/kubepods.slice/cri-containerd-77.scope | containerd | true",
                "0::/kubepods.slice/crio-77.scope | cri-o | false",
                "0::/machine.slice/libpod-77.scope/container | podman | false",
                "4:memory:/lxc/web | lxc | false",
                "0::/ | none | false"
            })
    void defect46_tellsContainersApartByTheirGroup(String cgroup, String container, boolean docker) {
        RuntimeEnvironment environment = probe(new HostSketch().file("/proc/1/cgroup", cgroup + "\n"));

        assertThat(environment.container().find()).contains(container);
        assertThat(environment.docker()).isEqualTo(docker);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "600 590 254:1 /var/lib/docker/containers/4f/hostname /etc/hostname rw - ext4 /dev/vda1 rw | docker",
                "590 480 0:50 / / rw - overlay overlay rw,lowerdir=/var/lib/docker/overlay2/l/A | docker",
                "590 480 0:50 / / rw - overlay overlay rw,lowerdir=/var/lib/containerd/io.containerd/1/fs | containerd",
                "9 8 0:5 /containers/overlay-containers/77/userdata/hosts /etc/hosts rw - tmpfs tmpfs rw | podman",
                "590 480 8:1 / / rw - ext4 /dev/sda1 rw | none",
                "700 600 0:50 / /var/lib/docker/overlay2/a/merged rw - overlay overlay rw,lowerdir=x | none"
            })
    void defect46_tellsContainersApartByTheirMounts(String mount, String container) {
        RuntimeEnvironment environment =
                probe(new HostSketch().file("/proc/1/cgroup", "0::/\n").file("/proc/self/mountinfo", mount + "\n"));

        assertThat(environment.container().find()).contains(container);
    }

    @Test
    void filesOfContainersSpeakFirst() {
        assertThat(probe(new HostSketch().file("/.dockerenv", "")).container().find())
                .contains("docker");
        RuntimeEnvironment podman = probe(new HostSketch().file("/run/.containerenv", "engine=\"podman-5.2.2\"\n"));
        assertThat(podman.container().find()).contains("podman");
        assertThat(podman.docker()).isFalse();
        assertThat(probe(new HostSketch().file("/run/systemd/container", "lxc\n"))
                        .container()
                        .find())
                .contains("lxc");
        assertThat(probe(new HostSketch().variable("container", "podman"))
                        .container()
                        .find())
                .contains("podman");
    }

    @Test
    void knowsAPodAndItsNamespace() {
        RuntimeEnvironment pod =
                probe(new HostSketch().file("/var/run/secrets/kubernetes.io/serviceaccount/namespace", "ml-team\n"));

        assertThat(pod.kubernetes()).isTrue();
        assertThat(pod.kubernetesNamespace().find()).contains("ml-team");
        assertThat(probe(new HostSketch().variable("KUBERNETES_SERVICE_HOST", "10.0.0.1"))
                        .kubernetes())
                .as("a pod without a token")
                .isTrue();
    }

    @Test
    void theLeastLimitOfAllGroupsAboveCounts() {
        RuntimeEnvironment limited = probe(new HostSketch()
                .file("/proc/self/cgroup", "0::/slurm/job_7/step_0\n")
                .file("/sys/fs/cgroup/slurm/job_7/memory.max", "68719476736\n")
                .file("/sys/fs/cgroup/slurm/job_7/step_0/memory.max", "max\n")
                .file("/sys/fs/cgroup/slurm/job_7/cpu.max", "1600000 100000\n")
                .file("/sys/fs/cgroup/slurm/job_7/step_0/cpu.max", "150000 100000\n"));

        assertThat(limited.memoryLimit().find()).contains(Bytes.ofGib(64));
        assertThat(limited.cpuLimit().find()).contains(1.5);
    }

    @Test
    void theLeastOfAllGroupsAboveIsLeftAndFilesCountAsLeft() {
        HostSketch host = new HostSketch()
                .file("/proc/self/cgroup", "0::/pod/app\n")
                .file("/sys/fs/cgroup/pod/memory.max", "8589934592\n")
                .file("/sys/fs/cgroup/pod/memory.current", "7516192768\n")
                .file("/sys/fs/cgroup/pod/memory.stat", "anon 1\ninactive_file 1073741824\n")
                .file("/sys/fs/cgroup/pod/app/memory.max", "6442450944\n")
                .file("/sys/fs/cgroup/pod/app/memory.current", "1073741824\n");

        assertThat(EnvironmentProbe.memoryLeft(Contexts.of(host)).find()).contains(Bytes.ofGib(2));
    }

    @Test
    void theOldInterfaceLeavesTheLimitLessTheUsage() {
        HostSketch host = new HostSketch()
                .file("/proc/self/cgroup", "4:memory:/docker/a\n")
                .file("/sys/fs/cgroup/memory/memory.limit_in_bytes", "4294967296\n")
                .file("/sys/fs/cgroup/memory/memory.usage_in_bytes", "3221225472\n")
                .file("/sys/fs/cgroup/memory/memory.stat", "cache 5\ntotal_inactive_file 1073741824\n");

        assertThat(EnvironmentProbe.memoryLeft(Contexts.of(host)).find()).contains(Bytes.ofGib(2));
    }

    @Test
    void aContainerSeesItsGroupAsTheRoot() {
        RuntimeEnvironment limited = probe(new HostSketch()
                .file("/proc/self/cgroup", "0::/\n")
                .file("/sys/fs/cgroup/memory.max", "1073741824\n")
                .file("/sys/fs/cgroup/cpu.max", "max 100000\n"));

        assertThat(limited.memoryLimit().find()).contains(Bytes.ofGib(1));
        assertThat(limited.cpuLimit().isKnown()).isFalse();
    }

    @Test
    void readsTheOldInterface() {
        RuntimeEnvironment limited = probe(new HostSketch()
                .file("/proc/self/cgroup", "4:memory:/docker/77\n3:cpu,cpuacct:/docker/77\n0::/\n")
                .file("/sys/fs/cgroup/memory/memory.limit_in_bytes", "2147483648\n")
                .file("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "400000\n")
                .file("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n"));

        assertThat(limited.memoryLimit().find()).contains(Bytes.ofGib(2));
        assertThat(limited.cpuLimit().find()).contains(4.0);

        RuntimeEnvironment free = probe(new HostSketch()
                .file("/proc/self/cgroup", "4:memory:/\n3:cpu,cpuacct:/\n")
                .file("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n")
                .file("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n")
                .file("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n"));
        assertThat(free.memoryLimit().isKnown()).isFalse();
        assertThat(free.cpuLimit().isKnown()).isFalse();
    }

    @Test
    void aLimitThatIsJunkIsNone() {
        RuntimeEnvironment junk = probe(
                new HostSketch().file("/sys/fs/cgroup/memory.max", "lots\n").file("/sys/fs/cgroup/cpu.max", "1 0\n"));

        assertThat(junk.memoryLimit().isKnown()).isFalse();
        assertThat(junk.cpuLimit().isKnown()).isFalse();
    }

    @Test
    void knowsASlurmJobAndItsDevices() {
        RuntimeEnvironment job = probe(new HostSketch()
                .variable("SLURM_JOB_ID", "4711")
                .variable("SLURM_JOB_GPUS", "0,1,2,3")
                .variable("SLURM_STEP_GPUS", "2,3"));

        assertThat(job.slurmJob().find()).contains("4711");
        assertThat(job.slurmGpus().find()).contains("2,3");
    }

    @Test
    void reportsTheVariablesAsTheyStand() {
        RuntimeEnvironment environment = probe(new HostSketch()
                .variable("ZE_AFFINITY_MASK", "0.1")
                .variable("CUDA_VISIBLE_DEVICES", "")
                .variable("PATH", "/bin"));

        assertThat(environment.deviceVariables())
                .containsExactly(Map.entry("CUDA_VISIBLE_DEVICES", ""), Map.entry("ZE_AFFINITY_MASK", "0.1"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "NVIDIA_VISIBLE_DEVICES | 0, 1 | 0,1 | 2",
                "NVIDIA_VISIBLE_DEVICES | all | all | 0",
                "NVIDIA_VISIBLE_DEVICES | GPU-8932f937 | GPU-8932f937 | 1",
                "CUDA_VISIBLE_DEVICES | 2,,3 | 2,3 | 2",
                "CUDA_VISIBLE_DEVICES | -1 | '' | 0",
                "CUDA_VISIBLE_DEVICES | 0,-1,1 | 0 | 1",
                "GPU_DEVICE_ORDINAL | 0 | 0 | 1"
            })
    void defect46_grantsWhatTheVariableLists(String name, String value, String ids, int count) {
        GpuGrant grant = probe(new HostSketch().variable(name, value))
                .kubernetesGpu()
                .find()
                .orElseThrow();

        assertThat(String.join(",", grant.deviceIds())).isEqualTo(ids);
        assertThat(grant.gpuCount()).isEqualTo(count);
        assertThat(grant.source()).isEqualTo(name);
    }

    @Test
    void theFirstVariableThatGrantsWins() {
        HostSketch host =
                new HostSketch().variable("NVIDIA_VISIBLE_DEVICES", "void").variable("CUDA_VISIBLE_DEVICES", "5");

        assertThat(probe(host).kubernetesGpu().find()).contains(new GpuGrant(List.of("5"), 1, "CUDA_VISIBLE_DEVICES"));
        assertThat(probe(new HostSketch().variable("NVIDIA_VISIBLE_DEVICES", "none"))
                        .kubernetesGpu()
                        .isKnown())
                .isFalse();
    }
}
