// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.detect.host.Host;
import dev.muster.detect.host.HostAnswer;
import dev.muster.detect.host.HostBuilder;
import dev.muster.detect.host.HostLibraries;
import dev.muster.detect.measure.MeasurementException;
import dev.muster.testing.Need;
import dev.muster.testing.Needs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CudaLibrariesTest {
    private static Host host(HostBuilder builder, HostLibraries libraries) {
        Host bare = builder.build();
        return new Host(
                bare.system(),
                bare.architecture(),
                bare.files(),
                bare.commands(),
                libraries,
                bare.variables(),
                bare.clock());
    }

    @Test
    void cublasIsLookedForWhereTheCallerSaysThenInTheNewestToolkit() {
        List<String> asked = new ArrayList<>();
        HostLibraries libraries = (names, folders) -> {
            asked.addAll(names);
            asked.addAll(folders);
            return new HostAnswer.Missing<>();
        };
        HostBuilder builder = new HostBuilder()
                .folder("/usr/local/cuda-12.4/targets")
                .folder("/usr/local/cuda-13.0/targets")
                .folder("/usr/local/share");

        assertThatThrownBy(new CudaLibraries(host(builder, libraries), List.of("/venv/site-packages"))::cublas)
                .isInstanceOf(MeasurementException.class);
        assertThat(asked)
                .containsExactly(
                        "libcublas.so.13",
                        "libcublas.so.12",
                        "libcublas.so.11",
                        "/venv/site-packages",
                        "/venv/site-packages/nvidia/cublas/lib",
                        "/venv/site-packages/nvidia/cu13/lib",
                        "/usr/local/cuda/lib64",
                        "/usr/local/cuda-13.0/targets/x86_64-linux/lib",
                        "/usr/local/cuda-12.4/targets/x86_64-linux/lib");
    }

    @Test
    void whatCublasNeedsIsTakenFromBesideIt() {
        HostBuilder builder = new HostBuilder().file("/opt/lib/libcublasLt.so.12", "");
        HostLibraries libraries = (names, folders) -> new HostAnswer.Found<>(Path.of("/opt/lib", names.getFirst()));
        CudaLibraries.CublasFiles files = new CudaLibraries(
                        host(
                                builder,
                                (names, folders) -> names.contains("libcublas.so.12")
                                        ? new HostAnswer.Found<>(Path.of("/opt/lib/libcublas.so.12"))
                                        : libraries.find(names, folders)),
                        List.of())
                .cublas();

        assertThat(files.needed()).containsExactly(Path.of("/opt/lib/libcublasLt.so.12"));
    }

    @Test
    @Needs(Need.POSIX)
    void aLibraryThatOthersMayChangeIsNotLoaded(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("libcublas.so.12"), "");
        assertThat(file.toFile().setWritable(true, false)).isTrue();

        assertThatThrownBy(new CudaLibraries(
                        host(new HostBuilder(), HostLibraries.ofThisMachine()), List.of(folder.toString()))::cublas)
                .hasMessage(file + " is writable by others than its owner, so it is not loaded");
    }

    @Test
    void aMissingDriverIsSaidWithWhatToDo() {
        assertThatThrownBy(new CudaLibraries(host(new HostBuilder(), HostLibraries.NONE), List.of())::driver)
                .hasMessage("libcuda.so.1 is not installed; install NVIDIA's driver, or start the container with access"
                        + " to the GPU");
    }
}
