// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.timed;

import dev.muster.core.Gap;
import dev.muster.detect.host.HostAnswer;
import dev.muster.detect.host.HostFiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The files of a host, for one round of questions: knows which file each thread is reading, so that others can tell
/// that one does not answer. A file that was given up is not touched again. Safe to share between threads.
public final class TimedFiles implements HostFiles {
    private static final double MILLIS = 1000.0;

    private final HostFiles files;
    /// Almost always empty: replaced as a whole, so that looking costs nothing.
    private volatile List<Gap.Timeout> late = List.of();

    private volatile List<Gap.FileUnreadable> refused = List.of();

    /// @param files the files themselves
    public TimedFiles(HostFiles files) {
        this.files = files;
    }

    /// Does not touch a file again.
    ///
    /// @param millis time it was waited for
    void giveUp(String path, long millis) {
        giveUp(new Gap.Timeout(path, millis / MILLIS));
    }

    /// Does not touch a file again that was late before.
    public synchronized void giveUp(Gap.Timeout gap) {
        if (!isLate(gap.tool())) {
            List<Gap.Timeout> more = new ArrayList<>(late);
            more.add(gap);
            late = List.copyOf(more);
        }
    }

    /// Reports whether any file was given up.
    public boolean hasLate() {
        return !late.isEmpty();
    }

    /// The files that were given up, and after how long.
    public List<Gap.Timeout> late() {
        return late;
    }

    /// Reports whether a file was given up.
    public boolean isLate(String path) {
        for (Gap.Timeout gap : late) {
            if (gap.tool().equals(path)) {
                return true;
            }
        }
        return false;
    }

    private synchronized void refuse(String path, String message) {
        List<Gap.FileUnreadable> more = new ArrayList<>(refused);
        more.add(new Gap.FileUnreadable(path, message));
        refused = List.copyOf(more);
    }

    /// Returns the gaps of the probes, and one for each file that was late or not fit to be read, even if the
    /// probe that wanted it reported none.
    public List<Gap> complete(List<Gap> said) {
        List<Gap.Timeout> gaveUp = late;
        List<Gap.FileUnreadable> unfit = refused;
        if (gaveUp.isEmpty() && unfit.isEmpty()) {
            return said;
        }
        List<Gap> gaps = new ArrayList<>(gaveUp);
        for (Gap gap : said) {
            boolean known = gap instanceof Gap.FileUnreadable(String path, String _) && isLate(path);
            if (!known && !gaps.contains(gap)) {
                gaps.add(gap);
            }
        }
        for (Gap.FileUnreadable gap : unfit) {
            if (!gaps.contains(gap)) {
                gaps.add(gap);
            }
        }
        return gaps;
    }

    @Override
    public HostAnswer<String> read(String path, int maxBytes) {
        FileThread thread = enter(path);
        HostAnswer<String> outcome =
                isLate(path) ? new HostAnswer.Unreadable<>("does not answer") : files.read(path, maxBytes);
        leave(thread);
        if (outcome instanceof HostAnswer.Unreadable<String> unreadable && unreadable.isRefused()) {
            refuse(path, unreadable.message());
        }
        return outcome;
    }

    @Override
    public HostAnswer<List<String>> list(String path) {
        FileThread thread = enter(path);
        HostAnswer<List<String>> outcome =
                isLate(path) ? new HostAnswer.Unreadable<>("does not answer") : files.list(path);
        leave(thread);
        return outcome;
    }

    @Override
    public boolean exists(String path) {
        FileThread thread = enter(path);
        boolean exists = !isLate(path) && files.exists(path);
        leave(thread);
        return exists;
    }

    @Override
    public Optional<String> findLink(String path) {
        FileThread thread = enter(path);
        Optional<String> link = isLate(path) ? Optional.empty() : files.findLink(path);
        leave(thread);
        return link;
    }

    @Override
    public Optional<String> findRealPath(String path) {
        FileThread thread = enter(path);
        Optional<String> real = isLate(path) ? Optional.empty() : files.findRealPath(path);
        leave(thread);
        return real;
    }

    private static @Nullable FileThread enter(String path) {
        if (Thread.currentThread() instanceof FileThread thread) {
            thread.since = System.nanoTime();
            thread.path = path;
            return thread;
        }
        return null;
    }

    private static void leave(@Nullable FileThread thread) {
        if (thread != null) {
            thread.path = "";
        }
    }

    /// A thread that others can see waiting for a file. A platform thread, and a daemon: one that never returns from
    /// the kernel costs itself (docs/decisions/0008).
    static final class FileThread extends Thread {
        private volatile String path = "";
        private volatile long since;

        FileThread(String name, Runnable work) {
            super(null, work, name, 0, false);
            setDaemon(true);
        }

        /// The file that this thread has been waiting for so long.
        Optional<String> findLate(long nanos) {
            long began = since;
            String waiting = path;
            return !waiting.isEmpty() && System.nanoTime() - began >= nanos ? Optional.of(waiting) : Optional.empty();
        }
    }
}
