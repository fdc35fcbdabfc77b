// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.plan;

import dev.muster.model.ModelFormat;
import dev.muster.model.ModelSize;
import dev.muster.model.Tensor;
import dev.muster.model.checkpoint.Checkpoint;
import dev.muster.report.terminal.Terminal;
import dev.muster.report.text.Count;
import dev.muster.report.text.Quantity;
import dev.muster.report.text.Table;
import java.util.ArrayList;
import java.util.List;

/// The facts of model files, on one screen.
public final class CheckpointText {
    private static final int SHOWN_FILES = 3;

    private CheckpointText() {}

    /// Returns the facts below each other.
    public static String of(Checkpoint checkpoint, String given, Terminal terminal) {
        FactLines lines = new FactLines(terminal).title(checkpoint.name().find().orElse(given));
        lines.add("format", checkpoint.format(), format -> format(checkpoint, format));
        lines.add("parameters", checkpoint.parameters(), CheckpointText::parameters);
        lines.add("tensors", checkpoint.tensors(), count -> count + types(checkpoint.types()));
        lines.add("weights", checkpoint.weightBytes(), Quantity::of);
        ArchitectureText.addTo(lines, checkpoint.architecture());
        if (!checkpoint.files().isEmpty()) {
            lines.add("files", files(checkpoint));
        }
        return lines.toString();
    }

    private static String format(Checkpoint checkpoint, ModelFormat format) {
        return format.display()
                + checkpoint
                        .formatVersion()
                        .find()
                        .map(version -> " version " + version)
                        .orElse("")
                + ", "
                + Count.of(checkpoint.files().size(), "file")
                + " of "
                + Quantity.of(checkpoint.fileBytes());
    }

    static String parameters(long count) {
        String plain = Long.toString(count);
        String shown = count < 1 ? plain : new ModelSize(count).display();
        return shown.equals(plain) ? plain : shown + " (" + plain + ")";
    }

    private static String types(List<Checkpoint.TypeShare> types) {
        List<String> parts = new ArrayList<>();
        for (Checkpoint.TypeShare share : types) {
            parts.add(share.type().name() + " " + share.tensors() + " with " + Quantity.of(share.bytes()));
        }
        return parts.isEmpty() ? "" : ": " + String.join(", ", parts);
    }

    private static String files(Checkpoint checkpoint) {
        List<String> names = checkpoint.files().stream()
                .limit(SHOWN_FILES)
                .map(file -> file.name())
                .toList();
        int more = checkpoint.files().size() - names.size();
        return String.join(", ", names) + (more > 0 ? " and " + more + " more" : "");
    }

    public static String tensors(List<Tensor> tensors, Terminal terminal) {
        return new Table<Tensor>(terminal)
                .flexible("TENSOR", 0, Tensor::name)
                .left("TYPE", 1, tensor -> tensor.type().name())
                .left("SHAPE", 2, tensor -> tensor.shape().toString().replace(" ", ""))
                .right("BYTES", 3, Tensor::bytes)
                .right("OFFSET", 5, Tensor::offset)
                .flexible("FILE", 4, Tensor::file)
                .render(tensors);
    }
}
