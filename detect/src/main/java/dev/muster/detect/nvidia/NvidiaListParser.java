package dev.muster.detect.nvidia;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/// Reads what `nvidia-smi -L` prints: `GPU 0: NVIDIA H200 (UUID: GPU-…)`, and below it, indented,
/// `MIG 1g.18gb Device 3: (UUID: MIG-…)`. Lines of any other kind are passed over.
final class NvidiaListParser {
    private static final String GPU = "GPU ";
    private static final String MIG = "MIG ";
    private static final String DEVICE = " Device ";
    private static final String UUID = "(UUID:";
    private static final long MAX_INDEX = 1024;

    private final List<NvidiaListing.Gpu> gpus = new ArrayList<>();
    private final List<List<NvidiaListing.Slice>> slices = new ArrayList<>();
    /// Where MIG devices go that belong to no GPU.
    private final List<NvidiaListing.Slice> strays = new ArrayList<>();

    private List<NvidiaListing.Slice> open = strays;

    private NvidiaListParser() {}

    static NvidiaListing parse(String text) {
        NvidiaListParser parser = new NvidiaListParser();
        for (String line : text.split("\n")) {
            parser.readLine(line.strip());
        }
        return parser.listing();
    }

    private void readLine(String line) {
        int uuidAt = line.indexOf(UUID);
        int colon = line.indexOf(':');
        if (uuidAt < 0 || colon > uuidAt) {
            return;
        }
        String uuid = line.substring(uuidAt + UUID.length()).replace(")", "").strip();
        String head = line.substring(0, colon);
        if (head.startsWith(GPU)) {
            addGpu(
                    index(head.substring(GPU.length())),
                    line.substring(colon + 1, uuidAt).strip(),
                    uuid);
        } else if (head.startsWith(MIG) && head.lastIndexOf(DEVICE) > MIG.length()) {
            int device = head.lastIndexOf(DEVICE);
            String shape = head.substring(MIG.length(), device).strip();
            addSlice(index(head.substring(device + DEVICE.length())), shape, uuid);
        }
    }

    private void addGpu(OptionalLong index, String name, String uuid) {
        if (index.isEmpty() || gpus.size() > MAX_INDEX) {
            open = strays;
            return;
        }
        open = new ArrayList<>();
        slices.add(open);
        gpus.add(new NvidiaListing.Gpu(index.getAsLong(), name, uuid, List.of()));
    }

    private void addSlice(OptionalLong index, String shape, String uuid) {
        if (index.isPresent() && open.size() < MAX_INDEX) {
            open.add(new NvidiaListing.Slice(index.getAsLong(), shape, uuid));
        }
    }

    private NvidiaListing listing() {
        List<NvidiaListing.Gpu> whole = new ArrayList<>();
        for (int i = 0; i < gpus.size(); i++) {
            NvidiaListing.Gpu gpu = gpus.get(i);
            whole.add(new NvidiaListing.Gpu(gpu.index(), gpu.name(), gpu.uuid(), slices.get(i)));
        }
        return new NvidiaListing(whole);
    }

    private static OptionalLong index(String digits) {
        OptionalLong number = NvidiaValue.wholeNumber(digits.strip());
        return number.isPresent() && number.getAsLong() <= MAX_INDEX ? number : OptionalLong.empty();
    }
}
