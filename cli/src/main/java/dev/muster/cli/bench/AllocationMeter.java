package dev.muster.cli.bench;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.LongSupplier;

/// How many bytes of objects the calling thread has allocated.
final class AllocationMeter {
    private AllocationMeter() {}

    static LongSupplier ofThisThread() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        return threads::getCurrentThreadAllocatedBytes;
    }
}
