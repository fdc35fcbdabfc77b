package dev.muster.cli;

import dev.muster.core.QuantizationLevel;
import java.util.Optional;

/// `--quant`: how many bits a weight has.
final class LevelOption {
    static final OptionSpec QUANT =
            OptionSpec.value("quant", "LEVEL", "bits of a weight: fp32, fp16, bf16, int8 or int4");

    private LevelOption() {}

    /// @throws UsageException if there is no such level
    static Optional<QuantizationLevel> find(Arguments arguments) {
        return arguments.read(QUANT, QuantizationLevel::parse);
    }
}
