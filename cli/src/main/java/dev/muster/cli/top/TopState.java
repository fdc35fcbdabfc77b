// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.top;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The user's choices: panes, order, filters, position. Immutable; a key creates a new one.
///
/// @param hidden the panes that are not wanted
/// @param focus the pane that keys speak to
/// @param deviceSort the order of devices
/// @param processSort the order of processes
/// @param deviceFilter text that names of devices must contain
/// @param processFilter text that a field of processes must contain
/// @param editing true if the filter of the pane is being typed
/// @param tree true if processes stand below their parents
/// @param paused true if the picture stands still
/// @param help true if the keys are explained
/// @param offsets for each pane, the line that is marked or stands first
/// @param confirming the process that a signal is meant for, until that is confirmed; 0 for none
/// @param wish request to the loop
record TopState(
        Set<Pane> hidden,
        Pane focus,
        DeviceRow.Sort deviceSort,
        ProcessRow.Sort processSort,
        String deviceFilter,
        String processFilter,
        boolean editing,
        boolean tree,
        boolean paused,
        boolean help,
        Map<Pane, Integer> offsets,
        long confirming,
        Wish wish) {
    private static final int MOST_FILTER = 60;

    /// A request to the loop.
    enum Wish {
        NOTHING,
        QUIT,
        STEP,
        FASTER,
        SLOWER,
        SIGNAL
    }

    /// The facts about the screen for handling keys.
    ///
    /// @param lines number of lines the pane with the focus has to show
    /// @param page number of them on a page
    /// @param marked the process that is marked; 0 for none
    /// @param signals true if signals may be sent
    /// @param replay true if a recording is played
    record Surroundings(int lines, int page, long marked, boolean signals, boolean replay) {}

    static TopState initial(boolean paused) {
        return new TopState(
                Set.of(),
                Pane.PROCESSES,
                DeviceRow.Sort.INDEX,
                ProcessRow.Sort.MEMORY,
                "",
                "",
                false,
                false,
                paused,
                false,
                Map.of(),
                0,
                Wish.NOTHING);
    }

    int offset(Pane pane) {
        return offsets.getOrDefault(pane, 0);
    }

    /// Returns the state after a key.
    TopState press(Key key, Surroundings around) {
        TopState calm = wish == Wish.NOTHING ? this : withWish(Wish.NOTHING);
        if (calm.confirming != 0) {
            boolean yes = key instanceof Key.Letter(int letter) && (letter == 'y' || letter == 'Y');
            return yes ? calm.withWish(Wish.SIGNAL) : calm.withConfirming(0);
        }
        if (calm.editing) {
            return calm.edit(key);
        }
        if (calm.help) {
            boolean quit = key instanceof Key.Letter(int letter) && letter == 'q';
            return quit ? calm.withWish(Wish.QUIT) : calm.withHelp(false);
        }
        return switch (key) {
            case Key.Letter(int letter) -> calm.letter(letter, around);
            case Key.Named named -> calm.move(named, around);
            case Key.Size _ -> calm;
        };
    }

    private TopState letter(int letter, Surroundings around) {
        return switch (letter) {
            case 'q', 'Q' -> withWish(Wish.QUIT);
            case 'h', '?' -> withHelp(true);
            case ' ', 'p' -> withPaused(!paused);
            case '.', 'n' -> around.replay() ? withWish(Wish.STEP) : this;
            case '+' -> around.replay() ? withWish(Wish.FASTER) : this;
            case '-' -> around.replay() ? withWish(Wish.SLOWER) : this;
            case 's' -> sorted();
            case 't' -> new Change(this).tree(!tree).state();
            case 'x' -> hide();
            case '/' -> new Change(this).editing(true).state();
            case 'j' -> move(Key.Named.DOWN, around);
            case 'k' -> around.signals() && around.marked() != 0 ? withConfirming(around.marked()) : this;
            default -> pane(letter).map(this::choose).orElse(this);
        };
    }

    private static Optional<Pane> pane(int key) {
        return Arrays.stream(Pane.values()).filter(pane -> pane.key() == key).findFirst();
    }

    private TopState sorted() {
        return focus == Pane.DEVICES
                ? new Change(this).deviceSort(deviceSort.next()).state()
                : new Change(this).processSort(processSort.next()).state();
    }

    /// Goes to a pane and shows it.
    private TopState choose(Pane pane) {
        Set<Pane> changed = EnumSet.noneOf(Pane.class);
        changed.addAll(hidden);
        changed.remove(pane);
        return new Change(this).hidden(changed).focus(pane).state();
    }

    /// Hides the pane with the focus, which goes to another.
    private TopState hide() {
        Set<Pane> changed = EnumSet.of(focus);
        changed.addAll(hidden);
        Pane other = focus == Pane.PROCESSES ? Pane.DEVICES : Pane.PROCESSES;
        return new Change(this).hidden(changed).focus(other).state();
    }

    private TopState move(Key.Named key, Surroundings around) {
        int page = Math.max(1, around.page());
        return switch (key) {
            case UP -> scroll(-1, around);
            case DOWN -> scroll(1, around);
            case PAGE_UP -> scroll(-page, around);
            case PAGE_DOWN -> scroll(page, around);
            case HOME -> scroll(-around.lines(), around);
            case END -> scroll(around.lines(), around);
            case TAB -> withFocus(next(1));
            case BACK_TAB -> withFocus(next(-1));
            case RIGHT -> around.replay() ? withWish(Wish.STEP) : this;
            case ESCAPE -> withoutFilter();
            case LEFT, ENTER, BACKSPACE, SUSPEND -> this;
        };
    }

    private Pane next(int step) {
        List<Pane> all = List.of(Pane.values());
        int at = all.indexOf(focus);
        for (int i = 1; i <= all.size(); i++) {
            Pane pane = all.get(Math.floorMod(at + i * step, all.size()));
            if (!hidden.contains(pane)) {
                return pane;
            }
        }
        return focus;
    }

    /// Processes have a line that is marked; other panes have a first line.
    private TopState scroll(int lines, Surroundings around) {
        int last = focus == Pane.PROCESSES ? around.lines() - 1 : around.lines() - around.page();
        Map<Pane, Integer> moved = new HashMap<>(offsets);
        moved.put(focus, Math.clamp((long) offset(focus) + lines, 0, Math.max(0, last)));
        return new Change(this).offsets(moved).state();
    }

    private TopState edit(Key key) {
        return switch (key) {
            case Key.Letter(int letter) -> {
                String filter = filter();
                yield filter.length() >= MOST_FILTER ? this : withFilter(filter + Character.toString(letter));
            }
            case Key.Named.BACKSPACE -> {
                String filter = filter();
                yield filter.isEmpty()
                        ? new Change(this).editing(false).state()
                        : withFilter(filter.substring(0, filter.offsetByCodePoints(filter.length(), -1)));
            }
            case Key.Named.ENTER, Key.Named.TAB ->
                new Change(this).editing(false).state();
            case Key.Named.ESCAPE -> withoutFilter();
            default -> this;
        };
    }

    /// Returns the filter of the pane with the focus: of devices, or else of processes.
    String filter() {
        return focus == Pane.DEVICES ? deviceFilter : processFilter;
    }

    private TopState withFilter(String text) {
        Change change = new Change(this);
        return (focus == Pane.DEVICES ? change.deviceFilter(text) : change.processFilter(text)).state();
    }

    private TopState withoutFilter() {
        return new Change(withFilter("")).editing(false).state();
    }

    TopState withWish(Wish next) {
        return new Change(this).wish(next).state();
    }

    TopState withConfirming(long pid) {
        return new Change(this).confirming(pid).state();
    }

    TopState withPaused(boolean still) {
        return new Change(this).paused(still).state();
    }

    private TopState withHelp(boolean shown) {
        return new Change(this).help(shown).state();
    }

    TopState withHidden(Set<Pane> panes) {
        return new Change(this).hidden(panes).state();
    }

    TopState withFocus(Pane pane) {
        return new Change(this).focus(pane).state();
    }

    /// Builds a state that differs from another in a few things. Confined to one thread.
    private static final class Change {
        private Set<Pane> hidden;
        private Pane focus;
        private DeviceRow.Sort deviceSort;
        private ProcessRow.Sort processSort;
        private String deviceFilter;
        private String processFilter;
        private boolean editing;
        private boolean tree;
        private boolean paused;
        private boolean help;
        private Map<Pane, Integer> offsets;
        private long confirming;
        private Wish wish;

        Change(TopState from) {
            this.hidden = from.hidden;
            this.focus = from.focus;
            this.deviceSort = from.deviceSort;
            this.processSort = from.processSort;
            this.deviceFilter = from.deviceFilter;
            this.processFilter = from.processFilter;
            this.editing = from.editing;
            this.tree = from.tree;
            this.paused = from.paused;
            this.help = from.help;
            this.offsets = from.offsets;
            this.confirming = from.confirming;
            this.wish = from.wish;
        }

        Change hidden(Set<Pane> value) {
            this.hidden = value;
            return this;
        }

        Change focus(Pane value) {
            this.focus = value;
            return this;
        }

        Change deviceSort(DeviceRow.Sort value) {
            this.deviceSort = value;
            return this;
        }

        Change processSort(ProcessRow.Sort value) {
            this.processSort = value;
            return this;
        }

        Change deviceFilter(String value) {
            this.deviceFilter = value;
            return this;
        }

        Change processFilter(String value) {
            this.processFilter = value;
            return this;
        }

        Change editing(boolean value) {
            this.editing = value;
            return this;
        }

        Change tree(boolean value) {
            this.tree = value;
            return this;
        }

        Change paused(boolean value) {
            this.paused = value;
            return this;
        }

        Change help(boolean value) {
            this.help = value;
            return this;
        }

        Change offsets(Map<Pane, Integer> value) {
            this.offsets = value;
            return this;
        }

        Change confirming(long value) {
            this.confirming = value;
            return this;
        }

        Change wish(Wish value) {
            this.wish = value;
            return this;
        }

        TopState state() {
            return new TopState(
                    Set.copyOf(hidden),
                    focus,
                    deviceSort,
                    processSort,
                    deviceFilter,
                    processFilter,
                    editing,
                    tree,
                    paused,
                    help,
                    Map.copyOf(offsets),
                    confirming,
                    wish);
        }
    }
}
