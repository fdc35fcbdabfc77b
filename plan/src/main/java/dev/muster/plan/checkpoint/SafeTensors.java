package dev.muster.plan.checkpoint;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.plan.ModelArchitecture;
import dev.muster.plan.ModelFormat;
import java.util.List;

/// What the tensors of safetensors files say together.
final class SafeTensors {
    private SafeTensors() {}

    /// A file alone, without a configuration beside it.
    static Checkpoint ofOneFile(CheckpointFile file, Scan scan) {
        return of(List.of(file), scan, ModelArchitecture.UNKNOWN);
    }

    static Checkpoint of(List<CheckpointFile> files, Scan scan, ModelArchitecture architecture) {
        Provenance from = Provenance.of(
                files.size() == 1 ? files.getFirst().name() : files.size() + " files",
                Provenance.Method.FILE,
                Provenance.Confidence.MEASURED);
        return new Checkpoint(
                Reading.known(ModelFormat.SAFE_TENSORS, from),
                Reading.unknown(UnknownReason.NOT_SUPPORTED, "safetensors has no versions"),
                Reading.unknown(UnknownReason.NOT_STATED),
                files,
                Reading.known(scan.tally().tensors(), from),
                parameters(scan.tally(), from),
                Reading.known(scan.tally().bytes(), from),
                scan.tally().types(),
                architecture);
    }

    /// Numbers that stand for themselves are parameters. Where most bytes are integers, several weights are packed into
    /// one of them, and how many is not in the file.
    private static Reading<Long> parameters(TensorTally tally, Provenance from) {
        long packed = 0;
        long all = 0;
        for (TypeShare share : tally.types()) {
            all += share.bytes().unsigned();
            if (!SafeTensorsType.isFloating(share.type())) {
                packed += share.bytes().unsigned();
            }
        }
        return packed > all / 2
                ? Reading.unknown(UnknownReason.NOT_STATED, "the weights are packed; config.json would say how")
                : Reading.known(tally.elements(), from);
    }
}
