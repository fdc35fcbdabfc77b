// SPDX-License-Identifier: Apache-2.0
// Gloo's all-reduce of floats over TCP on loopback: gloo_allreduce RANKS FOLDER WARM-UP-SECONDS SECONDS-FOR-EACH-SIZE
// BYTES... FOLDER is new and empty: the ranks meet there. What is printed is said in figures.h.
#include "figures.h"

#include <gloo/allreduce.h>
#include <gloo/barrier.h>
#include <gloo/broadcast.h>
#include <gloo/gather.h>
#include <gloo/math.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/file_store.h>
#include <gloo/transport/tcp/device.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace {

enum Tag : uint32_t { BARRIER = 1, REDUCE, ANSWER, GATHER };

class Rank {
   public:
    Rank(int rank, int ranks, const char *folder)
        : rank_(rank), ranks_(ranks), context_(connect(rank, ranks, folder)), barrier_(context_), calls_(MOST_CALLS) {
        barrier_.setTag(BARRIER);
    }

    void measure(double warm_up_seconds, double seconds, const std::vector<size_t> &sizes) {
        for (size_t i = 0; i < sizes.size(); i++) {
            size_t count = sizes[i] / sizeof(float);
            auto *input = static_cast<float *>(page_aligned(sizes[i]));
            auto *output = static_cast<float *>(page_aligned(sizes[i]));
            fill(input, output, count, rank_);
            {
                // Made once for each size: a program that reuses its buffers can do so, and it is the fastest way.
                gloo::AllreduceOptions options(context_);
                options.setInput(input, count);
                options.setOutput(output, count);
                options.setReduceFunction(
                    static_cast<void (*)(void *, const void *, const void *, size_t)>(&gloo::sum<float>));
                options.setTag(REDUCE);
                if (i == 0) warm_up(options, warm_up_seconds);
                int times = find_calls(options, sizes[i], seconds * 1e6);
                fill(input, output, count, rank_);
                run(options, times);
                double own[FIGURES];
                summarise(calls_.data(), times, count_wrong(output, count, ranks_), own);
                report(sizes[i], times, own);
            }
            free(input);
            free(output);
        }
    }

   private:
    static std::shared_ptr<gloo::Context> connect(int rank, int ranks, const char *folder) {
        auto context = std::make_shared<gloo::rendezvous::Context>(rank, ranks);
        gloo::rendezvous::FileStore store(folder);
        auto device = gloo::transport::tcp::CreateDevice(gloo::transport::tcp::attr("127.0.0.1"));
        context->connectFullMesh(store, device);
        return context;
    }

    void run(gloo::AllreduceOptions &options, int times) {
        for (int i = 0; i < times; i++) {
            gloo::barrier(barrier_);
            double start = now_us();
            gloo::allreduce(options);
            calls_[i] = now_us() - start;
        }
    }

    int from_first(int answer) {
        gloo::BroadcastOptions options(context_);
        options.setOutput(&answer, 1);
        options.setRoot(0);
        options.setTag(ANSWER);
        gloo::broadcast(options);
        return answer;
    }

    int find_calls(gloo::AllreduceOptions &options, size_t bytes, double budget_us) {
        for (int batch = 1;; batch = std::min<int>(2 * batch, MOST_CALLS)) {
            double start = now_us();
            run(options, batch);
            double elapsed = now_us() - start;
            bool enough = elapsed >= budget_us / 8 || batch == MOST_CALLS;
            int answer = from_first(enough ? calls_for(bytes, budget_us, batch, elapsed) : 0);
            if (answer > 0) return answer;
        }
    }

    void warm_up(gloo::AllreduceOptions &options, double seconds) {
        double end = now_us() + seconds * 1e6;
        do {
            run(options, 10);
        } while (from_first(now_us() < end));
    }

    void report(size_t bytes, int times, double *own) {
        std::vector<double> all(static_cast<size_t>(ranks_ * FIGURES));
        gloo::GatherOptions options(context_);
        options.setInput(own, static_cast<size_t>(FIGURES));
        if (rank_ == 0) options.setOutput(all.data(), all.size());
        options.setRoot(0);
        options.setTag(GATHER);
        gloo::gather(options);
        if (rank_ == 0) tell(bytes, times, ranks_, all.data());
    }

    int rank_;
    int ranks_;
    std::shared_ptr<gloo::Context> context_;
    gloo::BarrierOptions barrier_;
    std::vector<double> calls_;
};

}  // namespace

int main(int argc, char **argv) {
    if (argc < 6) {
        fprintf(stderr, "usage: gloo_allreduce RANKS FOLDER WARM-UP-SECONDS SECONDS BYTES...\n");
        return 64;
    }
    int ranks = atoi(argv[1]);
    std::vector<size_t> sizes;
    for (int i = 5; i < argc; i++) sizes.push_back(strtoull(argv[i], nullptr, 10));
    for (int rank = 0; rank < ranks; rank++) {
        if (fork() == 0) {
            try {
                Rank(rank, ranks, argv[2]).measure(atof(argv[3]), atof(argv[4]), sizes);
                return 0;
            } catch (const std::exception &e) {
                fprintf(stderr, "rank %d: %s\n", rank, e.what());
                return 1;
            }
        }
    }
    int failed = 0;
    for (int status = 0; wait(&status) > 0;) failed |= !WIFEXITED(status) || WEXITSTATUS(status) != 0;
    return failed;
}
