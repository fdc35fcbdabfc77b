// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia.cuda;

import dev.muster.core.UnknownReason;
import dev.muster.detect.host.Host;
import dev.muster.detect.host.HostAnswer;
import dev.muster.detect.measure.MeasurementException;
import dev.muster.detect.nvidia.NvmlSource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Finds CUDA's libraries: in the usual folders, then where CUDA and pip put them.
///
/// @param host the machine
/// @param given further folders: ones that hold the libraries, or the `site-packages` of a Python
record CudaLibraries(Host host, List<String> given) {
    private static final List<String> DRIVER = List.of("libcuda.so.1");
    /// The majors that are known to have the functions called here, the newest first.
    private static final List<Integer> CUBLAS_MAJORS = List.of(13, 12, 11);

    private static final String TOOLKITS = "/usr/local";
    private static final String TOOLKIT = "cuda-";
    /// Below a Python's `site-packages`.
    private static final List<String> WHEELS = List.of("nvidia/cublas/lib", "nvidia/cu13/lib");

    CudaLibraries {
        given = List.copyOf(given);
    }

    /// CUDA's driver library.
    ///
    /// @throws MeasurementException if it is not there or not trusted
    Path driver() {
        return switch (host.libraries().find(DRIVER, NvmlSource.FOLDERS)) {
            case HostAnswer.Found(Path path) -> path;
            case HostAnswer.NotPermitted(String reason) -> throw refused(reason);
            case HostAnswer.Unreadable(String message) -> throw refused(message);
            case HostAnswer.Missing<Path> _ ->
                throw new MeasurementException(
                        UnknownReason.NOT_INSTALLED,
                        "libcuda.so.1 is not installed; install NVIDIA's driver, or start the container with access to"
                                + " the GPU");
        };
    }

    /// The newest cuBLAS, and the library it needs beside it, which has to be loaded first.
    ///
    /// @param needed libcublasLt; where it is not found beside, the loader looks for it
    record CublasFiles(Path file, List<Path> needed) {}

    /// cuBLAS.
    ///
    /// @throws MeasurementException if it is not there or not trusted
    CublasFiles cublas() {
        List<String> names =
                CUBLAS_MAJORS.stream().map(major -> "libcublas.so." + major).toList();
        return switch (host.libraries().find(names, cublasFolders())) {
            case HostAnswer.Found(Path path) -> new CublasFiles(path, besides(path));
            case HostAnswer.NotPermitted(String reason) -> throw refused(reason);
            case HostAnswer.Unreadable(String message) -> throw refused(message);
            case HostAnswer.Missing<Path> _ ->
                throw new MeasurementException(
                        UnknownReason.NOT_INSTALLED,
                        "libcublas.so.13, .12 or .11 was not found; install cuBLAS, or name the folder of its"
                                + " library (PyTorch's site-packages work)");
        };
    }

    private static MeasurementException refused(String reason) {
        return new MeasurementException(UnknownReason.NOT_PERMITTED, reason + ", so it is not loaded");
    }

    private List<Path> besides(Path cublas) {
        Path folder = cublas.getParent();
        String name = cublas.getFileName().toString().replace("libcublas.", "libcublasLt.");
        if (folder == null || !host.files().exists(folder.resolve(name).toString())) {
            return List.of();
        }
        return host.libraries().find(List.of(name), List.of(folder.toString())) instanceof HostAnswer.Found(Path path)
                ? List.of(path)
                : List.of();
    }

    /// Yields the caller's folders first; then the toolkits, the newest first.
    private List<String> cublasFolders() {
        List<String> folders = new ArrayList<>();
        for (String folder : given) {
            folders.add(folder);
            for (String wheel : WHEELS) {
                folders.add(folder + "/" + wheel);
            }
        }
        folders.add("/usr/local/cuda/lib64");
        String target = host.architecture().equals("aarch64") ? "sbsa-linux" : "x86_64-linux";
        List<String> toolkits = new ArrayList<>(host.files().names(TOOLKITS));
        toolkits.removeIf(name -> !name.startsWith(TOOLKIT));
        for (String name : toolkits.reversed()) {
            folders.add(TOOLKITS + "/" + name + "/targets/" + target + "/lib");
        }
        return folders;
    }
}
