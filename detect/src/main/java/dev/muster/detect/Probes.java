package dev.muster.detect;

import dev.muster.detect.amd.RocmProbe;
import dev.muster.detect.amd.XdnaProbe;
import dev.muster.detect.apple.AppleProbe;
import dev.muster.detect.aws.NeuronProbe;
import dev.muster.detect.cerebras.CerebrasProbe;
import dev.muster.detect.field.FieldProbe;
import dev.muster.detect.field.FieldRow;
import dev.muster.detect.gaudi.GaudiProbe;
import dev.muster.detect.google.TpuProbe;
import dev.muster.detect.graphcore.GraphcoreProbe;
import dev.muster.detect.intel.IntelGpuProbe;
import dev.muster.detect.intel.IntelNpuProbe;
import dev.muster.detect.nvidia.NvidiaProbe;
import dev.muster.detect.qualcomm.QualcommProbe;
import dev.muster.detect.single.NodeProbe;
import dev.muster.detect.vulkan.VulkanProbe;
import dev.muster.detect.windows.WindowsProbe;
import java.util.List;

/// Every probe. Those that see devices of all vendors, only not well, stand last: what they see is then recognised.
final class Probes {
    static final List<Probe> ALL = List.of(
            new NvidiaProbe(),
            new RocmProbe(),
            new AppleProbe(),
            new IntelNpuProbe(),
            new XdnaProbe(),
            new TpuProbe(),
            new GaudiProbe(),
            new NeuronProbe(),
            new IntelGpuProbe(),
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
            new FieldProbe(FieldRow.KUNLUN),
            new VulkanProbe(),
            new WindowsProbe());

    private Probes() {}
}
