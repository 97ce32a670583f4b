"""Reads layouts of projects as JSON from its input, and prints the value of a variable that Ansible itself gives each host of their plays."""

import json
import os
import sys
import tempfile

from ansible.inventory.manager import InventoryManager
from ansible.parsing.dataloader import DataLoader
from ansible.playbook import Playbook
from ansible.plugins.loader import init_plugin_loader
from ansible.vars.manager import VariableManager

init_plugin_loader()


def values(layout, root):
    for path, text in layout["files"].items():
        target = os.path.join(root, path)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "w", encoding="utf-8") as file:
            file.write(text)
    loader = DataLoader()
    loader.set_basedir(os.path.dirname(os.path.join(root, layout["playbook"])))
    sources = [os.path.join(root, path) for path in layout["inventory"]]
    inventory = InventoryManager(loader=loader, sources=sources)
    variables = VariableManager(loader=loader, inventory=inventory)
    (play,) = Playbook.load(os.path.join(root, layout["playbook"]), variable_manager=variables, loader=loader).get_plays()
    hosts = inventory.get_hosts(play.hosts)
    found = [variables.get_vars(play=play, host=host).get(layout["variable"]) for host in hosts]
    return [None if value is None else str(value) for value in found]


with tempfile.TemporaryDirectory() as folder:
    answers = []
    for number, one in enumerate(json.load(sys.stdin)):
        os.makedirs(os.path.join(folder, str(number)))
        answers.append(values(one, os.path.join(folder, str(number))))
print(json.dumps(answers))
