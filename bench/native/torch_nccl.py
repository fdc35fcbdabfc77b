"""Times of torch.distributed with NCCL (one rank) and of copies, as dev.muster.bench.nccl.NcclFigures takes them.

torch_nccl.py all-reduce | copy. Each call is timed by the wall, from before it to after torch.cuda.synchronize().
"""
import statistics
import sys
import tempfile
import time

import torch
import torch.distributed as dist

SIZES = (8, 64, 512, 4096)
WARM_UP, CALLS, COPIES, GIBIBYTE = 2000, 5000, 20, 1 << 30


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


{"all-reduce": all_reduces, "copy": copies}[sys.argv[1]]()
