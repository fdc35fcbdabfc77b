// SPDX-License-Identifier: Apache-2.0
// Gloo's operations on floats over TCP on loopback: gloo_collectives OPERATION RANKS FOLDER WARM-UP-SECONDS
// SECONDS-FOR-EACH-SIZE BYTES... FOLDER is new and empty: the ranks meet there. What is printed is said in figures.h.
// There is no reduce-scatter: Gloo has none of this form.
#include "figures.h"

#include <gloo/allgather.h>
#include <gloo/allreduce.h>
#include <gloo/alltoall.h>
#include <gloo/barrier.h>
#include <gloo/broadcast.h>
#include <gloo/gather.h>
#include <gloo/math.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/file_store.h>
#include <gloo/scatter.h>
#include <gloo/transport/tcp/device.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

namespace {

enum Tag : uint32_t { MEETING = 1, MEASURED, ANSWER, REPORT };

class Rank {
   public:
    Rank(int rank, int ranks, const char *folder)
        : rank_(rank), ranks_(ranks), context_(connect(rank, ranks, folder)), barrier_(context_), calls_(MOST_CALLS) {
        barrier_.setTag(MEETING);
    }

    void measure(enum operation operation, double warm_up_seconds, double seconds, const std::vector<size_t> &bytes) {
        for (size_t i = 0; i < bytes.size(); i++) {
            struct sizes s = sizes_of(operation, bytes[i], ranks_);
            auto *input = static_cast<float *>(page_aligned(s.inputs * sizeof(float)));
            auto *output = static_cast<float *>(page_aligned(s.outputs * sizeof(float)));
            {
                // Made once for each size: a program that reuses its buffers can do so, and it is the fastest way.
                std::function<void()> call = prepare(operation, s, input, output);
                fill(input, s.inputs, output, s.outputs, rank_);
                if (i == 0) warm_up(call, warm_up_seconds);
                int times = find_calls(call, s.bytes, seconds * 1e6);
                fill(input, s.inputs, output, s.outputs, rank_);
                run(call, times);
                double own[FIGURES];
                summarise(calls_.data(), times, count_wrong(operation, output, s, rank_, ranks_), own);
                report(s.bytes, times, own);
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

    std::function<void()> prepare(enum operation operation, struct sizes s, float *input, float *output) {
        switch (operation) {
            case ALL_REDUCE: {
                auto options = std::make_shared<gloo::AllreduceOptions>(context_);
                options->setInput(input, s.inputs);
                options->setOutput(output, s.outputs);
                options->setReduceFunction(
                    static_cast<void (*)(void *, const void *, const void *, size_t)>(&gloo::sum<float>));
                options->setTag(MEASURED);
                return [options] { gloo::allreduce(*options); };
            }
            case ALL_GATHER: {
                auto options = std::make_shared<gloo::AllgatherOptions>(context_);
                options->setInput(input, s.inputs);
                options->setOutput(output, s.outputs);
                options->setTag(MEASURED);
                return [options] { gloo::allgather(*options); };
            }
            case ALL_TO_ALL: {
                auto options = std::make_shared<gloo::AlltoallOptions>(context_);
                options->setInput(input, s.inputs);
                options->setOutput(output, s.outputs);
                options->setTag(MEASURED);
                return [options] { gloo::alltoall(*options); };
            }
            case BROADCAST: {
                auto options = std::make_shared<gloo::BroadcastOptions>(context_);
                options->setOutput(rank_ == 0 ? input : output, s.count);
                options->setRoot(0);
                options->setTag(MEASURED);
                return [options] { gloo::broadcast(*options); };
            }
            case GATHER: {
                auto options = std::make_shared<gloo::GatherOptions>(context_);
                options->setInput(input, s.inputs);
                if (rank_ == 0) options->setOutput(output, s.outputs);
                options->setRoot(0);
                options->setTag(MEASURED);
                return [options] { gloo::gather(*options); };
            }
            case SCATTER: {
                auto options = std::make_shared<gloo::ScatterOptions>(context_);
                std::vector<float *> pieces;
                for (int rank = 0; rank < ranks_; rank++) pieces.push_back(input + s.count * (size_t)rank);
                if (rank_ == 0) options->setInputs(pieces, s.count);
                options->setOutput(output, s.count);
                options->setRoot(0);
                options->setTag(MEASURED);
                return [options] { gloo::scatter(*options); };
            }
            case EXCHANGE: {
                std::shared_ptr<gloo::transport::UnboundBuffer> sent =
                    context_->createUnboundBuffer(input, s.inputs * sizeof(float));
                std::shared_ptr<gloo::transport::UnboundBuffer> received =
                    context_->createUnboundBuffer(output, s.outputs * sizeof(float));
                int next = (rank_ + 1) % ranks_, last = (rank_ + ranks_ - 1) % ranks_;
                return [sent, received, next, last] {
                    sent->send(next, MEASURED);
                    received->recv(last, MEASURED);
                    sent->waitSend();
                    received->waitRecv();
                };
            }
            case BARRIER: {
                auto options = std::make_shared<gloo::BarrierOptions>(context_);
                options->setTag(MEASURED);
                return [options] { gloo::barrier(*options); };
            }
            case REDUCE_SCATTER:
            case UNKNOWN: break;
        }
        throw std::invalid_argument("Gloo does not have the operation");
    }

    void run(const std::function<void()> &call, int times) {
        for (int i = 0; i < times; i++) {
            gloo::barrier(barrier_);
            double start = now_us();
            call();
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

    int find_calls(const std::function<void()> &call, size_t bytes, double budget_us) {
        for (int batch = 1;; batch = std::min<int>(2 * batch, MOST_CALLS)) {
            double start = now_us();
            run(call, batch);
            double elapsed = now_us() - start;
            bool enough = elapsed >= budget_us / 8 || batch == MOST_CALLS;
            int answer = from_first(enough ? calls_for(bytes, budget_us, batch, elapsed) : 0);
            if (answer > 0) return answer;
        }
    }

    void warm_up(const std::function<void()> &call, double seconds) {
        double end = now_us() + seconds * 1e6;
        do {
            run(call, 10);
        } while (from_first(now_us() < end));
    }

    void report(size_t bytes, int times, double *own) {
        std::vector<double> all(static_cast<size_t>(ranks_ * FIGURES));
        gloo::GatherOptions options(context_);
        options.setInput(own, static_cast<size_t>(FIGURES));
        if (rank_ == 0) options.setOutput(all.data(), all.size());
        options.setRoot(0);
        options.setTag(REPORT);
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
    enum operation operation = argc < 7 ? UNKNOWN : operation_of(argv[1]);
    if (operation == UNKNOWN) {
        fprintf(stderr, "usage: gloo_collectives OPERATION RANKS FOLDER WARM-UP-SECONDS SECONDS BYTES...\n");
        return 64;
    }
    int ranks = atoi(argv[2]);
    std::vector<size_t> sizes;
    for (int i = 6; i < argc; i++) sizes.push_back(strtoull(argv[i], nullptr, 10));
    for (int rank = 0; rank < ranks; rank++) {
        if (fork() == 0) {
            try {
                Rank(rank, ranks, argv[3]).measure(operation, atof(argv[4]), atof(argv[5]), sizes);
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
