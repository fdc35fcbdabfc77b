// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.amd;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Reads what `amd-smi` prints for people, so that recordings of it prove the same rules as its JSON. The probe
/// asks for JSON, which the tool has had from its start.
final class AmdSmiText {
    private AmdSmiText() {}

    static List<AmdSmiGpu> parse(String text) {
        List<AmdSmiGpu> gpus = new ArrayList<>();
        Map<String, String> values = new HashMap<>();
        Deque<String> path = new ArrayDeque<>();
        int index = -1;
        for (String line : (text + "\nGPU: -1").split("\n")) {
            int colon = line.indexOf(':');
            if (line.startsWith("GPU:")) {
                if (index >= 0) {
                    gpus.add(new AmdSmiGpu(index, values));
                }
                index = Integer.parseInt(line.substring(colon + 1).strip());
                values.clear();
            } else if (colon > 0) {
                int depth = (line.length() - line.stripLeading().length()) / 4 - 1;
                while (path.size() > depth) {
                    path.removeLast();
                }
                path.addLast(line.substring(0, colon).strip().toLowerCase(Locale.ROOT));
                values.put(String.join(".", path), line.substring(colon + 1).strip());
            }
        }
        return gpus;
    }
}
