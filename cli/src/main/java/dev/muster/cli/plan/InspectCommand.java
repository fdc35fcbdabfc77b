// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.plan;

import dev.muster.cli.ask.ModelArgument;
import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandException;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.option.CommonOptions;
import dev.muster.cli.option.ExitCode;
import dev.muster.cli.option.OptionSpec;
import dev.muster.cli.option.UsageException;
import dev.muster.cli.session.Catalogues;
import dev.muster.cli.session.Command;
import dev.muster.cli.session.ReportPrinter;
import dev.muster.cli.session.Session;
import dev.muster.model.Tensor;
import dev.muster.model.catalogue.ModelName;
import dev.muster.model.catalogue.ModelUse;
import dev.muster.model.checkpoint.Checkpoint;
import dev.muster.model.checkpoint.CheckpointException;
import dev.muster.model.checkpoint.CheckpointReader;
import dev.muster.report.plan.CheckpointText;
import dev.muster.report.plan.ModelDocument;
import dev.muster.report.plan.ModelsText;
import dev.muster.report.text.Printable;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// `muster inspect`: what a model file or folder is, and what it needs.
public final class InspectCommand implements Command {
    static final OptionSpec TENSORS = OptionSpec.flag("tensors", "list all tensors with type, shape and offset");

    @Override
    public CommandTitle title() {
        return CommandTitle.of("inspect", "describe a model").recordedBy("inspect FILE");
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of(title())
                .taking(1, "FILE|FOLDER|NAME")
                .with(TENSORS, Catalogues.MODELS)
                .exiting("1  no model was found, or it is broken")
                .example("muster inspect model.gguf", "format, size, architecture and KV cache")
                .example("muster inspect ~/models/Llama-3.1-8B --json", "a Hugging Face folder")
                .example("muster inspect qwen3-32b", "a model of the catalogue, or in the stores of other programs")
                .example("muster inspect model.safetensors --tensors", "all tensors")
                .askingNoMachine();
    }

    @Override
    public int run(Arguments arguments, Session session) {
        arguments.refuse(CommonOptions.SOURCE, "inspect reads a file, not a machine");
        if (arguments.operands().isEmpty()) {
            throw new UsageException("inspect needs a model file or folder: muster inspect FILE");
        }
        String given = arguments.operands().getFirst();
        boolean listed = arguments.has(TENSORS);
        Optional<Path> path = ModelArgument.findPath(given);
        Optional<ModelName> known =
                path.isPresent() ? Optional.empty() : ModelName.resolve(given, Catalogues.models(arguments));
        if (known.isPresent()) {
            arguments.refuse(List.of(TENSORS), "the catalogue has no tensors; give a file or folder");
            ReportPrinter.print(
                    arguments, session, new ModelsText(List.of(known.get().entry()), List.of(), ModelUse.CHAT));
            return ExitCode.OK;
        }
        List<Tensor> tensors = new ArrayList<>();
        Checkpoint checkpoint = read(
                path.or(() -> ModelArgument.findStored(given))
                        .map(Path::toString)
                        .orElse(given),
                tensors,
                listed);
        ReportPrinter.print(
                arguments,
                session,
                () -> listed ? ModelDocument.checkpoint(checkpoint, tensors) : ModelDocument.checkpoint(checkpoint),
                terminal -> CheckpointText.of(checkpoint, given, terminal)
                        + (listed ? "\n" + CheckpointText.tensors(tensors, terminal) : ""));
        return ExitCode.OK;
    }

    private static Checkpoint read(String given, List<Tensor> tensors, boolean listed) {
        CheckpointReader reader = CheckpointReader.create();
        try {
            Path path = Path.of(given);
            return listed ? reader.read(path, tensors::add) : reader.read(path);
        } catch (CheckpointException e) {
            throw ModelArgument.cannotRead(e);
        } catch (InvalidPathException _) {
            throw new CommandException("'" + Printable.of(given) + "' is not a valid file name");
        }
    }
}
