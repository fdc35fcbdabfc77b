// SPDX-License-Identifier: Apache-2.0
package dev.muster.bench;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.GaudiGeneration;
import dev.muster.core.TpuVersion;
import dev.muster.core.json.ReferenceDocument;
import dev.muster.core.json.RegistryDocument;
import dev.muster.core.unit.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/// A registry to JSON and back. The registry is the one that ai-hwaccel's own benchmark calls "13 devices": a CPU, 8
/// CUDA GPUs, 4 TPUs and a Gaudi 3.
public class RegistryJsonBenchmark extends CalibratedBenchmark {
    private final AcceleratorRegistry registry = registry();
    private final String tagged = ReferenceDocument.write(registry);
    private final String own = RegistryDocument.write(registry);
    private final JsonFactory jackson = new JsonFactory();

    /// Makes the state; JMH calls it.
    public RegistryJsonBenchmark() {
        super(1000);
    }

    static AcceleratorRegistry registry() {
        List<AcceleratorProfile> profiles = new ArrayList<>();
        profiles.add(AcceleratorProfile.cpu(Bytes.ofGib(512)));
        for (int i = 0; i < 8; i++) {
            profiles.add(AcceleratorProfile.cuda(i, Bytes.ofGib(80)));
        }
        for (int i = 0; i < 4; i++) {
            profiles.add(AcceleratorProfile.tpu(i, 4, TpuVersion.V5P));
        }
        profiles.add(AcceleratorProfile.gaudi(0, GaudiGeneration.GAUDI3));
        return AcceleratorRegistry.of(profiles);
    }

    /// ai-hwaccel's form, written.
    @Benchmark
    public String toJson() {
        return ReferenceDocument.write(registry);
    }

    /// ai-hwaccel's form, read.
    @Benchmark
    public AcceleratorRegistry fromJson() {
        return ReferenceDocument.read(tagged);
    }

    /// Muster's own form, with provenance, written.
    @Benchmark
    public String toOwnJson() {
        return RegistryDocument.write(registry);
    }

    /// Muster's own form, with provenance, read.
    @Benchmark
    public AcceleratorRegistry fromOwnJson() {
        return RegistryDocument.read(own.getBytes(StandardCharsets.UTF_8));
    }

    /// jackson-core going over the same text and building nothing: the least a reader on top of it would cost.
    @Benchmark
    public int jacksonTokens() {
        int tokens = 0;
        try (JsonParser parser = jackson.createParser(ObjectReadContext.empty(), tagged)) {
            while (parser.nextToken() != null) {
                tokens += parser.currentTokenId();
            }
        }
        return tokens;
    }
}
