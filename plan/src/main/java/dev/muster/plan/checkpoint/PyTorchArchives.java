package dev.muster.plan.checkpoint;

import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.plan.ModelArchitecture;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Several PyTorch archives that make up one model.
final class PyTorchArchives {
    private PyTorchArchives() {}

    static Checkpoint join(List<Path> archives, ModelArchitecture architecture, Scan scan) {
        List<CheckpointFile> files = new ArrayList<>();
        Bytes bytes = Bytes.ZERO;
        Checkpoint last = PyTorchReader.read(archives.getFirst(), scan);
        for (Path archive : archives) {
            last = files.isEmpty() ? last : PyTorchReader.read(archive, scan);
            files.addAll(last.files());
            bytes = bytes.plus(last.weightBytes().find().orElse(Bytes.ZERO));
        }
        Bytes sum = bytes;
        Reading<Bytes> weightBytes = last.weightBytes().map(_ -> sum);
        return new Checkpoint(
                last.format(),
                last.formatVersion(),
                last.name(),
                files,
                last.tensors(),
                last.parameters(),
                weightBytes,
                List.of(),
                architecture);
    }
}
