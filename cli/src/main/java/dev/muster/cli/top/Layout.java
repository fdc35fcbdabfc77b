// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.top;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// The positions of panes. The devices come first, then the pane with the focus, then processes, alerts, history and
/// topology; what has no room is left out.
final class Layout {
    /// From here on there is room for two columns below the devices.
    private static final int WIDE = 150;

    private static final int SIDE = 82;
    private static final int HEADS = 2;
    private static final int LEAST_TABLE = 5;
    private static final int LEAST_HISTORY = 4;
    private static final int MOST_HISTORY = 9;
    /// The size from which on panes are not enlarged.
    private static final int TALLEST_HISTORY = 16;

    private static final int LEAST_ALERTS = 2;
    private static final int MOST_ALERTS = 4;
    private static final int USUAL_TABLE = 12;

    private Layout() {}

    /// The number of lines of each pane.
    ///
    /// @param devices rows of devices
    /// @param processes rows of processes
    /// @param topology rows of the matrix
    /// @param alerts alerts and gaps
    record Wanted(int devices, int processes, int topology, int alerts) {}

    /// Returns the areas of the panes that are seen, with the line of their titles.
    static Map<Pane, Area> of(TopState state, Wanted wanted, Area whole) {
        boolean side = whole.width() >= WIDE
                && (isShown(state, Pane.TOPOLOGY) || isShown(state, Pane.ALERTS))
                && isShown(state, Pane.PROCESSES);
        Map<Pane, Integer> heights = new EnumMap<>(Pane.class);
        int left = whole.height();
        int usual = Math.min(HEADS + wanted.processes(), USUAL_TABLE);
        for (Pane pane : order(state)) {
            if (pane == Pane.TOPOLOGY && state.focus() != pane) {
                // A matrix says the same for hours: it stands where nothing that changes could.
                left = grow(heights, Pane.HISTORY, MOST_HISTORY, grow(heights, Pane.PROCESSES, usual, left));
                if (wanted.topology() == 0 || left < HEADS + wanted.topology()) {
                    continue;
                }
            }
            boolean aside = side && (pane == Pane.TOPOLOGY || pane == Pane.ALERTS);
            if (!isShown(state, pane) || aside) {
                continue;
            }
            int reserve = pane == Pane.DEVICES && isShown(state, state.focus()) ? LEAST_TABLE : 0;
            int height = Math.min(first(pane, wanted, state), left - (state.focus() == pane ? 0 : reserve));
            if (height >= least(pane)) {
                heights.put(pane, height);
                left -= height;
            }
        }
        left = grow(heights, Pane.PROCESSES, usual, left);
        left = grow(heights, Pane.HISTORY, MOST_HISTORY, left);
        left = grow(heights, Pane.ALERTS, 1 + wanted.alerts(), left);
        left = grow(heights, Pane.PROCESSES, HEADS + wanted.processes(), left);
        left = grow(heights, Pane.HISTORY, TALLEST_HISTORY, left);
        Pane last = heights.containsKey(Pane.PROCESSES) ? Pane.PROCESSES : Pane.DEVICES;
        grow(heights, last, Integer.MAX_VALUE, left);
        return place(heights, state, wanted, whole, side);
    }

    private static List<Pane> order(TopState state) {
        List<Pane> usual = new ArrayList<>(List.of(Pane.PROCESSES, Pane.ALERTS, Pane.HISTORY, Pane.TOPOLOGY));
        usual.remove(state.focus());
        if (state.focus() != Pane.DEVICES) {
            usual.addFirst(state.focus());
        }
        usual.addFirst(Pane.DEVICES);
        return usual;
    }

    private static boolean isShown(TopState state, Pane pane) {
        return !state.hidden().contains(pane);
    }

    /// The lines that a pane gets before others get more than they need.
    private static int first(Pane pane, Wanted wanted, TopState state) {
        return switch (pane) {
            case DEVICES -> HEADS + Math.max(1, wanted.devices());
            case PROCESSES -> LEAST_TABLE;
            case TOPOLOGY -> HEADS + wanted.topology();
            case HISTORY -> LEAST_HISTORY;
            case ALERTS ->
                wanted.alerts() == 0 && state.focus() != pane
                        ? 0
                        : Math.clamp(1L + wanted.alerts(), LEAST_ALERTS, MOST_ALERTS);
        };
    }

    private static int least(Pane pane) {
        return switch (pane) {
            case DEVICES, PROCESSES, TOPOLOGY -> HEADS + 1;
            case HISTORY -> LEAST_HISTORY;
            case ALERTS -> LEAST_ALERTS;
        };
    }

    private static int grow(Map<Pane, Integer> heights, Pane pane, int most, int left) {
        Integer height = heights.get(pane);
        if (height == null || left <= 0) {
            return left;
        }
        int more = Math.clamp((long) most - height, 0, left);
        heights.put(pane, height + more);
        return left - more;
    }

    private static Map<Pane, Area> place(
            Map<Pane, Integer> heights, TopState state, Wanted wanted, Area whole, boolean side) {
        Map<Pane, Area> areas = new EnumMap<>(Pane.class);
        int y = whole.y();
        for (Pane pane : Pane.values()) {
            if (heights.containsKey(pane)) {
                areas.put(pane, new Area(whole.x(), y, whole.width(), heights.get(pane)));
                y += heights.get(pane);
            }
        }
        Area processes = areas.get(Pane.PROCESSES);
        if (side && processes != null) {
            int width = processes.width() - SIDE - 1;
            areas.put(Pane.PROCESSES, new Area(processes.x(), processes.y(), width, processes.height()));
            placeAside(
                    areas, state, wanted, new Area(processes.x() + width + 1, processes.y(), SIDE, processes.height()));
        }
        return areas;
    }

    private static void placeAside(Map<Pane, Area> areas, TopState state, Wanted wanted, Area aside) {
        int topology = isShown(state, Pane.TOPOLOGY) && wanted.topology() > 0
                ? Math.min(HEADS + wanted.topology(), aside.height())
                : 0;
        if (topology >= least(Pane.TOPOLOGY)) {
            areas.put(Pane.TOPOLOGY, new Area(aside.x(), aside.y(), aside.width(), topology));
        } else {
            topology = 0;
        }
        if (isShown(state, Pane.ALERTS) && aside.height() - topology >= LEAST_ALERTS) {
            areas.put(Pane.ALERTS, aside.below(topology));
        }
    }
}
