// SPDX-License-Identifier: Apache-2.0
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** All places of the main sources that a mutant can be planted at. */
final class Sites {
    private Sites() {}

    static List<Mutant> list(Workspace workspace, List<String> asked) throws IOException {
        List<Mutant> all = new ArrayList<>();
        for (String module : asked.isEmpty() ? workspace.modules() : asked) {
            all.addAll(ofModule(workspace.tree(), module));
        }
        return all;
    }

    private static List<Mutant> ofModule(Path tree, String module) throws IOException {
        List<Path> files;
        try (Stream<Path> walk = Files.walk(tree.resolve(module).resolve("src/main/java"))) {
            files = walk.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !file.endsWith("module-info.java") && !file.endsWith("package-info.java"))
                    .sorted()
                    .toList();
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<Mutant> found = new ArrayList<>();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask) compiler.getTask(
                    null, manager, _ -> {}, List.of("-proc:none"), null, manager.getJavaFileObjectsFromPaths(files));
            for (CompilationUnitTree unit : task.parse()) {
                Path file = Path.of(unit.getSourceFile().toUri());
                SiteScanner scanner = new SiteScanner(
                        Trees.instance(task).getSourcePositions(),
                        unit,
                        module,
                        tree.relativize(file).toString().replace('\\', '/'),
                        Files.readString(file));
                scanner.scan(unit, null);
                found.addAll(scanner.found());
            }
        }
        return found;
    }
}
