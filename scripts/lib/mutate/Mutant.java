// SPDX-License-Identifier: Apache-2.0
import java.nio.charset.StandardCharsets;

/**
 * One change of one place of the main sources.
 *
 * @param file below the root of the tree
 * @param start where the changed text begins in the file
 * @param end where it ends
 * @param lineText the line that it begins in, without the space around it
 * @param occurrence how often the same change of an equal line stands before it in the file
 * @param constant the name of the constant that changes for all who read it; empty elsewhere
 */
record Mutant(
        Kind kind,
        String module,
        String file,
        int line,
        int start,
        int end,
        String lineText,
        int occurrence,
        String oldText,
        String newText,
        String constant) {
    /** What is changed. */
    enum Kind {
        COMPARISON,
        ARITHMETIC,
        CONSTANT,
        REMOVED_CALL,
        CONDITION,
        ARGUMENTS,
        RETURNED_DEFAULT
    }

    /** What the file of equivalents writes; the number tells equal changes of equal lines of a file apart. */
    String identity() {
        return String.join("\t", file, lineText, flat(oldText), flat(newText), String.valueOf(occurrence));
    }

    /** Changes of other lines and files do not change it, so that most mutants of a seed stay the same. */
    String key() {
        return Long.toHexString(hash(0));
    }

    /** A number as if drawn, the same for the same place and seed. */
    long hash(long seed) {
        long hash = seed * 0x9E3779B97F4A7C15L + 0xCBF29CE484222325L;
        for (byte one : identity().getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ one) * 0x100000001B3L;
        }
        hash ^= hash >>> 31;
        hash *= 0xBF58476D1CE4E5B9L;
        hash ^= hash >>> 29;
        hash *= 0x94D049BB133111EBL;
        return hash ^ hash >>> 32;
    }

    /** The class in the file's name, with its package. */
    String outerClass() {
        String path = file.substring(file.indexOf("/src/main/java/") + "/src/main/java/".length());
        return path.substring(0, path.length() - ".java".length()).replace('/', '.');
    }

    private static String flat(String text) {
        return text.strip().replaceAll("\\s+", " ");
    }

    @Override
    public String toString() {
        return file + ":" + line + " " + flat(oldText) + "  ->  " + flat(newText);
    }
}
