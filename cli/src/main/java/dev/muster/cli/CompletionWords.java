// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import dev.muster.cli.fleet.FleetCommand;
import dev.muster.cli.mesh.MeshCommand;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.OptionSpec;
import dev.muster.cli.option.RequirementGrammar;
import dev.muster.core.QuantizationLevel;
import dev.muster.detect.Backend;
import dev.muster.mesh.session.Backends;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.model.memory.WeightFormat;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingGoal;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// Words that a shell can offer for an option or operand.
final class CompletionWords {
    /// Variables of the scripts for lists that stand in many places.
    static final String MODELS = "$_muster_models";

    private static final String DEVICES = "$_muster_devices";

    private CompletionWords() {}

    static List<String> models() {
        return ModelCatalogue.builtIn().ids();
    }

    static List<String> devices() {
        return DeviceCatalogue.builtIn().ids();
    }

    /// Returns the possible values of an option, or the variable that has them; none if it is free or a file.
    static List<String> of(OptionSpec option) {
        if (!option.choices().isEmpty()) {
            return option.choices();
        }
        return switch (option.name()) {
            case "add", "replace", "synthetic" -> List.of(DEVICES);
            case "goal" -> ServingGoal.labels();
            case "engine" -> ServingEngine.labels();
            case "quant" -> "LEVEL".equals(option.value()) ? levels() : WeightFormat.labels();
            case "requirement" -> RequirementGrammar.words();
            case "only", "without" ->
                Stream.of(Backend.values()).map(Backend::text).toList();
            case "backend" -> Backends.names();
            default -> List.of();
        };
    }

    private static List<String> levels() {
        return Stream.of(QuantizationLevel.values())
                .map(level -> level.text().toLowerCase(Locale.ROOT))
                .toList();
    }

    /// Returns the possible operands of a command; none if they are files or it has none.
    static List<String> ofOperands(CommandSpec command, List<CommandSpec> commands) {
        if (command.name().equals("help")) {
            return commands.stream().map(CommandSpec::name).toList();
        }
        if (command.name().equals(MeshCommand.NAME)) {
            return new MeshCommand().words();
        }
        if (command.name().equals(FleetCommand.NAME)) {
            return new FleetCommand().words();
        }
        boolean model = command.operands().contains("MODEL") || command.name().equals("models");
        return model ? List.of(MODELS) : command.operandChoices();
    }
}
