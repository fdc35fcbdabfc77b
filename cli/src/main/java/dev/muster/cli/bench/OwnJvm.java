package dev.muster.cli.bench;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// How to start another JVM like this one.
final class OwnJvm {
    private static final String NATIVE_ACCESS = "--enable-native-access=";
    /// What belongs to this process alone, or would keep the compiler from doing its best.
    private static final List<String> DROPPED = List.of(
            "-agentlib:",
            "-agentpath:",
            "-javaagent:",
            "-XX:AOTCacheOutput=",
            "-XX:AOTMode=",
            "-XX:TieredStopAtLevel=");

    private OwnJvm() {}

    /// The program and its arguments, with the options and the class path of this process.
    static List<String> command(Class<?> main, List<String> arguments) {
        List<String> own = ManagementFactory.getRuntimeMXBean().getInputArguments();
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        own.stream()
                .filter(option -> DROPPED.stream().noneMatch(option::startsWith))
                .forEach(command::add);
        if (own.stream().noneMatch(OwnJvm::isCollector)) {
            // Ranks leave no garbage; the threads of other collectors would only take their processors.
            command.add("-XX:+UseSerialGC");
        }
        if (own.stream().noneMatch(option -> option.startsWith(NATIVE_ACCESS))) {
            command.add(NATIVE_ACCESS + "ALL-UNNAMED");
        }
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(main.getName());
        command.addAll(arguments);
        return command;
    }

    private static boolean isCollector(String option) {
        return option.startsWith("-XX:+Use") && option.endsWith("GC");
    }
}
