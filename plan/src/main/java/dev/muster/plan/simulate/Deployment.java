// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.simulate;

import dev.muster.plan.serving.SimulationRequest.Router;
import dev.muster.plan.serving.Speculation;

/// A simulated deployment: workers of a model under an engine, and the routing of requests.
///
/// @param workers workers for prefill, and for decode unless others do it
/// @param decode workers for decode only; 0 replicas unless disaggregated
/// @param router distribution of requests over replicas
/// @param speculation tokens of each sequence in a step
/// @param prefixHit share of each prompt with a cached prefix, if the load does not state it
/// @param client delay between a client and the engine
/// @param transfer transfer of the KV cache from prefill to decode
public record Deployment(
        Workers workers,
        Workers decode,
        Router router,
        Speculation speculation,
        double prefixHit,
        ClientDelay client,
        KvTransfer transfer) {
    public Deployment {
        if (workers.replicas() < 1 || !(prefixHit >= 0 && prefixHit < 1)) {
            throw new IllegalArgumentException("a deployment has at least one replica and a prefix hit ratio below 1");
        }
        if (decode.replicas() > 0 && (workers.isBatch() || decode.isBatch())) {
            throw new IllegalArgumentException("an engine with static batches cannot disaggregate prefill and decode");
        }
    }

    public static Deployment of(StepTimes times, SchedulerPolicy policy, long room) {
        Workers one = new Workers(times, policy, room, 1);
        return new Deployment(
                one, one.times(0), Router.ROUND_ROBIN, Speculation.NONE, 0, ClientDelay.NONE, KvTransfer.NONE);
    }

    /// Reports whether prefill and decode are disaggregated.
    public boolean isApart() {
        return decode.replicas() > 0;
    }

    public Deployment withReplicas(int count, Router other) {
        return new Deployment(workers.times(count), decode, other, speculation, prefixHit, client, transfer);
    }

    /// Returns a copy with disaggregated decode on identical workers.
    public Deployment withDecode(int count, KvTransfer link) {
        return withDecode(workers.times(count), link);
    }

    public Deployment withDecode(Workers others, KvTransfer link) {
        return new Deployment(workers, others, router, speculation, prefixHit, client, link);
    }

    /// Returns a copy with speculative decoding.
    public Deployment withSpeculation(Speculation other) {
        return new Deployment(workers, decode, router, other, prefixHit, client, transfer);
    }

    public Deployment withPrefixHit(double share) {
        return new Deployment(workers, decode, router, speculation, share, client, transfer);
    }

    /// Returns a copy with another delay between client and engine.
    public Deployment withClient(ClientDelay delay) {
        return new Deployment(workers, decode, router, speculation, prefixHit, delay, transfer);
    }

    /// Identical replicas.
    ///
    /// @param times step times of one
    /// @param policy scheduling policy of its engine
    /// @param room tokens that its KV cache holds
    /// @param replicas number of replicas
    public record Workers(StepTimes times, SchedulerPolicy policy, long room, int replicas) {
        public Workers {
            if (room < 1 || replicas < 0) {
                throw new IllegalArgumentException("workers have room, and 0 replicas or more");
            }
        }

        public Workers times(int count) {
            return new Workers(times, policy, room, count);
        }

        private boolean isBatch() {
            return policy.prompts() == SchedulerPolicy.Prompts.BATCH;
        }
    }

    private static final int UNITS = 16;

    /// Returns the rows that a sequence adds to a step.
    int rows() {
        return speculation.draft() + 1;
    }

    /// Returns the parts that tokens are counted in: whole ones, unless steps give fractions of them.
    int units() {
        return speculation.draft() == 0 ? 1 : UNITS;
    }

    /// Returns the units of each sequence in a step.
    int growth() {
        return (int) Math.rint(speculation.tokens() * units());
    }

    /// The delay between a client and the engine: HTTP, tokenizer, queues.
    ///
    /// @param fixed seconds for each request
    /// @param perUser additional seconds for each user of a replica, if a load has users
    /// @param perToken additional seconds for each token of the prompt
    public record ClientDelay(double fixed, double perUser, double perToken) {
        /// No delay.
        public static final ClientDelay NONE = new ClientDelay(0, 0, 0);

        /// Returns the least delay, if a number of replicas take turns.
        public double least(Workload load, int replicas) {
            return fixed + perUser * Math.ceilDiv(load.users, replicas) + perToken * load.shortestInput();
        }

        long ticks(int users, int prompt) {
            return StepTicks.ticks(fixed + perUser * users + perToken * prompt);
        }
    }

    /// A link for the KV cache from prefill to decode.
    ///
    /// @param latency seconds of each transfer
    /// @param perToken additional seconds for each token
    public record KvTransfer(double latency, double perToken) {
        /// Immediate transfer.
        public static final KvTransfer NONE = new KvTransfer(0, 0);

        long ticks(int tokens) {
            return StepTicks.ticks(latency + perToken * tokens);
        }
    }
}
