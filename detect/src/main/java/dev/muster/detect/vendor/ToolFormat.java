// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.vendor;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.Provenance;
import java.util.List;
import java.util.function.Supplier;

/// The query of a vendor's tool, and the parser of its answer.
public enum ToolFormat {
    /// No form of the tool's answer is known well enough.
    NONE(List.of()),
    /// Huawei's table.
    NPU_SMI(List.of(List.of("info"))),
    /// Tenstorrent's JSON.
    TT_SMI(List.of(List.of("-s"))),
    /// FuriosaAI's table.
    FURIOSA_SMI(List.of(List.of("info"))),
    /// Rebellions' JSON.
    RBLN(List.of(List.of("-j"))),
    /// Cambricon's list, and its table.
    CNMON(List.of(List.of("info", "-m"), List.of())),
    /// Moore Threads' JSON, and its table.
    MTHREADS_GMI(List.of(List.of("-q", "--json"), List.of())),
    /// Hygon's JSON, and the table that its tool prints without arguments.
    HY_SMI(List.of(
            List.of("--showproductname", "--showmeminfo", "vram", "--showbus", "--json"),
            List.of("--showproductname", "--json"),
            List.of())),
    /// The query and the CSV of `nvidia-smi`, which tools of other vendors have too, and its table.
    QUERY_CSV(List.of(List.of("--query-gpu=index,driver_version,name,memory.total", "--format=csv"), List.of())),
    /// The table alone.
    SMI_TABLE(List.of(List.of())),
    /// Kunlunxin's columns.
    XPU_SMI(List.of(List.of("-m")));

    private final List<List<String>> questions;

    ToolFormat(List<List<String>> questions) {
        this.questions = questions;
    }

    /// Returns the tool's arguments; later ones where those before were not understood.
    List<List<String>> questions() {
        return questions;
    }

    /// The devices that an answer lists; none where it is something else. Facts that it does not tell are not probed.
    ///
    /// @param kind kind of the devices
    /// @param source source of the facts
    List<AcceleratorProfile> parse(String text, AcceleratorKind kind, Provenance source) {
        return switch (this) {
            case NONE -> List.of();
            case NPU_SMI -> NpuSmiParser.parse(text, source);
            case TT_SMI -> JsonToolParser.ttSmi(text, source);
            case FURIOSA_SMI -> TextToolParser.furiosaSmi(text, source);
            case RBLN -> JsonToolParser.rbln(text, source);
            case CNMON -> either(TextToolParser.cnmon(text, source), () -> SmiTableParser.parse(text, kind, source));
            case MTHREADS_GMI ->
                either(JsonToolParser.mthreads(text, source), () -> SmiTableParser.parse(text, kind, source));
            case SMI_TABLE -> SmiTableParser.parse(text, kind, source);
            case HY_SMI -> either(HySmiParser.parse(text, source), () -> HySmiParser.parseTable(text, source));
            case QUERY_CSV ->
                either(TextToolParser.queryCsv(text, kind, source), () -> SmiTableParser.parse(text, kind, source));
            case XPU_SMI -> TextToolParser.kunlun(text, source);
        };
    }

    private static List<AcceleratorProfile> either(
            List<AcceleratorProfile> one, Supplier<List<AcceleratorProfile>> other) {
        return one.isEmpty() ? other.get() : one;
    }
}
