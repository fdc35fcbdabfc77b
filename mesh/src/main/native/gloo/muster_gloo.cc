// SPDX-License-Identifier: Apache-2.0
// Gloo behind functions that any language can call. Gloo does all the communication; this file flattens its templates,
// turns exceptions into codes, and gives it a store that lies in the caller's hands.
//
// Every operation takes a muster_gloo_call and at most two places in memory. It returns OK or one of the codes below;
// muster_gloo_failure then says what went wrong, for the thread that called. One operation at a time; only
// muster_gloo_abort may be called beside it.

#include <gloo/allgatherv.h>
#include <gloo/allreduce.h>
#include <gloo/alltoallv.h>
#include <gloo/barrier.h>
#include <gloo/broadcast.h>
#include <gloo/common/error.h>
#include <gloo/gather.h>
#include <gloo/reduce.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/store.h>
#include <gloo/scatter.h>
#include <gloo/transport/tcp/device.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "reductions.h"

#define MUSTER_GLOO extern "C" __attribute__((visibility("default")))

extern "C" {

// What an operation needs beside its buffers. Offsets and lengths are in bytes, counts in elements.
struct muster_gloo_call {
    int64_t tag;     // differs from that of every other operation that may be under way; all members pass the same
    int64_t millis;  // how long it may wait for any one message
    int64_t input_offset;
    int64_t output_offset;
    int64_t count;  // of elements; of messages for an exchange
    int64_t type;   // see reduction_of
    int64_t op;
    int64_t root;
    const int64_t *sent;      // bytes for each rank
    const int64_t *received;  // bytes from each rank
};

// A message of an exchange.
struct muster_gloo_message {
    char *address;
    int64_t bytes;
    int64_t peer;
    int64_t sends;  // 1 if this rank sends it
    int64_t slot;   // the same at both ends, and of no other message under way between them
    int64_t done;   // set to 1 when it has moved
};

// The caller's store. 0 means that it was done; a found value's length comes back even where the room is too small.
typedef int32_t (*muster_gloo_set)(const char *key, int64_t key_bytes, const char *value, int64_t value_bytes);
typedef int64_t (*muster_gloo_get)(const char *key, int64_t key_bytes, char *room, int64_t room_bytes);
typedef int32_t (*muster_gloo_wait)(const char *key, int64_t key_bytes);
}

namespace {

// Changes whenever a function or a struct does, so that a library built from older sources is found out.
constexpr int32_t ABI = 1;

enum Code : int32_t { OK = 0, OTHER = 1, CONNECTION = 2, INVALID = 3 };

// No message of Muster has a slot of Gloo's collectives, whose first byte is small.
constexpr uint64_t PROBE_SLOT = uint64_t{0x41} << 56;

thread_local std::string message;

template <typename Work>
int32_t coded(Work work) {
    try {
        work();
        return OK;
    } catch (const gloo::IoException &e) {
        message = e.what();
        return CONNECTION;
    } catch (const gloo::InvalidOperationException &e) {
        message = e.what();
        return INVALID;
    } catch (const std::exception &e) {
        message = e.what();
        return OTHER;
    } catch (...) {
        message = "an exception of an unknown kind";
        return OTHER;
    }
}

// --- The store.

class CallersStore : public gloo::rendezvous::Store {
   public:
    CallersStore(muster_gloo_set set, muster_gloo_get get, muster_gloo_wait wait) : set_(set), get_(get), wait_(wait) {}

    // The caller's functions are there for as long as members connect; Gloo may keep the store longer.
    void end() { ended_ = true; }

    void set(const std::string &key, const std::vector<char> &value) override {
        require_open();
        if (set_(key.data(), key.size(), value.data(), value.size()) != 0) throw std::runtime_error("the store fails");
    }

    std::vector<char> get(const std::string &key) override {
        require_open();
        std::vector<char> value(4096);
        int64_t length = get_(key.data(), key.size(), value.data(), value.size());
        if (length > static_cast<int64_t>(value.size())) {
            value.resize(length);
            length = get_(key.data(), key.size(), value.data(), value.size());
        }
        if (length < 0 || length > static_cast<int64_t>(value.size())) throw std::runtime_error("the store fails");
        value.resize(length);
        return value;
    }

    void wait(const std::vector<std::string> &keys) override {
        require_open();
        for (const auto &key : keys) {
            if (wait_(key.data(), key.size()) != 0) throw std::runtime_error("the store fails");
        }
    }

    // The caller's store knows when the limit has passed.
    void wait(const std::vector<std::string> &keys, const std::chrono::milliseconds &) override { wait(keys); }

   private:
    void require_open() const {
        if (ended_) throw std::runtime_error("the members are connected, and there is no store any more");
    }

