package dev.muster.plan.checkpoint;

import static dev.muster.plan.checkpoint.CheckpointException.Code.INCONSISTENT;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A model that is split into several GGUF files, told by their names: `model-00002-of-00005.gguf`. The names of the
/// parts are made from that pattern, never from what a file says.
///
/// @param path one of the parts
/// @param prefix what the names of all parts begin with
/// @param count how many parts there are
record GgufSplit(Path path, String prefix, int count) {
    private static final Pattern NAME = Pattern.compile("(.*)-([0-9]{5})-of-([0-9]{5})\\.gguf", Pattern.DOTALL);

    /// The split that a file belongs to by its name, if any.
    static Optional<GgufSplit> find(Path path) {
        Matcher matcher = NAME.matcher(String.valueOf(path.getFileName()));
        if (!matcher.matches()) {
            return Optional.empty();
        }
        // Five digits fit into an int.
        int number = Integer.parseInt(matcher.group(2));
        int count = Integer.parseInt(matcher.group(3));
        return count > 1 && number >= 1 && number <= count
                ? Optional.of(new GgufSplit(path, matcher.group(1), count))
                : Optional.empty();
    }

    /// Of some names those of whole models, and one part of each split one. Projectors for images, which stand beside a
    /// model, are left out.
    static List<String> models(List<String> names) {
        Set<String> seen = new HashSet<>();
        return names.stream()
                .filter(name -> !name.startsWith("mmproj"))
                .filter(name -> find(Path.of(name))
                        .map(split -> seen.add(split.prefix() + "-of-" + split.count()))
                        .orElse(true))
                .toList();
    }

    /// The name of a part.
    ///
    /// @param number from 1 on
    String name(int number) {
        return String.format(Locale.ROOT, "%s-%05d-of-%05d.gguf", prefix, number, count);
    }

    Path path(int number) {
        return path.resolveSibling(name(number));
    }

    /// Checks that a part says of itself what its name says.
    void check(int number, GgufPart part) {
        require(part, GgufKey.SPLIT_NUMBER, number - 1);
        require(part, GgufKey.SPLIT_COUNT, count);
    }

    /// Checks the number of tensors of the whole model.
    static void checkTensors(GgufPart part, long tensors) {
        if (part.metadata().find(GgufKey.SPLIT_TENSORS).isPresent()) {
            require(part, GgufKey.SPLIT_TENSORS, tensors);
        }
    }

    /// Checks that a file with another name is no part either.
    static void checkWhole(GgufPart part) {
        if (part.metadata().findCount(GgufKey.SPLIT_COUNT).orElse(0) > 1) {
            throw CheckpointException.of(
                    INCONSISTENT,
                    part.file().name(),
                    "is a part of a split model; give it its name back, such as model-00001-of-00005.gguf");
        }
    }

    private static void require(GgufPart part, String key, long expected) {
        if (part.metadata().findCount(key).orElse(-1) != expected) {
            throw CheckpointException.of(INCONSISTENT, part.file().name(), "should say " + expected + " as its " + key);
        }
    }
}
