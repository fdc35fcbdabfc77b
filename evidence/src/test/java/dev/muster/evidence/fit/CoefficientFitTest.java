// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.fit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.plan.cost.MeasuredClass;
import dev.muster.plan.time.Coefficient;
import dev.muster.plan.time.CoefficientTable;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class CoefficientFitTest {
    private static final List<Coefficient> BELIEFS = List.of(
            new Coefficient("rate", 10, 10, 2),
            new Coefficient("start", 1, 1, 2),
            new Coefficient("rate/device/*", 1, 1, 0.1),
            new Coefficient("fixed", 3, 3, 0));

    @Test
    void findsWhatTheRowsWereMadeWith() {
        List<MeasuredCase> cases = new ArrayList<>();
        for (int size = 1; size <= 20; size++) {
            cases.add(row("a" + size, size, 2 + size / 40.0, 1, "none"));
        }
        CoefficientTable fitted = CoefficientTable.of(fit(cases).fitted());
        assertThat(fitted.get("rate") * fitted.get("rate/device/none")).isCloseTo(40, Percentage.withPercentage(3));
        assertThat(fitted.get("start")).isCloseTo(2, Percentage.withPercentage(1));
    }

    @Test
    void oneRowThatIsWrongDoesNotMoveTheOthers() {
        List<MeasuredCase> cases = new ArrayList<>();
        for (int size = 1; size <= 20; size++) {
            cases.add(row("a" + size, size, size == 7 ? 1000 : 2 + size / 40.0, 1, "none"));
        }
        CoefficientTable fitted = CoefficientTable.of(fit(cases).fitted());
        assertThat(fitted.get("start")).isCloseTo(2, Percentage.withPercentage(2));
    }

    @Test
    void rowsWithoutWeightTeachNothing() {
        List<Coefficient> fitted = fit(List.of(row("a", 5, 100, 0, "none"))).fitted();
        assertThat(fitted).isEmpty();
    }

    @Test
    void aDeviceStaysNearItsKin() {
        List<MeasuredCase> cases = new ArrayList<>();
        for (int size = 1; size <= 20; size++) {
            cases.add(row("a" + size, size * 100, 1 + size * 100 / 40.0, 1, "usual"));
        }
        cases.add(row("odd", 1000, 1 + 1000 / 20.0, 1, "odd"));
        CoefficientTable fitted = CoefficientTable.of(fit(cases).fitted());
        assertThat(fitted.get("rate/device/odd")).isBetween(0.5, 0.99);
        assertThat(fitted.get("rate/device/usual")).isBetween(0.9, 1.1);
    }

    /// A fit without a group equals one to rows that never had it.
    @Test
    void aGroupThatIsLeftOutTeachesNothing() {
        List<MeasuredCase> others = new ArrayList<>();
        List<MeasuredCase> all = new ArrayList<>();
        for (int size = 1; size <= 20; size++) {
            others.add(row("a" + size, size, 2 + size / 40.0, 1, "none"));
            all.add(row("b" + size, "other", size, 3 + size / 30.0, 1, "none"));
        }
        all.addAll(others);
        CoefficientTable without = CoefficientTable.of(fit(all).fittedWithout("other"));
        CoefficientTable never = CoefficientTable.of(fit(others).fitted());
        assertThat(without.get("rate")).isCloseTo(never.get("rate"), Percentage.withPercentage(1));
        assertThat(without.get("start")).isCloseTo(never.get("start"), Percentage.withPercentage(1));
    }

    private static CoefficientFit fit(List<MeasuredCase> cases) {
        return CoefficientFit.of(BELIEFS, cases, CoefficientTable.of(BELIEFS));
    }

    private static MeasuredCase row(String id, double size, double measured, double weight, String device) {
        return row(id, "group", size, measured, weight, device);
    }

    /// The form is `(start + size / rate) x fixed / 3`.
    private static MeasuredCase row(
            String id, String group, double size, double measured, double weight, String device) {
        return new MeasuredCase(
                id,
                group,
                MeasuredClass.PREFILL,
                measured,
                weight,
                c -> (c.get("start") + size / (c.get("rate") * c.factor("rate/device/" + device)))
                        * c.get("fixed")
                        / 3);
    }
}
