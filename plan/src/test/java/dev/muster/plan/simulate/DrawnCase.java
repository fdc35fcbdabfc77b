// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.simulate;

import dev.muster.plan.serving.SimulationRequest.Router;
import dev.muster.plan.serving.Speculation;
import java.util.Random;

/// A load, an engine and step times drawn at random, for laws that hold of all.
record DrawnCase(Workload load, Deployment deployment) {
    /// Step times with a bend in their rows and attention quadratic in the prompt.
    record Times(double step, double row, double bend, double sequence, double context, double attention, double prompt)
            implements StepTimes {
        @Override
        public double rows(double tokens) {
            return step + row * Math.max(tokens, bend);
        }

        @Override
        public double sequences(int sequences) {
            return sequence * sequences;
        }

        @Override
        public double contextToken(int sequences) {
            return context * (1 + 1.0 / (1 + sequences));
        }

        @Override
        public double prompt(double before, double tokens) {
            return attention * tokens * (before + tokens / 2);
        }

        @Override
        public double promptStep() {
            return prompt;
        }

        Times faster(double factor) {
            return new Times(
                    step / factor,
                    row / factor,
                    bend,
                    sequence / factor,
                    context / factor,
                    attention / factor,
                    prompt / factor);
        }
    }

    static Times times(Random random) {
        return new Times(
                5e-3 * random.nextDouble() + 1e-4,
                2e-5 * random.nextDouble(),
                200 * random.nextDouble(),
                1e-5 * random.nextDouble(),
                random.nextInt(5) == 0 ? 0 : 1e-7 * random.nextDouble(),
                1e-9 * random.nextDouble(),
                random.nextBoolean() ? 0 : 3e-3 * random.nextDouble());
    }

    static DrawnCase draw(Random random) {
        int requests = 1 + random.nextInt(60);
        int longest = 1 + random.nextInt(400);
        int most = 1 + random.nextInt(120);
        SchedulerPolicy policy = policy(random, longest);
        long room = Math.max(20, (long) ((longest + most) * (0.7 + 6 * Math.pow(random.nextDouble(), 2))));
        Deployment deployment = Deployment.of(times(random), policy, room);
        Router[] routers = Router.values();
        if (random.nextInt(3) == 0) {
            deployment = deployment.withReplicas(1 + random.nextInt(4), routers[random.nextInt(routers.length)]);
        }
        if (random.nextInt(4) == 0) {
            deployment = deployment.withSpeculation(new Speculation(1 + random.nextInt(4), random.nextDouble()));
        }
        if (random.nextInt(4) == 0) {
            deployment = deployment.withPrefixHit(0.9 * random.nextDouble());
        }
        if (random.nextInt(3) == 0) {
            deployment = deployment.withClient(new Deployment.ClientDelay(
                    0.05 * random.nextDouble(), 1e-3 * random.nextDouble(), 1e-5 * random.nextDouble()));
        }
        if (random.nextInt(5) == 0 && policy.prompts() != SchedulerPolicy.Prompts.BATCH) {
            int workers = 1 + random.nextInt(3);
            Deployment.KvTransfer link =
                    new Deployment.KvTransfer(0.01 * random.nextDouble(), 1e-5 * random.nextDouble());
            deployment = random.nextBoolean()
                    ? deployment.withDecode(workers, link)
                    : deployment.withDecode(decode(random, longest, room, workers), link);
        }
        return new DrawnCase(load(random, requests, longest, most), deployment);
    }

    /// Returns workers that differ from those for prefill, under an engine that lets sequences join.
    private static Deployment.Workers decode(Random random, int longest, long room, int workers) {
        SchedulerPolicy policy = policy(random, longest);
        while (policy.prompts() == SchedulerPolicy.Prompts.BATCH) {
            policy = policy(random, longest);
        }
        return new Deployment.Workers(times(random), policy, room / 2 + random.nextInt((int) room), workers);
    }

    private static SchedulerPolicy policy(Random random, int longest) {
        SchedulerPolicy.Prompts[] kinds = SchedulerPolicy.Prompts.values();
        boolean isChunked = random.nextInt(3) > 0;
        int least = isChunked ? 8 : longest / 2 + 1;
        boolean waits = random.nextInt(4) == 0;
        return new SchedulerPolicy(
                "drawn",
                "1",
                random.nextInt(8) == 0 ? SchedulerPolicy.Prompts.BATCH : kinds[random.nextInt(2)],
                isChunked,
                least + random.nextInt(800),
                1 + random.nextInt(40),
                new double[] {0, 1, 0.5}[random.nextInt(3)],
                new double[] {0, 1, 0.098}[random.nextInt(3)],
                random.nextInt(3) == 0 ? 1 + random.nextInt(30) : 1,
                waits ? 1 + random.nextInt(20) : 0,
                waits ? random.nextDouble() : 0,
                1,
                "drawn");
    }

    private static Workload load(Random random, int requests, int longest, int most) {
        boolean isFixed = random.nextInt(3) == 0;
        int[] input = new int[requests];
        int[] output = new int[requests];
        for (int i = 0; i < requests; i++) {
            input[i] = isFixed ? longest : 1 + random.nextInt(longest);
            output[i] = isFixed ? most : 1 + random.nextInt(most);
        }
        Workload load = switch (random.nextInt(3)) {
            case 0 -> Workload.closedLoop(1 + random.nextInt(20), input, output);
            case 1 -> Workload.burst(input, output);
            default -> {
                double[] seconds = new double[requests];
                double scale = 0.3 * random.nextDouble();
                for (int i = 1; i < requests; i++) {
                    seconds[i] = seconds[i - 1] + (random.nextInt(4) == 0 ? 0 : scale * random.nextDouble());
                }
                yield Workload.timed(seconds, input, output);
            }
        };
        return random.nextInt(4) == 0 ? withBlocks(load, random) : load;
    }

    private static Workload withBlocks(Workload load, Random random) {
        int[] start = new int[load.size() + 1];
        for (int i = 0; i < load.size(); i++) {
            start[i + 1] = start[i] + Math.ceilDiv(load.input[i], 32);
        }
        int[] blocks = new int[start[load.size()]];
        for (int i = 0; i < blocks.length; i++) {
            blocks[i] = random.nextInt(40);
        }
        return load.withBlocks(blocks, start, 32);
    }
}
