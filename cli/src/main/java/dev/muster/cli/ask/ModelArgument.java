// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.ask;

import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandException;
import dev.muster.cli.option.UsageException;
import dev.muster.cli.session.Catalogues;
import dev.muster.model.ModelSize;
import dev.muster.model.ModelSummary;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.model.catalogue.ModelEntry;
import dev.muster.model.catalogue.ModelName;
import dev.muster.model.checkpoint.CheckpointException;
import dev.muster.model.checkpoint.CheckpointReader;
import dev.muster.model.checkpoint.ModelStores;
import dev.muster.report.text.Printable;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The MODEL of a command: a size, a name of the catalogue, a file or a folder, or a name in the stores of other
/// programs. A text with a slash that exists is a path; otherwise sizes come first, then names, then files beside, then
/// stores, then the model that a fine-tune is named after.
public final class ModelArgument {
    public static final String OPERAND = "MODEL";

    /// The largest number of models that an error names.
    private static final int NAMED = 6;

    private ModelArgument() {}

    /// Returns the model of the only operand of a command.
    ///
    /// @throws UsageException if there is none, or it is not a model
    /// @throws CommandException if it is a file that cannot be read
    public static ModelSummary resolve(Arguments arguments, String command) {
        List<String> operands = arguments.operands();
        if (operands.isEmpty()) {
            throw new UsageException(
                    command + " needs a model: a size such as 70B, a name such as llama-3.1-8b, a file or a folder");
        }
        return resolve(operands.getFirst(), Catalogues.models(arguments));
    }

    /// Returns the model of a text.
    ///
    /// @throws UsageException if the text is not a model
    /// @throws CommandException if it is a file that cannot be read
    public static ModelSummary resolve(String text, ModelCatalogue catalogue) {
        Optional<Path> path = findPath(text);
        if (path.isPresent() && hasSeparator(text)) {
            return read(path.get(), text);
        }
        if (ModelSize.isMeant(text)) {
            return ModelSummary.ofSize(text, size(text));
        }
        Optional<ModelName> name = ModelName.resolve(text, catalogue);
        if (name.isPresent()) {
            return name.get().toSummary();
        }
        if (path.isPresent()) {
            return read(path.get(), text);
        }
        Optional<Path> stored = findStored(text);
        if (stored.isPresent()) {
            return read(stored.get(), text);
        }
        List<ModelEntry> meant = catalogue.listMeant(text);
        if (meant.size() > 1) {
            throw new UsageException("'" + Printable.of(text) + "' may mean " + meant.size() + " models: "
                    + String.join(
                            ", ",
                            meant.stream().limit(NAMED).map(ModelEntry::id).toList())
                    + (meant.size() > NAMED ? ", ...; give more of the name" : "; give one of them"));
        }
        Optional<ModelSummary> tuned = ModelName.resolveFineTune(text, catalogue);
        if (tuned.isPresent()) {
            return tuned.get();
        }
        throw new UsageException("'" + Printable.of(text)
                + "' is not a known model: neither a size such as 70B, nor a name listed by 'muster "
                + "models', nor a file or folder" + hint(text, catalogue));
    }

    /// Returns a suggestion for an unknown name of a model.
    public static String hint(String text, ModelCatalogue catalogue) {
        List<String> alike = catalogue.listAlike(text);
        return alike.isEmpty() ? "" : "; did you mean " + String.join(" or ", alike) + "?";
    }

    private static ModelSize size(String text) {
        try {
            return ModelSize.parse(text);
        } catch (IllegalArgumentException e) {
            throw new UsageException(Printable.of(e));
        }
    }

    private static boolean hasSeparator(String text) {
        return text.indexOf('/') >= 0 || text.indexOf('\\') >= 0;
    }

    /// Returns the path of a text; empty if nothing is there.
    public static Optional<Path> findPath(String text) {
        try {
            return Optional.of(Path.of(text)).filter(Files::exists);
        } catch (InvalidPathException _) {
            return Optional.empty();
        }
    }

    /// Returns the model of a name that another program has stored on this machine.
    ///
    /// @throws CommandException if a store is broken
    public static Optional<Path> findStored(String text) {
        try {
            return ModelStores.of(System.getenv(), Path.of(System.getProperty("user.home", ".")))
                    .find(text);
        } catch (CheckpointException e) {
            throw cannotRead(e);
        }
    }

    private static ModelSummary read(Path path, String text) {
        try {
            return CheckpointReader.create().read(path).toSummary(text);
        } catch (CheckpointException e) {
            throw cannotRead(e);
        }
    }

    public static CommandException cannotRead(CheckpointException e) {
        return new CommandException("cannot read the model", e);
    }
}
