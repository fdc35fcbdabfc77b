// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.jobs;

import dev.muster.core.Finding;
import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Files of a job: dumps of flight recorders, as pickle or JSON, files of NCCL Inspector, and saved answers of the RAS
/// service. Confined to one thread.
public final class JobFiles {
    private final List<TorchDump> dumps = new ArrayList<>();
    private final List<Finding> findings = new ArrayList<>();
    private final InspectorChecks inspector = new InspectorChecks();
    private boolean inspected;

    /// No file yet.
    public JobFiles() {}

    /// Takes a file.
    ///
    /// @param name name of the file; that of a dump ends with the number of its rank
    /// @throws DocumentException if it is none of these files, or broken
    public void add(String name, byte[] content) {
        if (Pickle.isPickle(content)) {
            dumps.add(dump(name, Pickle.parse(content)));
            return;
        }
        for (JsonValue document : documents(text(content))) {
            if (TorchDump.isDump(document)) {
                dumps.add(dump(name, document));
            } else if (InspectorChecks.isEvent(document)) {
                inspector.add(document);
                inspected = true;
            } else if (document.find("communicators").isPresent()) {
                RasReport report = RasReport.ofJson(document);
                findings.addAll(new RasChecks(report, report).examine());
            } else {
                throw wrong(
                        "it is neither a recording of a mesh, nor of PyTorch's flight recorder, nor of NCCL Inspector,"
                                + " nor an answer of NCCL's RAS");
            }
        }
    }

    /// Returns a finding for each thing that is wrong.
    public List<Finding> examine() {
        List<Finding> all = new ArrayList<>(findings);
        if (!dumps.isEmpty()) {
            all.addAll(TorchChecks.examine(dumps));
        }
        if (inspected) {
            all.addAll(inspector.examine());
        }
        return all;
    }

    private static TorchDump dump(String file, JsonValue document) {
        int rank = TorchDump.rankOf(file)
                .orElseThrow(() -> wrong("its name does not end with the number of its rank, as in nccl_trace_rank_3"));
        return TorchDump.of(rank, document);
    }

    private static String text(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException _) {
            throw wrong("it is neither a pickle nor UTF-8 text");
        }
    }

    /// One document, or one in each line.
    private static List<JsonValue> documents(String text) {
        List<String> lines = text.lines().filter(line -> !line.isBlank()).toList();
        boolean byLine =
                !lines.isEmpty() && lines.stream().allMatch(line -> line.startsWith("{") && line.endsWith("}"));
        return byLine ? lines.stream().map(JsonValue::parse).toList() : List.of(JsonValue.parse(text));
    }

    private static DocumentException wrong(String what) {
        return DocumentException.of(DocumentException.DocumentErrorCode.WRONG_VALUE, what);
    }
}
