// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.serving;

/// Who sends requests to a deployment, and when.
///
/// @since 0.1
public sealed interface ServingLoad {
    /// The most users, and the most requests at once.
    int MOST = 1_000_000;

    /// The load in a few words, for people.
    String display();

    /// Users who each send a request as soon as the last one is answered; all begin at once.
    ///
    /// @param users how many there are
    record Users(int users) implements ServingLoad {
        /// Checks the number.
        ///
        /// @throws IllegalArgumentException if there is none
        public Users {
            if (users < 1 || users > MOST) {
                throw new IllegalArgumentException("there are 1 to " + MOST + " users");
            }
        }

        @Override
        public String display() {
            return users == 1 ? "1 user" : users + " users";
        }
    }

    /// Requests that come by chance (Poisson), whether others are answered or not.
    ///
    /// @param perSecond requests per second on average
    record Rate(double perSecond) implements ServingLoad {
        /// Checks the number.
        ///
        /// @throws IllegalArgumentException if there are none
        public Rate {
            if (!(perSecond > 0 && perSecond < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException("a rate is above 0");
            }
        }

        @Override
        public String display() {
            return (perSecond == Math.rint(perSecond) ? String.valueOf((long) perSecond) : String.valueOf(perSecond))
                    + " requests/s";
        }
    }

    /// Requests that are all sent at once.
    ///
    /// @param requests how many there are
    record Burst(int requests) implements ServingLoad {
        /// Checks the number.
        ///
        /// @throws IllegalArgumentException if there is none
        public Burst {
            if (requests < 1 || requests > MOST) {
                throw new IllegalArgumentException("a burst has 1 to " + MOST + " requests");
            }
        }

        @Override
        public String display() {
            return "a burst of " + requests;
        }
    }

    /// Requests that were recorded, at their own times and with their own lengths.
    ///
    /// @param trace what was recorded
    record Replay(RequestTrace trace) implements ServingLoad {
        /// Checks the trace.
        ///
        /// @throws IllegalArgumentException if it has no times
        public Replay {
            if (!trace.hasTimes()) {
                throw new IllegalArgumentException("the trace does not say when requests were sent; give users or a"
                        + " rate, and it gives the lengths");
            }
        }

        @Override
        public String display() {
            return "a trace of " + trace.size() + " requests";
        }
    }
}