    std::atomic<bool> ended_{false};
    muster_gloo_set set_;
    muster_gloo_get get_;
    muster_gloo_wait wait_;
};

// Newer Gloo wants to share the store, older Gloo to borrow it: the first of these that compiles is taken.
template <typename Context, typename Store, typename Device>
auto connect_all(Context &context, Store store, Device &device, int)
    -> decltype(context.connectFullMesh(store, device), void()) {
    context.connectFullMesh(store, device);
}

template <typename Context, typename Store, typename Device>
auto connect_all(Context &context, Store store, Device &device, long)
    -> decltype(context.connectFullMesh(*store, device), void()) {
    context.connectFullMesh(*store, device);
}

using Group = std::shared_ptr<gloo::rendezvous::Context>;

Group &group_of(void *handle) { return *static_cast<Group *>(handle); }

template <typename Options>
void begin(Options &options, const muster_gloo_call *call) {
    options.setTag(static_cast<uint32_t>(call->tag));
    options.setTimeout(std::chrono::milliseconds(call->millis));
}

template <typename T>
T *at(void *place, int64_t offset) {
    return reinterpret_cast<T *>(static_cast<char *>(place) + offset);
}

}  // namespace

MUSTER_GLOO int32_t muster_gloo_abi() { return ABI; }

MUSTER_GLOO const char *muster_gloo_failure() { return message.c_str(); }

// Connects this rank with all others. The address is a number, never a name: what a name means differs between hosts.
// Gives null where that fails.
MUSTER_GLOO void *muster_gloo_open(const char *address, int32_t rank, int32_t ranks, int64_t millis,
                                   muster_gloo_set set, muster_gloo_get get, muster_gloo_wait wait) {
    void *handle = nullptr;
    coded([&] {
        gloo::transport::tcp::attr attributes(address);
        auto device = gloo::transport::tcp::CreateDevice(attributes);
        auto context = std::make_shared<gloo::rendezvous::Context>(rank, ranks);
        // Gloo waits five times as long for a connection as it is told.
        context->setTimeout(std::chrono::milliseconds(std::max<int64_t>(1, millis / 5)));
        auto store = std::make_shared<CallersStore>(set, get, wait);
        connect_all(*context, store, device, 0);
        store->end();
        handle = new Group(std::move(context));
    });
    return handle;
}

// Closes the connections and ends Gloo's thread. No operation may be under way.
MUSTER_GLOO void muster_gloo_close(void *handle) { delete static_cast<Group *>(handle); }

// Breaks all connections, which ends the operation under way on this and on the other members. Gloo's pairs can be
// closed by others, too, but that wakes nobody; a wait that ends by its limit does both.
MUSTER_GLOO void muster_gloo_abort(void *handle) {
    coded([&] {
        auto nothing = group_of(handle)->createUnboundBuffer(nullptr, 0);
        nothing->waitRecv(nullptr, std::chrono::milliseconds::zero());
    });
}

// After a failure: writes the ranks whose connections are broken and returns how many there are.
MUSTER_GLOO int32_t muster_gloo_lost(void *handle, const muster_gloo_call *, void *ranks, void *) {
    auto &group = group_of(handle);
    int32_t lost = 0;
    for (int rank = 0; rank < group->size; rank++) {
        if (rank == group->rank) continue;
        std::string before = message;
        bool broken = coded([&] {
            auto nothing = group->createUnboundBuffer(nullptr, 0);
            nothing->recv(rank, PROBE_SLOT, 0, 0);
        });
        message = before;
        if (broken) static_cast<int32_t *>(ranks)[lost++] = rank;
    }
    return lost;
}

MUSTER_GLOO int32_t muster_gloo_barrier(void *handle, const muster_gloo_call *call, void *, void *) {
    return coded([&] {
        gloo::BarrierOptions options(group_of(handle));
        begin(options, call);
        gloo::barrier(options);
    });
}

MUSTER_GLOO int32_t muster_gloo_all_reduce(void *handle, const muster_gloo_call *call, void *input, void *output) {
    return coded([&] {
        gloo::AllreduceOptions options(group_of(handle));
        begin(options, call);
        options.setReduceFunction(reduction_of(call->type, call->op));
        with_element(call->type, [&](auto element) {
            using T = decltype(element);
            T *in = at<T>(input, call->input_offset);
            T *out = at<T>(output, call->output_offset);
            if (in != out) options.setInput(in, call->count);
            options.setOutput(out, call->count);
        });
        gloo::allreduce(options);
    });
}

