package dev.muster.detect.field;

import dev.muster.detect.Backend;
import dev.muster.detect.host.Tool;
import java.util.ArrayList;
import java.util.List;

/// One vendor of the newer field: how its devices show themselves, and which of its tools says more. Ids, nodes and
/// tools are from vendors' documents (2026-11): leads, not captures.
///
/// @since 0.1
public enum FieldRow {
    /// Huawei Ascend. The vendor's other devices are network cards and displays.
    ASCEND(Backend.ASCEND, 0x19e5, "/dev", "davinci", FieldFormat.NPU_SMI, "npu-smi"),
    /// Tenstorrent.
    TENSTORRENT(Backend.TENSTORRENT, 0x1e52, "/dev/tenstorrent", "", FieldFormat.TT_SMI, "tt-smi"),
    /// FuriosaAI.
    FURIOSA(Backend.FURIOSA, 0x1ed2, "/dev/rngd", "npu", FieldFormat.FURIOSA_SMI, "furiosa-smi"),
    /// Rebellions, whose tool was renamed.
    REBELLIONS(Backend.REBELLIONS, 0x1eff, "/dev", "rbln", FieldFormat.RBLN, "rbln-smi", "rbln-stat"),
    /// Cambricon.
    CAMBRICON(Backend.CAMBRICON, 0xcabc, "/dev", "cambricon_dev", FieldFormat.CNMON, "cnmon"),
    /// Moore Threads.
    MOORE_THREADS(Backend.MOORE_THREADS, 0x1ed5, "/dev", "mtgpu.", FieldFormat.MTHREADS_GMI, "mthreads-gmi"),
    /// Hygon, whose processors have the same vendor id as its DCUs.
    HYGON(Backend.HYGON, 0x1d94, "", "", FieldFormat.HY_SMI, "hy-smi"),
    /// MetaX.
    METAX(Backend.METAX, 0x9999, "/dev", "mxcd", FieldFormat.NONE),
    /// Iluvatar.
    ILUVATAR(Backend.ILUVATAR, 0x1e3e, "/dev", "iluvatar", FieldFormat.IXSMI, "ixsmi"),
    /// Enflame.
    ENFLAME(Backend.ENFLAME, 0x1e36, "/dev", "gcu", FieldFormat.NONE),
    /// Kunlunxin, whose tool has the name of Intel's.
    KUNLUN(Backend.KUNLUN, 0x1d22, "", "", FieldFormat.XPU_SMI, "xpu-smi");

    private static final String[] FOLDERS = {"/usr/local/corex/bin", "/opt/hyhal/bin", "/opt/dtk/bin", "/opt/xre/bin"};

    private final Backend backend;
    private final int vendor;
    private final String nodeFolder;
    private final String nodePrefix;
    private final FieldFormat format;
    private final List<String> tools;

    FieldRow(Backend backend, int vendor, String nodeFolder, String nodePrefix, FieldFormat format, String... tools) {
        this.backend = backend;
        this.vendor = vendor;
        this.nodeFolder = nodeFolder;
        this.nodePrefix = nodePrefix;
        this.format = format;
        this.tools = List.of(tools);
    }

    Backend backend() {
        return backend;
    }

    int vendor() {
        return vendor;
    }

    /// The folder of its device nodes; blank where they prove nothing.
    String nodeFolder() {
        return nodeFolder;
    }

    /// What stands before the number in the names of its device nodes.
    String nodePrefix() {
        return nodePrefix;
    }

    FieldFormat format() {
        return format;
    }

    /// Its tools, the newer name first.
    List<Tool> tools() {
        List<Tool> all = new ArrayList<>();
        for (String name : tools) {
            all.add(Tool.of(name, FOLDERS));
        }
        return all;
    }

    /// Whether nobody else has a tool of that name, so that the tool is a sign of devices.
    boolean hasOwnTool() {
        return this != KUNLUN && !tools.isEmpty();
    }
}
