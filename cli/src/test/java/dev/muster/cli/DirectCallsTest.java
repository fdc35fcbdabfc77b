// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.testing.Program;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The step of the build that takes run-time class generation out of the program's jars.
class DirectCallsTest {
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin/java").toString();
    private static final Path STEP = Path.of("../scripts/lib/DirectCalls.java");
    /// Records with a component of each type, and switches over types, records, texts and null, with guards.
    private static final String PROGRAM = """
        import java.util.List;

        class Program {
            sealed interface Shape permits Circle, Square, Nothing {
                static String kind(Shape shape) {
                    return switch (shape) {
                        case Circle(double radius) when radius > 10 -> "large circle";
                        case Circle c -> "circle " + c.radius();
                        case Square s when s.side() == 0 -> "point";
                        case Square s -> "square " + s.side();
                        case Nothing n -> "nothing";
                        case null -> "null";
                    };
                }
            }
            record Circle(double radius) implements Shape {}
            record Square(int side) implements Shape {}
            record Nothing() implements Shape {}
            record All(boolean a, byte b, short c, char d, int e, long f, float g, double h, String i, int[] j) {}

            static String text(Object value) {
                return switch (value) {
                    case Integer i when i > 5 -> "more than five";
                    case Integer i -> "number " + i;
                    case String s -> "text " + s;
                    case List<?> list -> "list of " + list.size();
                    default -> "another";
                };
            }

            static String word(CharSequence word) {
                return switch (word) {
                    case String s when s.equals("one") -> "first";
                    case String s -> s;
                    case StringBuilder b -> "builder";
                    default -> "another";
                };
            }

            static All all(int change) {
                int[] numbers = {1};
                return new All(change == 0, (byte) (change == 1 ? 9 : 1), (short) (change == 2 ? 9 : 2),
                        change == 3 ? 'x' : 'c', change == 4 ? 9 : -4, change == 5 ? 1L << 40 : 5,
                        change == 6 ? Float.NaN : -0.0f, change == 7 ? 0.0 : -0.0, change == 8 ? null : "i", SAME);
            }

            static final int[] SAME = {1};

            public static void main(String[] words) {
                record Local(String of) {}
                for (Shape shape : new Shape[] {new Circle(11), new Circle(1), new Square(0), new Square(2), new Nothing(), null}) {
                    System.out.println(Shape.kind(shape) + " " + shape + " " + (shape == null ? 0 : shape.hashCode()));
                }
                for (Object value : new Object[] {6, 5, "x", List.of(1, 2), 2.0}) {
                    System.out.println(text(value));
                }
                System.out.println(word("one") + word("two") + word(new StringBuilder()) + word(new StringBuffer()));
                for (int i = 0; i < 10; i++) {
                    System.out.print(all(i).equals(all(9)) + " " + (all(i).hashCode() == all(9).hashCode()) + " ");
                    System.out.println(all(i).toString().replaceFirst("@[0-9a-f]+", ""));
                }
                System.out.println(all(6).equals(all(6)) + " " + all(7).equals(null) + " " + all(7).equals("x"));
                System.out.println(new Local("a") + " " + new Local("a").equals(new Local("a")));
                try {
                    text(null);
                } catch (NullPointerException e) {
                    System.out.println("no null");
                }
            }
        }
        """;

    @TempDir
    private Path folder;

    @Test
    void aRewrittenProgramAnswersAsBefore() throws Exception {
        Path jar = compile();
        String before = run(jar);
        assertThat(generating(jar)).isPositive();

        rewrite();

        assertThat(generating(jar)).isZero();
        assertThat(run(jar))
                .isEqualTo(before)
                .contains(
                        "large circle Circle[radius=11.0]",
                        "point Square[side=0] 0",
                        "nothing Nothing[] 0",
                        "null null")
                .contains("more than five\n", "list of 2\n", "firsttwobuilderanother\n", "no null\n")
                .contains(
                        "Local[of=a] true\n",
                        "true true All[a=false, b=1, c=2, d=c, e=-4, f=5, g=-0.0, h=-0.0, i=i, j=[I]");
    }

    @Test
    void theSameJarBecomesTheSameBytes() throws Exception {
        Path jar = compile();
        byte[] compiled = Files.readAllBytes(jar);
        rewrite();
        byte[] once = Files.readAllBytes(jar);
        rewrite();
        assertThat(Files.readAllBytes(jar)).as("again").isEqualTo(once);

        Files.write(jar, compiled);
        rewrite();

        assertThat(Files.readAllBytes(jar)).isEqualTo(once).isNotEqualTo(compiled);
    }

    private Path compile() throws IOException {
        Path source = Files.writeString(folder.resolve("Program.java"), PROGRAM);
        Path classes = Files.createDirectory(folder.resolve("classes"));
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, "-d", classes.toString(), source.toString()))
                .isZero();
        Path jar = folder.resolve("muster-program.jar");
        assertThat(java.util.spi.ToolProvider.findFirst("jar")
                        .orElseThrow()
                        .run(System.out, System.err, "-cf", jar.toString(), "-C", classes.toString(), "."))
                .isZero();
        return jar;
    }

    private void rewrite() throws Exception {
        Program.run(List.of(JAVA, "-XX:TieredStopAtLevel=1", STEP.toString(), folder.toString()));
    }

    private static String run(Path jar) throws Exception {
        return Program.run(List.of(JAVA, "-Xverify:all", "-cp", jar.toString(), "Program"))
                .output();
    }

    /// Counts the calls that make classes for switches and records.
    private static long generating(Path jar) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            long count = 0;
            for (ZipEntry entry : file.stream()
                    .filter(each -> each.getName().endsWith(".class"))
                    .toList()) {
                count += calls(file.getInputStream(entry).readAllBytes())
                        .filter(call ->
                                call.bootstrapMethod().owner().packageName().equals("java.lang.runtime"))
                        .count();
            }
            return count;
        }
    }

    private static Stream<InvokeDynamicInstruction> calls(byte[] bytes) {
        return ClassFile.of().parse(bytes).methods().stream()
                .flatMap(method -> method.code().stream())
                .flatMap(code -> code.elementStream())
                .flatMap(
                        element -> element instanceof InvokeDynamicInstruction call ? Stream.of(call) : Stream.empty());
    }
}
