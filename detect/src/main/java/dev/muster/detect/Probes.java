package dev.muster.detect;

import dev.muster.detect.aws.NeuronProbe;
import dev.muster.detect.cerebras.CerebrasProbe;
import dev.muster.detect.field.FieldProbe;
import dev.muster.detect.field.FieldRow;
import dev.muster.detect.google.TpuProbe;
import dev.muster.detect.graphcore.GraphcoreProbe;
import dev.muster.detect.nvidia.NvidiaProbe;
import dev.muster.detect.qualcomm.QualcommProbe;
import dev.muster.detect.single.NodeProbe;
import java.util.List;

/// Every probe. Backends that know a device well stand before those that only see it too.
final class Probes {
    static final List<Probe> ALL = List.of(
            new NvidiaProbe(),
            new TpuProbe(),
            new NeuronProbe(),
            new QualcommProbe(),
            new CerebrasProbe(),
            new GraphcoreProbe(),
            NodeProbe.groq(),
            NodeProbe.samsung(),
            NodeProbe.mediaTek(),
            new FieldProbe(FieldRow.ASCEND),
            new FieldProbe(FieldRow.TENSTORRENT),
            new FieldProbe(FieldRow.FURIOSA),
            new FieldProbe(FieldRow.REBELLIONS),
            new FieldProbe(FieldRow.CAMBRICON),
            new FieldProbe(FieldRow.MOORE_THREADS),
            new FieldProbe(FieldRow.HYGON),
            new FieldProbe(FieldRow.METAX),
            new FieldProbe(FieldRow.ILUVATAR),
            new FieldProbe(FieldRow.ENFLAME),
            new FieldProbe(FieldRow.KUNLUN));

    private Probes() {}
}
