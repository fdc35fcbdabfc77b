// SPDX-License-Identifier: Apache-2.0
package dev.muster.checks.guides;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtProvider;
import ai.onnxruntime.OrtSession;
import dev.muster.core.AcceleratorRegistry;
import java.nio.file.Path;
import java.util.OptionalInt;

/// An example of `docs/guides/jvm-frameworks.md`, compiled by `DocumentationTest` against ONNX Runtime's sources.
final class OnnxSessions {
    private OnnxSessions() {}

    // begin onnx
    static OrtSession open(Path model, AcceleratorRegistry registry) throws OrtException {
        OrtEnvironment environment = OrtEnvironment.getEnvironment();
        try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
            OptionalInt gpu = GpuChoice.findRoomiest(registry, System.getenv());
            if (gpu.isPresent() && OrtEnvironment.getAvailableProviders().contains(OrtProvider.CUDA)) {
                options.addCUDA(gpu.getAsInt());
            }
            options.setIntraOpNumThreads(CpuChoice.threads(registry)); // for what runs on the CPU
            return environment.createSession(model.toString(), options);
        }
    }
    // end onnx
}
