// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import dev.muster.core.unit.Bandwidth;
import dev.muster.detect.text.Amount;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Reads what `nvidia-smi nvlink -s` prints: for each GPU a line `GPU 0: …`, and below it `Link 3: 26.562 GB/s` or
/// `Link 3: <inactive>`, or a sentence on why there is nothing to tell.
final class NvidiaNvlinkParser {
    /// The most links that are believed of one GPU.
    static final int MAX_LINKS = 256;

    private static final String GPU = "GPU ";
    private static final String LINK = "Link ";
    private static final String INACTIVE = "<inactive>";
    private static final String RATE = "GB/s";
    private static final double MAX_RATE = 10_000;

    private final List<NvidiaNvlinks> found = new ArrayList<>();
    private Optional<Long> gpu = Optional.empty();
    private List<Bandwidth> active = new ArrayList<>();
    private int inactive;
    private String remark = "";

    private NvidiaNvlinkParser() {}

    static List<NvidiaNvlinks> parse(String text) {
        NvidiaNvlinkParser parser = new NvidiaNvlinkParser();
        for (String line : text.split("\n")) {
            parser.readLine(line.strip());
        }
        parser.finish();
        return parser.found;
    }

    private void readLine(String line) {
        int colon = line.indexOf(':');
        if (line.startsWith(GPU) && colon > 0) {
            finish();
            gpu = Amount.count(line.substring(GPU.length(), colon), NvidiaSmiLog.MAX_GPUS);
        } else if (line.startsWith(LINK) && colon > 0) {
            readLink(line.substring(colon + 1).strip());
        } else if (!line.isEmpty() && remark.isEmpty()) {
            remark = NvidiaFormatException.quote(line);
        }
    }

    private void readLink(String state) {
        if (state.equals(INACTIVE)) {
            inactive++;
        } else if (state.endsWith(RATE) && active.size() < MAX_LINKS) {
            Amount.decimal(state, RATE)
                    .filter(rate -> rate > 0 && rate <= MAX_RATE)
                    .ifPresent(rate -> active.add(new Bandwidth(rate)));
        }
    }

    private void finish() {
        if (gpu.isPresent() && found.size() <= NvidiaSmiLog.MAX_GPUS) {
            found.add(new NvidiaNvlinks(gpu.get(), active, inactive, remark));
        }
        gpu = Optional.empty();
        active = new ArrayList<>();
        inactive = 0;
        remark = "";
    }
}
