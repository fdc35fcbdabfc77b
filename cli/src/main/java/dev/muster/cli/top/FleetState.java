// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.top;

/// The user's choices among the hosts of a fleet. Immutable; a key creates a new one.
///
/// @param users true if rows are users, false for hosts
/// @param sort the order of hosts
/// @param filter text that rows must contain
/// @param editing true if the filter is being typed
/// @param marked the marked row
/// @param paused true if the picture stands still
/// @param help true if the keys are explained
/// @param wish request to the loop
record FleetState(
        boolean users,
        HostRow.Sort sort,
        String filter,
        boolean editing,
        int marked,
        boolean paused,
        boolean help,
        Wish wish) {
    private static final int MOST_FILTER = 60;

    /// A request to the loop.
    enum Wish {
        NOTHING,
        QUIT,
        OPEN
    }

    static FleetState initial() {
        return new FleetState(false, HostRow.Sort.LOAD, "", false, 0, false, false, Wish.NOTHING);
    }

    /// Returns the state after a key.
    ///
    /// @param lines number of rows
    /// @param page number of rows on a page
    FleetState press(Key key, int lines, int page) {
        FleetState calm = with(marked, Wish.NOTHING);
        if (calm.editing) {
            return calm.edit(key);
        }
        if (calm.help) {
            return key instanceof Key.Letter(int letter) && letter == 'q'
                    ? calm.with(marked, Wish.QUIT)
                    : new FleetState(users, sort, filter, false, marked, paused, false, Wish.NOTHING);
        }
        return switch (key) {
            case Key.Letter(int letter) -> calm.letter(letter);
            case Key.Named named -> calm.move(named, lines, page);
            case Key.Size _ -> calm;
        };
    }

    private FleetState letter(int letter) {
        return switch (letter) {
            case 'q', 'Q' -> with(marked, Wish.QUIT);
            case 'h', '?' -> new FleetState(users, sort, filter, false, marked, paused, true, Wish.NOTHING);
            case ' ', 'p' -> new FleetState(users, sort, filter, false, marked, !paused, false, Wish.NOTHING);
            case 'u' -> new FleetState(!users, sort, "", false, 0, paused, false, Wish.NOTHING);
            case 's' -> new FleetState(users, sort.next(), filter, false, 0, paused, false, Wish.NOTHING);
            case '/' -> new FleetState(users, sort, filter, true, 0, paused, false, Wish.NOTHING);
            default -> this;
        };
    }

    private FleetState move(Key.Named key, int lines, int page) {
        int to = switch (key) {
            case UP -> marked - 1;
            case DOWN -> marked + 1;
            case PAGE_UP -> marked - page;
            case PAGE_DOWN -> marked + page;
            case HOME -> 0;
            case END -> lines - 1;
            default -> marked;
        };
        FleetState moved = with(Math.clamp(to, 0, Math.max(0, lines - 1)), Wish.NOTHING);
        return switch (key) {
            case ENTER, RIGHT -> lines == 0 ? moved : moved.with(moved.marked, Wish.OPEN);
            case ESCAPE -> new FleetState(users, sort, "", false, 0, paused, false, Wish.NOTHING);
            default -> moved;
        };
    }

    private FleetState edit(Key key) {
        return switch (key) {
            case Key.Letter(int letter)
            when filter.length() < MOST_FILTER ->
                new FleetState(users, sort, filter + Character.toString(letter), true, 0, paused, false, wish);
            case Key.Named.BACKSPACE ->
                new FleetState(
                        users,
                        sort,
                        filter.isEmpty() ? "" : filter.substring(0, filter.offsetByCodePoints(filter.length(), -1)),
                        true,
                        0,
                        paused,
                        false,
                        wish);
            case Key.Named.ENTER -> new FleetState(users, sort, filter, false, 0, paused, false, wish);
            case Key.Named.ESCAPE -> new FleetState(users, sort, "", false, 0, paused, false, wish);
            default -> this;
        };
    }

    /// Returns a copy in which no row is marked, for output that nobody moves in.
    FleetState unmarked() {
        return with(-1, Wish.NOTHING);
    }

    /// Returns the hosts of a user.
    FleetState hostsOf(String user) {
        return new FleetState(false, sort, user, false, 0, paused, false, Wish.NOTHING);
    }

    private FleetState with(int row, Wish wanted) {
        return new FleetState(users, sort, filter, editing, row, paused, help, wanted);
    }
}
