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

/// Coefficients that change while they are fitted, and that notice who asks for them. Confined to one thread.
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

    /// Coefficients for all that the cases ask for.
    static TrialCoefficients of(List<Coefficient> priors, List<MeasuredCase> cases) {
        TrialCoefficients trial = new TrialCoefficients(priors);
        for (MeasuredCase one : cases) {
            one.prediction().with(trial);
        }
        trial.isGrowing = false;
        return trial;
    }

    /// The same coefficients for another thread.
    TrialCoefficients copy() {
        return new TrialCoefficients(this);
    }

    /// Takes values over that others have found.
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

    /// A name that was not there follows the belief whose name is nearest to it.
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

    /// Which of the fitted coefficients a case asks for.
    BitSet trace(MeasuredCase one) {
        BitSet places = new BitSet();
        asked = places;
        one.prediction().with(this);
        asked = null;
        places.andNot(constants);
        return places;
    }

    /// Places of coefficients that cases asked for and that are fitted, in ascending order.
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

    /// How much it costs to leave a belief: 1 for a spread squared.
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

    /// The coefficients that cases asked for: those of some places with these values, the others as they are believed.
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
