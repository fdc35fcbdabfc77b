# SPDX-License-Identifier: Apache-2.0
"""Times of torch.distributed with NCCL (one rank) and of copies, as dev.muster.bench.nccl.NcclFigures takes them.

torch_nccl.py all-reduce | copy | beside RANK FILE. Each call is timed by the wall, from before it to after
torch.cuda.synchronize(). With beside it is a rank in a communicator whose other rank is dev.muster.bench.nccl.BesideTorch.
"""
import os
import statistics
import sys
import tempfile
import time

import torch
import torch.distributed as dist

SIZES = (8, 64, 512, 4096)
WARM_UP, CALLS, COPIES, GIBIBYTE, ID_BYTES = 2000, 5000, 20, 1 << 30, 128


def timed(call, times):
    nanos = []
    for _ in range(times):
        start = time.perf_counter_ns()
        call()
        torch.cuda.synchronize()
        nanos.append(time.perf_counter_ns() - start)
    return sorted(nanos)


def all_reduces():
    store = tempfile.NamedTemporaryFile()
    dist.init_process_group("nccl", init_method="file://" + store.name, rank=0, world_size=1)
    for size in SIZES:
        tensor = torch.ones(size // 4, device="cuda")
        timed(lambda: dist.all_reduce(tensor), WARM_UP)
        nanos = timed(lambda: dist.all_reduce(tensor), CALLS)
        print(
            f"torch all-reduce in-place {size} B: p50 {nanos[CALLS // 2] / 1e3:.2f} us, "
            f"mean {statistics.mean(nanos) / 1e3:.2f} us, min {nanos[0] / 1e3:.2f} us, "
            f"p99 {nanos[CALLS * 99 // 100] / 1e3:.2f} us",
            flush=True,
        )
    dist.destroy_process_group()


def copies():
    host = torch.ones(GIBIBYTE, dtype=torch.uint8, pin_memory=True)
    first = torch.empty(GIBIBYTE, dtype=torch.uint8, device="cuda")
    second = torch.empty_like(first)
    for what, to, source in (
        ("host-to-device", first, host),
        ("device-to-host", host, first),
        ("device-to-device", second, first),
    ):
        timed(lambda: to.copy_(source, non_blocking=True), 3)
        nanos = timed(lambda: to.copy_(source, non_blocking=True), COPIES)
        print(
            f"torch copy {what} 1 GiB: median {GIBIBYTE / nanos[COPIES // 2]:.2f} GB/s, "
            f"best {GIBIBYTE / nanos[0]:.2f} GB/s",
            flush=True,
        )


class Meeting(dist.Store):
    """A store of one process, but for the id of the communicator: that goes through a file to a rank without PyTorch."""

    def __init__(self, file):
        super().__init__()
        self.file, self.values = file, {}

    def set(self, key, value):
        value = value.encode() if isinstance(value, str) else bytes(value)
        self.values[key] = value
        if len(value) == ID_BYTES:
            with open(self.file + ".part", "wb") as part:
                part.write(value)
            os.rename(self.file + ".part", self.file)

    def get(self, key):
        end = time.monotonic() + 60
        while key not in self.values and not os.path.exists(self.file) and time.monotonic() < end:
            time.sleep(0.001)
        if key in self.values:
            return self.values[key]
        with open(self.file, "rb") as id:
            return id.read()

    def add(self, key, amount):
        self.values[key] = str(int(self.values.get(key, b"0")) + amount).encode()
        return int(self.values[key])

    def check(self, keys):
        return all(key in self.values for key in keys)

    def wait(self, keys, timeout=None):
        pass

    def delete_key(self, key):
        return self.values.pop(key, None) is not None


def expect(what, tensor, value):
    good = bool((tensor == value).all())
    print(f"{'ok    ' if good else 'WRONG '}torch: {what}: {tensor[0].item()}", flush=True)
    return good


def beside():
    rank, theirs, mine, count = int(sys.argv[2]), 7.0, 5.0, 1000
    meeting = Meeting(sys.argv[3])  # PyTorch calls it only as long as Python knows it
    dist.init_process_group("nccl", store=meeting, rank=rank, world_size=2)
    tensor = torch.full((count,), mine, device="cuda")
    dist.all_reduce(tensor)
    good = expect("all-reduce with the Java rank", tensor, mine + theirs)
    tensor.fill_(mine)
    dist.broadcast(tensor, rank)
    dist.broadcast(tensor, 1 - rank)
    good &= expect("broadcast of the Java rank", tensor, theirs)
    tensor.fill_(mine)
    both = torch.empty(2 * count, device="cuda")
    dist.all_gather_into_tensor(both, tensor)
    good &= expect("all-gather, the Java rank's piece", both[(1 - rank) * count :][:count], theirs)
    good &= expect("all-gather, its own piece", both[rank * count :][:count], mine)
    dist.reduce_scatter_tensor(tensor, both, dist.ReduceOp.MAX)
    good &= expect("reduce-scatter", tensor, mine)
    torch.cuda.synchronize()
    dist.destroy_process_group()
    sys.exit(0 if good else 1)


{"all-reduce": all_reduces, "copy": copies, "beside": beside}[sys.argv[1]]()
