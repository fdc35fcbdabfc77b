package dev.muster.cli;

import java.util.Optional;
import java.util.function.Supplier;

/// `--svg FILE` of `muster plan` and `muster train`: a picture beside the answer, or in its place.
final class PlanPictureOption {
    static final OptionSpec SVG =
            OptionSpec.value("svg", "FILE", "write a picture of the plan; - prints it in place of the answer");

    private PlanPictureOption() {}

    /// Prints the answer, draws the picture where one is asked for, and prints that alone where it goes
    /// to standard output.
    ///
    /// @param text the answer in the format that is asked for
    /// @throws UsageException if a document and a picture should both go to standard output
    /// @throws CommandException if the picture cannot be written
    static void print(
            Arguments arguments,
            Session session,
            OutputFormat format,
            Supplier<String> text,
            Supplier<String> picture) {
        Optional<String> file = arguments.find(SVG);
        boolean isInstead = file.filter(PictureFile::isStandardOutput).isPresent();
        if (isInstead && (format == OutputFormat.JSON || format == OutputFormat.YAML)) {
            throw new UsageException("--svg - is a picture on stdout; leave out --output, or name a file");
        }
        if (!isInstead) {
            session.print(text.get());
        }
        file.ifPresent(name -> PictureFile.write(name, picture.get(), session));
    }
}
