// SPDX-License-Identifier: Apache-2.0
package dev.muster.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Old releases of the analyses check nothing on a new Java and say nothing: sources that are wrong on purpose must
/// not compile with the very flags of the build.
class AnalysisAliveTest {
    @TempDir
    private Path output;

    @Test
    void nullAwayRefusesANullThatIsReturned() {
        Outcome outcome = compile("""
                package wrong;

                @org.jspecify.annotations.NullMarked
                class Wrong {
                    String text() {
                        return null;
                    }
                }
                """);

        assertThat(outcome.succeeded()).isFalse();
        assertThat(outcome.messages()).contains("[NullAway]");
    }

    @Test
    void errorProneRefusesAnExceptionThatIsNotThrown() {
        Outcome outcome = compile("""
                package wrong;

                class Wrong {
                    void check(int value) {
                        if (value < 0) {
                            new IllegalArgumentException("negative");
                        }
                    }
                }
                """);

        assertThat(outcome.succeeded()).isFalse();
        assertThat(outcome.messages()).contains("[DeadException]");
    }

    @Test
    void aSourceWithoutFaultsCompiles() {
        Outcome outcome = compile("""
                package wrong;

                @org.jspecify.annotations.NullMarked
                class Right {
                    String text() {
                        return "";
                    }
                }
                """);

        assertThat(outcome.succeeded()).as(outcome.messages()).isTrue();
    }

    private record Outcome(boolean succeeded, String messages) {}

    private Outcome compile(String source) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        String classPath = System.getProperty("java.class.path");
        List<String> options = new ArrayList<>(List.of("-d", output.toString(), "-proc:none", "-Werror"));
        options.addAll(List.of("-XDcompilePolicy=simple", "--should-stop=ifError=FLOW"));
        options.addAll(List.of("-classpath", classPath, "-processorpath", classPath));
        options.add(System.getProperty("errorprone.flags"));
        StringWriter messages = new StringWriter();
        boolean succeeded = compiler.getTask(messages, null, null, options, null, List.of(new Source(source)))
                .call();
        return new Outcome(succeeded, messages.toString());
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String text) {
            super(URI.create("string:///Wrong.java"), JavaFileObject.Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
