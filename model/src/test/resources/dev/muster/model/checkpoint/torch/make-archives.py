# Makes the archives beside this file, as torch.save and torch.jit.save of PyTorch 2.14.1 (Debian) write them:
# python3 make-archives.py FOLDER writes told.json too, which says what they hold.
import collections, json, sys, torch
from torch import nn
torch.manual_seed(0)
out = sys.argv[1]
told = {}
def count(tensors):
    seen, n = set(), 0
    for t in tensors:
        k = (t.untyped_storage().data_ptr(), t.storage_offset(), tuple(t.shape), t.stride())
        if k in seen or not (t.is_floating_point() or t.is_complex() or t.is_quantized): continue
        seen.add(k); n += t.numel()
    return n
def save(name, obj, tensors, **kw):
    torch.save(obj, f"{out}/{name}", **kw)
    told[name] = {"parameters": count(tensors)}
class Net(nn.Module):
    def __init__(s):
        super().__init__()
        s.conv = nn.Conv2d(3, 4, 3); s.norm = nn.BatchNorm2d(4); s.fc = nn.Linear(4, 7, bias=False)
    def forward(s, x): return s.fc(s.norm(s.conv(x)).mean((2, 3)))
net = Net(); sd = net.state_dict()
save("state-dict.pt", sd, sd.values())
save("module.pt", nn.Sequential(nn.Linear(4, 6), nn.LayerNorm(6)), nn.Sequential(nn.Linear(4, 6), nn.LayerNorm(6)).state_dict().values())
tied = collections.OrderedDict(); w = torch.randn(10, 4); tied["embed.weight"] = w; tied["head.weight"] = w; tied["norm.weight"] = torch.ones(4)
save("tied.pt", tied, tied.values())
opt = torch.optim.AdamW(net.parameters()); net(torch.randn(2, 3, 8, 8)).sum().backward(); opt.step()
save("training.pt", {"model": sd, "optimizer": opt.state_dict(), "epoch": 3, "args": {"lr": 1e-3}}, sd.values())
save("optimizer.pt", opt.state_dict(), [])
mixed = {"a": torch.zeros(3, 5, dtype=torch.bfloat16), "b": torch.zeros(2, dtype=torch.float16), "c": torch.zeros(7, dtype=torch.float8_e4m3fn), "d": torch.zeros(2, dtype=torch.int64), "e": torch.zeros(2, 2, dtype=torch.complex64), "f": torch.zeros(4, dtype=torch.float64), "g": torch.tensor(1.5), "h": torch.zeros(0, 3)}
save("types.pt", mixed, mixed.values())
base = torch.arange(24.).reshape(4, 6)
views = {"rows": base[1:3], "transposed": base.t(), "expanded": torch.ones(1).expand(1000)}
torch.save(views, f"{out}/views.pt"); told["views.pt"] = {"parameters": 24 + 1}
save("protocol-4.pt", {"nested": {"deep": [nn.Parameter(torch.ones(2, 3)), (torch.ones(4),)]}}, [torch.ones(2, 3), torch.ones(4)], pickle_protocol=4)
q = torch.quantize_per_tensor(torch.randn(6, 5), 0.1, 0, torch.qint8)
save("quantized.pt", {"weight": q}, [q])
packed = {"qweight": torch.zeros(40, 8, dtype=torch.int32), "scales": torch.ones(8, dtype=torch.float16)}
torch.save(packed, f"{out}/packed.pt"); told["packed.pt"] = {"parameters": None}
script = torch.jit.script(Net()); torch.jit.save(script, f"{out}/script.pt"); told["script.pt"] = {"parameters": count(script.state_dict().values())}
frozen = torch.jit.freeze(torch.jit.script(Net().eval())); torch.jit.save(frozen, f"{out}/frozen.pt")
class Sub(torch.Tensor): pass
sub = torch.ones(3, 3).as_subclass(Sub)
save("subclass.pt", {"w": sub}, [torch.ones(3, 3)])
sp = torch.eye(3).to_sparse()
torch.save({"s": sp}, f"{out}/sparse.pt"); told["sparse.pt"] = {"parameters": None}
json.dump(told, open(f"{out}/told.json", "w"), indent=1)
