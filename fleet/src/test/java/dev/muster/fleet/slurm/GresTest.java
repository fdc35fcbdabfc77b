// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.Partition;
import dev.muster.core.Provenance;
import dev.muster.core.Provenance.Confidence;
import dev.muster.core.Reading;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GresTest {
    private static final Provenance SOURCE = Provenance.of("slurm", Provenance.Method.COMMAND, Confidence.STATED);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "gpu:4 | [Gres[name=gpu, type=, count=4, indices=[]]]",
                "gpu:h100:2(S:0-1) | [Gres[name=gpu, type=h100, count=2, indices=[]]]",
                "gpu:a100:3(IDX:0-1,3) | [Gres[name=gpu, type=a100, count=3, indices=[0, 1, 3]]]",
                "gpu:h100:0(IDX:N/A) | [Gres[name=gpu, type=h100, count=0, indices=[]]]",
                "gpu:a100:2(S:2,7),pfsdir:scratch:1 | [Gres[name=gpu, type=a100, count=2, indices=[]], "
                        + "Gres[name=pfsdir, type=scratch, count=1, indices=[]]]",
                "gpu:tesla:no_consume:2 | [Gres[name=gpu, type=tesla, count=2, indices=[]]]",
                "gpfs:ess:no_consume:2K | [Gres[name=gpfs, type=ess, count=2048, indices=[]]]",
                "gres/gpu:h100=8 | [Gres[name=gpu, type=h100, count=8, indices=[]]]",
                "(null) | []",
                "N/A | []",
                "'' | []",
                "gpu:2(IDX:0-99999) | [Gres[name=gpu, type=, count=2, indices=[]]]",
            })
    void readsLists(String text, String expected) {
        assertThat(Gres.parse(text)).hasToString(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "gpu:h100:1, CUDA_GPU, STATED",
        "gpu:nvidia_gb200:1, CUDA_GPU, STATED",
        "gpu:NVlink_A100_40GB:1, CUDA_GPU, STATED",
        "gpu:mi300x:1, ROCM_GPU, STATED",
        "gpu:amd_instinct:1, ROCM_GPU, STATED",
        "gpu:pvc:1, INTEL_ONE_API, STATED",
        "gpu:gaudi3:1, GAUDI, STATED",
        "gpu:1, CUDA_GPU, ASSUMED",
        "gpu:model_a:1, CUDA_GPU, ASSUMED",
        "npu:1, HUAWEI_ASCEND, STATED",
        "tpu:v5e:1, TPU, STATED",
        "tpu:1, OTHER, STATED",
    })
    void wordsSayTheKind(String text, AcceleratorKind kind, Confidence confidence) {
        AcceleratorProfile device = GresDevices.of(Gres.parse(text), SOURCE).getFirst();
        assertThat(device.accelerator().kind()).isEqualTo(kind);
        assertThat(device.deviceName())
                .isInstanceOfSatisfying(
                        Reading.Known.class,
                        name -> assertThat(name.provenance().confidence()).isEqualTo(confidence));
    }

    @Test
    void slicesArePartitions() {
        List<AcceleratorProfile> slices = GresDevices.of(Gres.parse("gpu:nvidia_a100_1g.5gb:2"), SOURCE);
        assertThat(slices).hasSize(2);
        assertThat(slices)
                .allSatisfy(slice ->
                        assertThat(slice.partition().map(Partition::shape)).contains("1g.5gb"));
        assertThat(slices.get(0).id()).isNotEqualTo(slices.get(1).id());
    }

    @Test
    void whatIsNoDeviceIsLeftOut() {
        assertThat(GresDevices.of(Gres.parse("shard:8,mps:100,craynetwork:4,gpfs:1"), SOURCE))
                .isEmpty();
    }
}
