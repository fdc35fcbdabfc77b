// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.host;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Runs tools of this machine.
///
/// A tool is taken from the folders where packages put it, never from the search path, and only if none but its owner
/// could have changed it. It gets no shell, an empty environment but for the neutral locale and a mark, no input, and a
/// limit on time and output. When its time is up it is ended together with its children, and so is what it leaves
/// behind; one that cannot be ended, because it
/// hangs in a driver, is not started a second time while it is there.
final class LiveCommands implements HostCommands {
    /// `/bin` if it is a folder of its own, and its target if it leads to `/usr/bin` as on most systems.
    private static final List<String> SPLIT =
            List.of("/usr/bin", "/usr/local/bin", "/bin", "/usr/sbin", "/usr/local/sbin", "/sbin");
    private static final List<String> MERGED = List.of("/usr/bin", "/usr/local/bin", "/usr/sbin", "/usr/local/sbin");
    private static final String SEARCH_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
    private static final String SHOWN_PATH = "PATH";

    private final List<String> ownFolders;
    private final List<String> usualFolders;
    /// Tools that could not be ended.
    private final Map<String, ProcessHandle> stuck = new ConcurrentHashMap<>();

    /// Looks in the usual folders and in the vendors'.
    public LiveCommands() {
        this(List.of());
    }

    /// Looks in some folders first.
    ///
    /// @param ownFolders absolute folders that the user named
    public LiveCommands(List<String> ownFolders) {
        this.ownFolders = List.copyOf(ownFolders);
        this.usualFolders = leadsTo("/bin", "/usr/bin") && leadsTo("/sbin", "/usr/sbin") ? MERGED : SPLIT;
    }

    private static boolean leadsTo(String link, String folder) {
        try {
            return new File(link).getCanonicalPath().equals(folder);
        } catch (IOException _) {
            return false;
        }
    }

    @Override
    public Optional<String> findPath(Tool tool) {
        return findFile(tool).map(Path::toString);
    }

    @Override
    public Optional<String> findObjection(Tool tool) {
        return findFile(tool).flatMap(TrustedFile::findObjection);
    }

    @Override
    public CommandOutcome run(Tool tool, List<String> arguments, CommandLimits limits) {
        Optional<Path> file = findFile(tool);
        if (file.isEmpty()) {
            return new CommandOutcome.NotFound();
        }
        Optional<String> objection = TrustedFile.findObjection(file.get());
        if (objection.isPresent()) {
            return new CommandOutcome.NotRun(objection.get() + ", so it is not run");
        }
        ProcessHandle earlier = stuck.get(tool.name());
        if (earlier != null && earlier.isAlive()) {
            return new CommandOutcome.Failed(
                    "an earlier run (process " + earlier.pid() + ") hangs and cannot be ended");
        }
        return start(tool, file.get(), arguments, limits);
    }

    private CommandOutcome start(Tool tool, Path file, List<String> arguments, CommandLimits limits) {
        List<String> words = new ArrayList<>(List.of(file.toString()));
        words.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(words);
        Map<String, String> environment = builder.environment();
        environment.clear();
        environment.put("LC_ALL", "C");
        environment.put(SHOWN_PATH, SEARCH_PATH);
        OrphanedProcesses leftBehind = new OrphanedProcesses(System.nanoTime() + "." + tool.name());
        environment.put(OrphanedProcesses.VARIABLE, leftBehind.mark());
        File nothing = new File(File.separatorChar == '/' ? "/dev/null" : "NUL");
        builder.redirectInput(nothing);
        if (File.separatorChar == '/') {
            builder.directory(new File("/"));
        }
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            return new CommandOutcome.Failed(String.valueOf(e.getMessage()));
        }
        RunningCommand running = new RunningCommand(process, limits);
        CommandOutcome outcome = running.await();
        leftBehind.end(process.pid());
        if (process.isAlive()) {
            stuck.put(tool.name(), process.toHandle());
        } else {
            stuck.remove(tool.name());
        }
        return outcome;
    }

    private Optional<Path> findFile(Tool tool) {
        for (List<String> folders : List.of(ownFolders, usualFolders, tool.folders())) {
            for (String folder : folders) {
                File file = new File(folder, tool.name());
                if (file.isFile() && file.canExecute()) {
                    return Optional.of(file.toPath());
                }
            }
        }
        return Optional.empty();
    }
}
