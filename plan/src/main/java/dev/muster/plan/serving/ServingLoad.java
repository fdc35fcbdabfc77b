// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.serving;

/// The load on a deployment: its clients and their send times.
///
/// @since 0.1
public sealed interface ServingLoad {
    /// The largest number of users, and of concurrent requests.
    int MOST = 1_000_000;

    /// Returns the load as a short text.
    String display();

    /// Users who each send a request as soon as the last one is answered; all begin at once.
    ///
    /// @param users number of users
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

    /// Requests that arrive at random (Poisson), whether others are answered or not.
    ///
    /// @param perSecond mean requests per second
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
    /// @param requests number of requests
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

    /// Recorded requests, at their own times and with their own lengths.
    ///
    /// @param trace the trace
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
