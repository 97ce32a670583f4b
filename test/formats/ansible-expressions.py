"""Reads {"vars", "expressions"} as JSON from its input, and prints what Ansible's own templating makes of each expression; null where it fails."""

import json
import sys

from ansible.parsing.dataloader import DataLoader
from ansible.plugins.loader import init_plugin_loader
from ansible.template import Templar

try:
    from ansible.template import trust_as_template as trusted
except ImportError:
    def trusted(text):
        return text

init_plugin_loader()


def trust(value):
    """Variables of a playbook may hold templates, and those of a program only where it says so."""
    if isinstance(value, str):
        return trusted(value)
    if isinstance(value, list):
        return [trust(item) for item in value]
    if isinstance(value, dict):
        return {key: trust(item) for key, item in value.items()}
    return value


given = json.load(sys.stdin)
templar = Templar(loader=DataLoader(), variables=trust(given["vars"]))
answers = []
for expression in given["expressions"]:
    try:
        answers.append(templar.template(trusted(expression)))
    except Exception:
        answers.append(None)
print(json.dumps(answers, default=str))
