// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.slurm;

import java.util.List;

/// Lists of trackable resources: `cpu=8,mem=120G,node=1,gres/gpu=4,gres/gpu:h100=4`.
final class Tres {
    private static final String GPU = "gres/gpu=";
    private static final int MAX_DIGITS = 6;

    private Tres() {}

    /// The number of GPUs in a list; 0 if it does not count them.
    static int gpus(String list) {
        for (String item : list.split(",", -1)) {
            String text = item.strip();
            if (text.startsWith(GPU)) {
                String count = text.substring(GPU.length());
                return count.length() <= MAX_DIGITS && count.matches("[0-9]+") ? Integer.parseInt(count) : 0;
            }
        }
        return 0;
    }

    /// The share of each of some nodes in a job's GPUs, which are spread evenly; empty without GPUs.
    static List<Gres> share(int gpus, int nodes) {
        return gpus == 0 ? List.of() : List.of(new Gres("gpu", "", Math.max(1, gpus / nodes), List.of()));
    }
}
