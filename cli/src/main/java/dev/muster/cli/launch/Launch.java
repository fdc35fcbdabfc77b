package dev.muster.cli.launch;

import dev.muster.cli.launch.RankProcess.Event;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// Processes from their start to the end of the last one. When one fails, the others get a grace period to end by
/// themselves, then SIGTERM, then another, then SIGKILL. Confined to the thread that runs it, but for [#endAll].
public final class Launch implements AutoCloseable {
    private static final int MAX_EVENTS = 1_024;
    private static final int MAX_BATCH = 256;

    /// How far the end of all processes has come.
    private enum Stage {
        RUNNING,
        FAILED,
        ASKED,
        ENDED
    }

    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>(MAX_EVENTS);
    private final List<RankProcess> processes = new ArrayList<>();
    private final Duration grace;
    private final Thread hook = Thread.ofPlatform().name("muster-launch-hook").unstarted(this::endAll);
    private Stage stage = Stage.RUNNING;
    private long deadline;
    private int running;
    private int code;

    private Launch(Duration grace) {
        this.grace = grace;
    }

    /// Starts all processes; if one cannot be started, none stays.
    ///
    /// @throws IOException if one cannot be started
    public static Launch start(LaunchRequest request) throws IOException {
        Launch launch = new Launch(request.grace());
        Runtime.getRuntime().addShutdownHook(launch.hook);
        try {
            for (int rank = 0; rank < request.environments().size(); rank++) {
                launch.start(rank, request.command(), request.environments().get(rank));
            }
            return launch;
        } catch (IOException e) {
            launch.close();
            throw e;
        }
    }

    private void start(int rank, List<String> command, Map<String, String> environment) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().clear();
        builder.environment().putAll(environment);
        Process process = builder.start();
        processes.add(RankProcess.of(rank, process, events));
        running++;
    }

    /// Tells what happens until all processes have ended; gives the exit code of the first that failed, or 0.
    public int run(LaunchListener listener) throws InterruptedException {
        while (running > 0) {
            Event event = stage == Stage.RUNNING || stage == Stage.ENDED
                    ? events.take()
                    : events.poll(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
            for (int i = 0; event != null && i < MAX_BATCH; i++) {
                tell(event, listener);
                event = events.poll();
            }
            if (event != null) {
                tell(event, listener);
            }
            if (!listener.onPause() && stage.compareTo(Stage.ASKED) < 0) {
                ask();
            }
            advance();
        }
        return code;
    }

    private void tell(Event event, LaunchListener listener) {
        switch (event) {
            case Event.Line line -> listener.onLine(line.rank(), line.error(), line.text());
            case Event.Ended(RankEnd end) -> {
                running--;
                if (end.isFailure() && stage == Stage.RUNNING) {
                    code = end.code();
                    stage = Stage.FAILED;
                    deadline = System.nanoTime() + grace.toNanos();
                }
                listener.onEnd(end);
            }
        }
    }

    private void advance() {
        boolean due = System.nanoTime() - deadline >= 0;
        if (stage == Stage.FAILED && due) {
            ask();
        } else if (stage == Stage.ASKED && due) {
            processes.forEach(RankProcess::end);
            stage = Stage.ENDED;
        }
    }

    private void ask() {
        processes.forEach(RankProcess::ask);
        stage = Stage.ASKED;
        deadline = System.nanoTime() + grace.toNanos();
    }

    /// Asks all processes to end, and after the grace period ends them: what a signal to this program does.
    private void endAll() {
        processes.forEach(RankProcess::ask);
        long end = System.nanoTime() + grace.toNanos();
        try {
            for (RankProcess process : processes) {
                process.await(end - System.nanoTime());
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        processes.forEach(RankProcess::end);
    }

    /// Leaves no process behind.
    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException _) {
            // The program is ending already, and the hook does the rest.
            return;
        }
        processes.forEach(RankProcess::end);
    }
}
