"""Prints what Nova computes for random flavors and images, one JSON object a line. Usage: nova-flavors.py COUNT SEED"""
import json
import random
import sys
import warnings

warnings.filterwarnings("ignore")
import eventlet  # noqa: F401, E402  Nova wants it first.
from nova import objects  # noqa: E402

if hasattr(objects, "register_all"):
    objects.register_all()
from nova.objects import image_meta  # noqa: E402
from nova.virt import hardware  # noqa: E402

count, rand = int(sys.argv[1]), random.Random(int(sys.argv[2]))


def sometimes(probability):
    return rand.random() < probability


def manual_nodes(specs, nodes, vcpus, ram):
    """Lists vCPUs and memory of each node, sometimes wrongly."""
    ids = list(range(vcpus))
    rand.shuffle(ids)
    for node in range(nodes):
        specs[f"hw:numa_cpus.{node}"] = ",".join(map(str, sorted(ids[node::nodes])))
        specs[f"hw:numa_mem.{node}"] = str(ram - (nodes - 1) * (ram // nodes) if node == 0 else ram // nodes)
    if sometimes(0.1):
        del specs[f"hw:numa_mem.{nodes - 1}"]
    elif sometimes(0.15):
        specs["hw:numa_cpus.0"] += f",{rand.randrange(vcpus + 2)}"
    elif sometimes(0.1):
        specs["hw:numa_mem.0"] = "1"


for _ in range(count):
    vcpus, ram = rand.choice([1, 2, 3, 4, 5, 6, 8, 12, 16, 20, 24, 32, 48]), rand.choice([512, 1000, 4096, 12288, 65536])
    specs, image = {}, {}
    for kind in ("sockets", "cores", "threads"):
        if sometimes(0.25):
            specs[f"hw:cpu_{kind}"] = str(rand.choice([1, 2, 3, 4, 8]))
        if sometimes(0.2):
            specs[f"hw:cpu_max_{kind}"] = str(rand.choice([1, 2, 4, 8]))
        if sometimes(0.1):
            image[f"hw_cpu_{kind}"] = rand.choice([1, 2, 4])
        if sometimes(0.08):
            image[f"hw_cpu_max_{kind}"] = rand.choice([1, 2, 4])
    if sometimes(0.3):
        specs["hw:cpu_policy"] = rand.choice(["dedicated", "dedicated", "shared", "mixed", "pinned"])
    if sometimes(0.1):
        specs["hw:cpu_thread_policy"] = rand.choice(["prefer", "isolate", "require"])
    if sometimes(0.1):
        specs["hw:emulator_threads_policy"] = rand.choice(["isolate", "share"])
    if sometimes(0.1):
        specs["hw:mem_page_size"] = rand.choice(["large", "small", "any", "2048"])
    if sometimes(0.4):
        nodes = rand.choice([1, 2, 3, 4])
        specs["hw:numa_nodes"] = str(nodes) if sometimes(0.97) else "0"
        if sometimes(0.4) and vcpus >= nodes:
            manual_nodes(specs, nodes, vcpus, ram)
    elif sometimes(0.05):
        image["hw_numa_nodes"] = rand.choice([1, 2])
    flavor = objects.Flavor(vcpus=vcpus, memory_mb=ram, extra_specs=specs, root_gb=1, ephemeral_gb=0, swap=0, name="f")
    meta = image_meta.ImageMeta.from_dict({"properties": image})
    try:
        best = hardware.get_best_cpu_topology(flavor, meta)
        cells = hardware.numa_get_constraints(flavor, meta)
        listed = [(sorted(set(cell.cpuset) | set(cell.pcpuset)), cell.memory) for cell in cells.cells] if cells else []
        real = ((best.sockets, best.cores, best.threads), listed)
    except Exception as error:  # noqa: BLE001
        real = type(error).__name__
    print(json.dumps({"vcpus": vcpus, "ramMiB": ram, "extraSpecs": specs, "imageProperties": image, "real": real}))
