// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.simulate;

import dev.muster.plan.serving.SimulationRequest.Router;

/// What serves: workers of a model under an engine, and how requests get there.
///
/// @param workers those that read prompts, and decode unless others do
/// @param decode those that decode only; 0 replicas where prefill and decode are not apart
/// @param router how requests are spread over replicas
/// @param speculation how many tokens a step gives each sequence
/// @param prefixHit share of each prompt whose KV cache is there already, where the load does not say
/// @param client what passes between a client and the engine
/// @param transfer how the KV cache gets from prefill to decode
public record Deployment(
        Workers workers,
        Workers decode,
        Router router,
        Speculation speculation,
        double prefixHit,
        ClientDelay client,
        KvTransfer transfer) {
    /// Checks the numbers.
    ///
    /// @throws IllegalArgumentException if one is out of range
    public Deployment {
        if (workers.replicas() < 1 || !(prefixHit >= 0 && prefixHit < 1)) {
            throw new IllegalArgumentException("a deployment has a replica, and a prefix hit ratio below 1");
        }
        if (decode.replicas() > 0 && (workers.isBatch() || decode.isBatch())) {
            throw new IllegalArgumentException("an engine with fixed batches cannot decode apart from prefill");
        }
    }

    /// One replica without anything special.
    public static Deployment of(StepTimes times, SchedulerPolicy policy, long room) {
        Workers one = new Workers(times, policy, room, 1);
        return new Deployment(
                one, one.times(0), Router.ROUND_ROBIN, Speculation.NONE, 0, ClientDelay.NONE, KvTransfer.NONE);
    }

    /// Whether some workers read prompts and others decode.
    public boolean isApart() {
        return decode.replicas() > 0;
    }

    /// The same with several replicas.
    public Deployment withReplicas(int count, Router other) {
        return new Deployment(workers.times(count), decode, other, speculation, prefixHit, client, transfer);
    }

    /// The same with decoding apart, by workers that are like the others.
    public Deployment withDecode(int count, KvTransfer link) {
        return withDecode(workers.times(count), link);
    }

    /// The same with decoding apart, by workers of their own.
    public Deployment withDecode(Workers others, KvTransfer link) {
        return new Deployment(workers, others, router, speculation, prefixHit, client, link);
    }

    /// The same with drafts.
    public Deployment withSpeculation(Speculation other) {
        return new Deployment(workers, decode, router, other, prefixHit, client, transfer);
    }

    /// The same with prefixes that are there already.
    public Deployment withPrefixHit(double share) {
        return new Deployment(workers, decode, router, speculation, share, client, transfer);
    }

    /// The same with another way between client and engine.
    public Deployment withClient(ClientDelay delay) {
        return new Deployment(workers, decode, router, speculation, prefixHit, delay, transfer);
    }

    /// Replicas that are alike.
    ///
    /// @param times how long the steps of one take
    /// @param policy how its engine schedules
    /// @param room tokens that its KV cache holds
    /// @param replicas how many there are
    public record Workers(StepTimes times, SchedulerPolicy policy, long room, int replicas) {
        /// Checks the numbers.
        ///
        /// @throws IllegalArgumentException if one is out of range
        public Workers {
            if (room < 1 || replicas < 0) {
                throw new IllegalArgumentException("workers have room, and 0 replicas or more");
            }
        }

        /// As many of them as that.
        public Workers times(int count) {
            return new Workers(times, policy, room, count);
        }

        private boolean isBatch() {
            return policy.prompts() == SchedulerPolicy.Prompts.BATCH;
        }
    }

    /// Speculative decoding.
    ///
    /// @param draft tokens that are drafted and verified with each step; 0 for none
    /// @param acceptance chance that a drafted token is accepted where those before it were
    public record Speculation(int draft, double acceptance) {
        /// One token for each step.
        public static final Speculation NONE = new Speculation(0, 0);

        private static final int UNITS = 16;

        /// Checks the numbers.
        ///
        /// @throws IllegalArgumentException if one is out of range
        public Speculation {
            if (draft < 0 || draft > 64 || !(acceptance >= 0 && acceptance <= 1)) {
                throw new IllegalArgumentException("0 to 64 tokens are drafted, and 0 to 1 of them accepted");
            }
        }

        /// Tokens that a step gives each sequence, as expected.
        public double tokens() {
            double tokens = 0;
            double chance = 1;
            for (int i = 0; i <= draft; i++) {
                tokens += chance;
                chance *= acceptance;
            }
            return tokens;
        }

        /// Rows that a sequence adds to a step.
        int rows() {
            return draft + 1;
        }

        /// Parts that tokens are counted in: whole ones, unless steps give fractions of them.
        int units() {
            return draft == 0 ? 1 : UNITS;
        }

        /// Units that a step gives each sequence.
        int growth() {
            return (int) Math.rint(tokens() * units());
        }
    }

    /// What passes between a client and the engine before the engine sees a request: HTTP, tokenizer, queues.
    ///
    /// @param fixed seconds for each request
    /// @param perUser seconds more for each user of a replica, where a load has users
    /// @param perToken seconds more for each token of the prompt
    public record ClientDelay(double fixed, double perUser, double perToken) {
        /// Nothing passes.
        public static final ClientDelay NONE = new ClientDelay(0, 0, 0);

        /// The least seconds that pass, where so many replicas take turns.
        public double least(Workload load, int replicas) {
            return fixed + perUser * Math.ceilDiv(load.users, replicas) + perToken * load.shortestInput();
        }

        long ticks(int users, int prompt) {
            return StepTicks.ticks(fixed + perUser * users + perToken * prompt);
        }
    }

    /// A link over which a KV cache gets from prefill to decode.
    ///
    /// @param latency seconds for each
    /// @param perToken seconds more for each token
    public record KvTransfer(double latency, double perToken) {
        /// At once.
        public static final KvTransfer NONE = new KvTransfer(0, 0);

        long ticks(int tokens) {
            return StepTicks.ticks(latency + perToken * tokens);
        }
    }
}
