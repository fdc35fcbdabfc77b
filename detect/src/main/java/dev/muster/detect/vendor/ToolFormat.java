package dev.muster.detect.vendor;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.Provenance;
import java.util.List;

/// What a vendor's tool is asked, and who reads its answer.
public enum ToolFormat {
    /// No form of the tool's answer is known well enough.
    NONE,
    /// Huawei's table.
    NPU_SMI("info"),
    /// Tenstorrent's JSON.
    TT_SMI("-s"),
    /// FuriosaAI's table.
    FURIOSA_SMI("info"),
    /// Rebellions' JSON.
    RBLN("-j"),
    /// Cambricon's list.
    CNMON("info", "-m"),
    /// Moore Threads' JSON.
    MTHREADS_GMI("-q", "--json"),
    /// Hygon's JSON.
    HY_SMI("--showproductname", "--json"),
    /// The query and the CSV of `nvidia-smi`, which tools of other vendors have too.
    QUERY_CSV("--query-gpu=index,driver_version,name,memory.total", "--format=csv"),
    /// Kunlunxin's columns.
    XPU_SMI("-m");

    private final List<String> arguments;

    ToolFormat(String... arguments) {
        this.arguments = List.of(arguments);
    }

    /// What the tool is asked.
    String[] arguments() {
        return arguments.toArray(String[]::new);
    }

    /// The devices that an answer lists; none where it is something else. Facts that it does not tell are not probed.
    ///
    /// @param kind what the devices are
    /// @param source where the facts come from
    List<AcceleratorProfile> parse(String text, AcceleratorKind kind, Provenance source) {
        return switch (this) {
            case NONE -> List.of();
            case NPU_SMI -> NpuSmiParser.parse(text, source);
            case TT_SMI -> JsonToolParser.ttSmi(text, source);
            case FURIOSA_SMI -> TextToolParser.furiosaSmi(text, source);
            case RBLN -> JsonToolParser.rbln(text, source);
            case CNMON -> TextToolParser.cnmon(text, source);
            case MTHREADS_GMI -> JsonToolParser.mthreads(text, source);
            case HY_SMI -> JsonToolParser.hySmi(text, source);
            case QUERY_CSV -> TextToolParser.queryCsv(text, kind, source);
            case XPU_SMI -> TextToolParser.kunlun(text, source);
        };
    }
}
