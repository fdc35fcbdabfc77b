# SPDX-License-Identifier: Apache-2.0
"""A rank of a job that all-reduces on one GPU for ever: torch_job.py FILE. After some calls it writes the dump of its
flight recorder to FILE."""
import os
import sys

import torch
import torch.distributed as dist
from torch._C._distributed_c10d import _dump_nccl_trace

torch.cuda.set_device(0)
dist.init_process_group("nccl")
values = torch.ones(1024, device="cuda")
for call in range(1_000_000_000):
    dist.all_reduce(values)
    torch.cuda.synchronize()
    if call == 20:
        with open(sys.argv[1] + ".part", "wb") as file:
            file.write(_dump_nccl_trace())
        os.replace(sys.argv[1] + ".part", sys.argv[1])
