"""A rank of PyTorch in a group of Gloo whose other ranks are of Java: torch_gloo.py FOLDER RANK RANKS.

Prints what each operation gave. The folder is the store: a file for each key, whose name is the key in hexadecimal.
"""
import datetime
import os
import sys
import time

import torch
import torch.distributed as dist

FOLDER, RANK, RANKS = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])


class FolderStore(dist.Store):
    def file(self, key):
        return os.path.join(FOLDER, key.encode().hex())

    def set(self, key, value):
        part = os.path.join(FOLDER, f"part-{RANK}")
        with open(part, "wb") as out:
            out.write(value.encode() if isinstance(value, str) else value)
        os.rename(part, self.file(key))

    def get(self, key):
        self.wait([key])
        with open(self.file(key), "rb") as value:
            return value.read()

    def add(self, key, amount):
        lock = self.file(key) + "-lock"
        while True:
            try:
                os.mkdir(lock)
                break
            except FileExistsError:
                time.sleep(0.001)
        total = amount + (int(self.get(key)) if os.path.exists(self.file(key)) else 0)
        self.set(key, str(total))
        os.rmdir(lock)
        return total

    def wait(self, keys, limit=datetime.timedelta(seconds=60)):
        end = time.monotonic() + 60
        while not all(os.path.exists(self.file(key)) for key in keys):
            if time.monotonic() > end:
                raise RuntimeError(f"nobody set {keys}")
            time.sleep(0.001)


def show(what, tensor):
    print(what, *(int(value) for value in tensor), flush=True)


store = FolderStore()  # kept: PyTorch calls it only as long as Python knows it
dist.init_process_group("gloo", store=store, rank=RANK, world_size=RANKS)
last = RANKS - 1

floats = torch.tensor([1.0 + RANK, 10.0])
dist.all_reduce(floats)
show("all-reduce", floats)

numbers = torch.arange(100_003, dtype=torch.int64) * (RANK + 1)
dist.all_reduce(numbers, dist.ReduceOp.MAX)
show("maximum", numbers[-2:])

for root in range(RANKS):
    word = torch.tensor([100 * RANK + 7], dtype=torch.int32)
    dist.broadcast(word, root)
    show("broadcast", word)

part = torch.tensor([2.0 + RANK])
dist.reduce(part, last)
show("reduce", part if RANK == last else [])

piece = torch.tensor([RANK + 1], dtype=torch.int32)
pieces = [torch.empty(1, dtype=torch.int32) for _ in range(RANKS)] if RANK == 0 else None
dist.gather(piece, pieces, 0)
show("gather", torch.cat(pieces) if RANK == 0 else [])

dist.scatter(piece, [torch.tensor([50 + rank], dtype=torch.int32) for rank in range(RANKS)] if RANK == 0 else None, 0)
show("scatter", piece)

dist.barrier()
show("done", [])
