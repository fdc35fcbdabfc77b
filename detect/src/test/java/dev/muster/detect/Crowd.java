// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.function.Supplier;

/// Many threads that do the same at the same moment.
final class Crowd {
    private Crowd() {}

    static <T> List<T> of(int size, Supplier<T> work) throws InterruptedException {
        CyclicBarrier barrier = new CyclicBarrier(size);
        List<T> results = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            threads.add(Thread.ofPlatform().start(() -> {
                try {
                    barrier.await();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
                T result = work.get();
                synchronized (results) {
                    results.add(result);
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return results;
    }
}