// The output has room for all elements on every rank; what it holds afterwards is the result only at the root.
MUSTER_GLOO int32_t muster_gloo_reduce(void *handle, const muster_gloo_call *call, void *input, void *output) {
    return coded([&] {
        gloo::ReduceOptions options(group_of(handle));
        begin(options, call);
        options.setRoot(static_cast<int>(call->root));
        options.setReduceFunction(reduction_of(call->type, call->op));
        with_element(call->type, [&](auto element) {
            using T = decltype(element);
            T *in = at<T>(input, call->input_offset);
            T *out = at<T>(output, call->output_offset);
            if (in != out) options.setInput(in, call->count);
            options.setOutput(out, call->count);
        });
        gloo::reduce(options);
    });
}

// Moves bytes, as all that follow.
MUSTER_GLOO int32_t muster_gloo_broadcast(void *handle, const muster_gloo_call *call, void *, void *output) {
    return coded([&] {
        gloo::BroadcastOptions options(group_of(handle));
        begin(options, call);
        options.setRoot(static_cast<int>(call->root));
        options.setOutput(at<uint8_t>(output, call->output_offset), call->count);
        gloo::broadcast(options);
    });
}

// Without an input the own piece lies in the output already.
MUSTER_GLOO int32_t muster_gloo_all_gather(void *handle, const muster_gloo_call *call, void *input, void *output) {
    return coded([&] {
        auto &group = group_of(handle);
        gloo::AllgathervOptions options(group);
        begin(options, call);
        if (input != nullptr) options.setInput(at<uint8_t>(input, call->input_offset), call->received[group->rank]);
        options.setOutput(at<uint8_t>(output, call->output_offset),
                          std::vector<size_t>(call->received, call->received + group->size));
        gloo::allgatherv(options);
    });
}

MUSTER_GLOO int32_t muster_gloo_gather(void *handle, const muster_gloo_call *call, void *input, void *output) {
    return coded([&] {
        auto &group = group_of(handle);
        gloo::GatherOptions options(group);
        begin(options, call);
        options.setRoot(static_cast<int>(call->root));
        options.setInput(at<uint8_t>(input, call->input_offset), call->count);
        if (group->rank == call->root) {
            options.setOutput(at<uint8_t>(output, call->output_offset), call->count * group->size);
        }
        gloo::gather(options);
    });
}

MUSTER_GLOO int32_t muster_gloo_scatter(void *handle, const muster_gloo_call *call, void *input, void *output) {
    return coded([&] {
        auto &group = group_of(handle);
        gloo::ScatterOptions options(group);
        begin(options, call);
        options.setRoot(static_cast<int>(call->root));
        if (group->rank == call->root) {
            std::vector<uint8_t *> pieces;
            for (int rank = 0; rank < group->size; rank++) {
                pieces.push_back(at<uint8_t>(input, call->input_offset + rank * call->count));
            }
            options.setInputs(pieces, call->count);
        }
        options.setOutput(at<uint8_t>(output, call->output_offset), call->count);
        gloo::scatter(options);
    });
}

MUSTER_GLOO int32_t muster_gloo_all_to_all(void *handle, const muster_gloo_call *call, void *input, void *output) {
    return coded([&] {
        auto &group = group_of(handle);
        gloo::AlltoallvOptions options(group);
        begin(options, call);
        options.setInput(at<uint8_t>(input, call->input_offset),
                         std::vector<int64_t>(call->sent, call->sent + group->size));
        options.setOutput(at<uint8_t>(output, call->output_offset),
                          std::vector<int64_t>(call->received, call->received + group->size));
        gloo::alltoallv(options);
    });
}

// Moves messages between this rank and others, all at once.
MUSTER_GLOO int32_t muster_gloo_exchange(void *handle, const muster_gloo_call *call, void *messages, void *) {
    return coded([&] {
        auto *all = static_cast<muster_gloo_message *>(messages);
        std::chrono::milliseconds limit(call->millis);
        std::vector<std::unique_ptr<gloo::transport::UnboundBuffer>> buffers;
        for (int64_t i = 0; i < call->count; i++) {
            auto buffer = group_of(handle)->createUnboundBuffer(all[i].address, all[i].bytes);
            if (all[i].sends) buffer->send(static_cast<int>(all[i].peer), all[i].slot, 0, all[i].bytes);
            else buffer->recv(static_cast<int>(all[i].peer), all[i].slot, 0, all[i].bytes);
            buffers.push_back(std::move(buffer));
        }
        for (int64_t i = 0; i < call->count; i++) {
            if (all[i].sends) buffers[i]->waitSend(nullptr, limit);
            else buffers[i]->waitRecv(nullptr, limit);
            __atomic_store_n(&all[i].done, 1, __ATOMIC_RELEASE);
        }
    });
}
