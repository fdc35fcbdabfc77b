// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.fit;

import dev.muster.plan.time.Coefficient;
import dev.muster.plan.time.Coefficients;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Coefficients that change during a fit and record their use. Confined to one thread.
final class TrialCoefficients implements Coefficients {
    private static final String ANY = "*";

    private final List<Coefficient> templates = new ArrayList<>();
    private final List<Coefficient> all = new ArrayList<>();
    private final Map<String, Integer> index = new LinkedHashMap<>();
    private double[] values = new double[16];
    private final BitSet everAsked = new BitSet();
    private final BitSet constants = new BitSet();
    private @Nullable BitSet asked;
    private boolean isGrowing = true;

    private TrialCoefficients(List<Coefficient> priors) {
        for (Coefficient prior : priors) {
            if (prior.name().endsWith(ANY)) {
                templates.add(prior);
            } else {
                add(prior);
            }
        }
    }

    private TrialCoefficients(TrialCoefficients other) {
        all.addAll(other.all);
        index.putAll(other.index);
        values = other.values.clone();
        everAsked.or(other.everAsked);
        constants.or(other.constants);
        isGrowing = false;
    }

    /// Returns coefficients for all names that the cases use.
    static TrialCoefficients of(List<Coefficient> priors, List<MeasuredCase> cases) {
        TrialCoefficients trial = new TrialCoefficients(priors);
        for (MeasuredCase one : cases) {
            one.prediction().with(trial);
        }
        trial.isGrowing = false;
        return trial;
    }

    /// Returns the same coefficients for another thread.
    TrialCoefficients copy() {
        return new TrialCoefficients(this);
    }

    /// Takes values from other coefficients.
    void begin(Coefficients start) {
        index.forEach((name, place) -> {
            if (start.has(name)) {
                values[place] = start.get(name);
            }
        });
    }

    private int add(Coefficient coefficient) {
        int place = all.size();
        index.put(coefficient.name(), place);
        all.add(coefficient);
        if (place == values.length) {
            values = Arrays.copyOf(values, 2 * place);
        }
        values[place] = coefficient.prior();
        constants.set(place, coefficient.spread() == 0);
        return place;
    }

    @Override
    public boolean has(String name) {
        return index.containsKey(name);
    }

    @Override
    public double get(String name) {
        Integer place = index.get(name);
        if (place == null) {
            throw new IllegalArgumentException("no coefficient is called '" + name + "'");
        }
        return at(place);
    }

    @Override
    public double factor(String name) {
        Integer place = index.get(name);
        if (place != null) {
            return at(place);
        }
        return isGrowing ? grow(name) : 1;
    }

    /// Returns a new name's value: that of the prior with the most similar name.
    private double grow(String name) {
        Coefficient nearest = null;
        for (Coefficient template : templates) {
            String stem = template.name().substring(0, template.name().length() - ANY.length());
            if (name.startsWith(stem)
                    && (nearest == null || stem.length() >= nearest.name().length())) {
                nearest = template;
            }
        }
        return nearest == null ? 1 : at(add(new Coefficient(name, nearest.prior(), nearest.prior(), nearest.spread())));
    }

    private double at(int place) {
        if (isGrowing) {
            everAsked.set(place);
        }
        if (asked != null) {
            asked.set(place);
        }
        return values[place];
    }

    /// Returns the fitted coefficients that a case uses.
    BitSet trace(MeasuredCase one) {
        BitSet places = new BitSet();
        asked = places;
        one.prediction().with(this);
        asked = null;
        places.andNot(constants);
        return places;
    }

    /// Returns the indices of coefficients that cases use and that are fitted, in ascending order.
    int[] fittedPlaces() {
        BitSet fitted = (BitSet) everAsked.clone();
        fitted.andNot(constants);
        return fitted.stream().toArray();
    }

    double[] logs(int[] places) {
        return Arrays.stream(places)
                .mapToDouble(place -> Math.log(values[place]))
                .toArray();
    }

    double[] priorLogs(int[] places) {
        return Arrays.stream(places)
                .mapToDouble(place -> Math.log(all.get(place).prior()))
                .toArray();
    }

    /// Returns the penalty of leaving a prior: 1 over the squared spread.
    double[] tightness(int[] places) {
        return Arrays.stream(places)
                .mapToDouble(place -> Math.pow(all.get(place).spread(), -2))
                .toArray();
    }

    void set(int[] places, double[] logs) {
        for (int i = 0; i < logs.length; i++) {
            values[places[i]] = Math.exp(logs[i]);
        }
    }

    void set(int place, double log) {
        values[place] = Math.exp(log);
    }

    /// Returns the coefficients that cases use: some of them with given values, the others at their priors.
    List<Coefficient> fitted(int[] places, double[] logs) {
        List<Coefficient> fitted = new ArrayList<>();
        int next = 0;
        for (int place = everAsked.nextSetBit(0); place >= 0; place = everAsked.nextSetBit(place + 1)) {
            Coefficient one = all.get(place);
            boolean isFitted = next < places.length && places[next] == place;
            double value = isFitted ? Math.exp(logs[next++]) : one.prior();
            fitted.add(new Coefficient(one.name(), value, one.prior(), one.spread()));
        }
        return fitted;
    }
}
