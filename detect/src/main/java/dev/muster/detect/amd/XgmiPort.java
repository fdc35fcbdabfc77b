// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.amd;

import dev.muster.core.PciAddress;
import dev.muster.core.unit.Bandwidth;
import dev.muster.detect.text.Amount;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The XGMI ports of one GPU, as `amd-smi xgmi` tells them: lines such as
/// `GPU0   0000:0c:00.0 32 Gb/s  512 Gb/s	  XGMI`, among others.
///
/// @param address PCI address of the GPU
/// @param linkRate rate of one link in each direction
record XgmiPort(PciAddress address, Bandwidth linkRate) {
    private static final int WORDS = 7;
    private static final int ADDRESS = 1;
    private static final int LINK = 4;
    private static final int UNIT = 5;
    private static final int TYPE = 6;
    private static final double BITS_PER_BYTE = 8;
    private static final int MAX_GPUS = 1024;

    static List<XgmiPort> parse(String text) {
        List<XgmiPort> ports = new ArrayList<>();
        for (String line : text.split("\n")) {
            String[] words = line.strip().split("[ \t]+");
            if (words.length >= WORDS
                    && ports.size() < MAX_GPUS
                    && words[0].startsWith("GPU")
                    && words[UNIT].equals("Gb/s")
                    && words[TYPE].equals("XGMI")) {
                Optional<PciAddress> address = PciAddress.find(words[ADDRESS]);
                Optional<Double> link = Amount.decimal(words[LINK]).filter(gigabits -> gigabits > 0);
                if (address.isPresent() && link.isPresent()) {
                    ports.add(new XgmiPort(address.get(), new Bandwidth(link.get() / BITS_PER_BYTE)));
                }
            }
        }
        return ports;
    }
}
