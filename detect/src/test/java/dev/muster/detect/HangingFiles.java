// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect;

import dev.muster.detect.host.HostAnswer;
import dev.muster.detect.host.HostFiles;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;

/// Files some of which block their reader for ever, as a driver does: no interruption helps.
public final class HangingFiles extends OtherFiles {
    private final Predicate<String> paths;
    private final CountDownLatch end;

    /// @param paths those that hang
    /// @param end time at which they answer after all
    public HangingFiles(HostFiles files, Predicate<String> paths, CountDownLatch end) {
        super(files);
        this.paths = paths;
        this.end = end;
    }

    @Override
    public HostAnswer<String> read(String asked, int maxBytes) {
        boolean interrupted = false;
        while (paths.test(asked) && end.getCount() > 0) {
            try {
                end.await();
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return super.read(asked, maxBytes);
    }
}
