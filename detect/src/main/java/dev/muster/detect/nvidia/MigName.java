package dev.muster.detect.nvidia;

/// The names of MIG devices.
final class MigName {
    private MigName() {}

    /// The kind of slice: `1g.18gb` of `NVIDIA H200 MIG 1g.18gb`, or the whole name where it has no such part.
    static String shape(String name) {
        int mark = name.lastIndexOf("MIG ");
        return mark < 0 ? name : name.substring(mark + 4).strip();
    }
}
