// SPDX-License-Identifier: Apache-2.0
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Which classes name which, nested ones counted as their outermost class. */
final class References {
    private static final String OURS = "dev/muster/";

    /** By class, those that name it. */
    private final Map<String, Set<String>> users = new HashMap<>();

    void add(Path classes) throws IOException {
        if (!Files.isDirectory(classes)) {
            return;
        }
        try (Stream<Path> walk = Files.walk(classes)) {
            for (Path file :
                    walk.filter(one -> one.toString().endsWith(".class")).toList()) {
                read(file);
            }
        }
    }

    private void read(Path file) throws IOException {
        var model = ClassFile.of().parse(file);
        String own = outermost(model.thisClass().asInternalName());
        for (PoolEntry entry : model.constantPool()) {
            if (entry instanceof ClassEntry named && named.asInternalName().contains(OURS)) {
                String other = outermost(
                        named.asInternalName().replaceFirst("^\\[+L", "").replaceFirst(";$", ""));
                if (!other.equals(own)) {
                    users.computeIfAbsent(other, _ -> new HashSet<>()).add(own);
                }
            }
        }
    }

    /** Steps from each class that reaches one of the given classes to the nearest of them. */
    Map<String, Integer> distances(List<String> classes) {
        Map<String, Integer> distances = new HashMap<>();
        Deque<String> next = new ArrayDeque<>(classes);
        classes.forEach(one -> distances.put(one, 0));
        while (!next.isEmpty()) {
            String one = next.remove();
            for (String user : users.getOrDefault(one, Set.of())) {
                if (distances.putIfAbsent(user, distances.get(one) + 1) == null) {
                    next.add(user);
                }
            }
        }
        return distances;
    }

    private static String outermost(String internalName) {
        int nested = internalName.indexOf('$');
        return (nested < 0 ? internalName : internalName.substring(0, nested)).replace('/', '.');
    }
}
