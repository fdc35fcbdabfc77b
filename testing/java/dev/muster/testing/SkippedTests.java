// SPDX-License-Identifier: Apache-2.0
package dev.muster.testing;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/// Says at the end of a module's tests how many were not run, and what they need. Where Maven runs the classes of a module
/// in several processes it makes a plan of each class, so there it is said class by class.
public final class SkippedTests implements TestExecutionListener {
    private final Map<TestIdentifier, String> reasons = new ConcurrentHashMap<>();
    private final Consumer<String> out;

    /// As JUnit makes it.
    public SkippedTests() {
        this(System.out::println);
    }

    public SkippedTests(Consumer<String> out) {
        this.out = out;
    }

    @Override
    public void executionSkipped(TestIdentifier skipped, String reason) {
        reasons.put(skipped, reason);
    }

    @Override
    public void executionFinished(TestIdentifier finished, TestExecutionResult result) {
        if (result.getStatus() == TestExecutionResult.Status.ABORTED) {
            reasons.put(finished, result.getThrowable().map(Throwable::getMessage).orElse("for no stated reason"));
        }
    }

    @Override
    public void testPlanExecutionFinished(TestPlan plan) {
        Map<String, Long> counts = new TreeMap<>();
        reasons.forEach((skipped, reason) -> counts.merge(reason, tests(skipped, plan), Long::sum));
        long all = counts.values().stream().mapToLong(Long::longValue).sum();
        if (all > 0) {
            StringBuilder text = new StringBuilder("!!! NOT RUN: " + all + (all == 1 ? " test" : " tests"));
            counts.forEach((reason, count) -> text.append("\n!!!   " + count + ": " + reason));
            out.accept(text.toString());
        }
        reasons.clear();
    }

    /// The number of tests in a class. A test that was not begun counts as one, since the number of its rows is
    /// unknown.
    private static long tests(TestIdentifier skipped, TestPlan plan) {
        long within = plan.getDescendants(skipped).stream()
                .filter(each -> plan.getChildren(each).isEmpty())
                .count();
        return Math.max(1, within);
    }
}
