"""Checks the VMs of a pandas or Spark DataFrame with the command vmlint."""

import csv
import io
import itertools
import json
import os
import shutil
import subprocess
import tempfile

import pandas

__all__ = ["COLUMNS", "SCHEMA", "VmlintBug", "VmlintError", "lint", "linter"]

COLUMNS = ["vm", "host", "cluster", "rule", "severity", "message", "fix"]

SCHEMA = ", ".join(f"{column} string" for column in COLUMNS)
"""The schema of findings, for mapInPandas."""

VMS_PER_FILE = 5_000
FINDINGS_PER_FRAME = 10_000

SHEETS = ("vCPU", "vMemory", "vDisk", "vNetwork")


class VmlintError(Exception):
    """A check that the caller must change: a wrong option, host or input (exit code 2), or a command that does not run."""


class VmlintBug(VmlintError):
    """A bug in vmlint or in a plugin (exit code 3)."""


def lint(frame, **options):
    """Returns the findings of a pandas DataFrame of VMs. Takes the same options as linter."""
    found = list(linter(**options)([frame]))
    return pandas.concat(found, ignore_index=True) if found else _frame([])


def linter(host=None, hosts=None, options=(), command="vmlint"):
    """Returns a function for DataFrame.mapInPandas, which runs the command once for each partition.

    host: the host of all VMs, instead of those that the rows name.
    hosts: a pandas DataFrame with the columns of RVTools' vHost, for VMs with the columns of RVTools.
    options: more options of the command, such as ["--config", "/etc/vmlint.yaml"].
    command: the command on each worker, as a path or as a list of words.
    """
    words = [command] if isinstance(command, str) else list(command)
    words += ["--format", "ndjson", "--fail-on", "never", "--no-gitignore"]
    words += [] if host is None else ["--host", host]
    words += options
    v_host = None if hosts is None else _csv(hosts.columns, hosts.itertuples(index=False))

    def run(frames):
        with tempfile.TemporaryDirectory(prefix="vmlint-") as folder:
            if _write(frames, folder, v_host) > 0:
                yield from _findings([*words, folder])

    return run


def _write(frames, folder, v_host):
    """Writes the VMs to files of a few thousand each, because vmlint limits the time of each file. Returns the number of files."""
    files = 0
    for frame in frames:
        for start in range(0, len(frame), VMS_PER_FILE):
            part = os.path.join(folder, f"{files:05}")
            os.mkdir(part)
            rows = frame.iloc[start : start + VMS_PER_FILE]
            if "spec" in rows.columns:
                if v_host is not None:
                    raise ValueError("hosts is for VMs with the columns of RVTools. Beside a column spec, the column host names the host.")
                _write_specs(rows, part)
            elif "VM" in rows.columns:
                _write_export(rows, part, v_host)
            else:
                raise ValueError("The DataFrame has neither a column spec nor a column VM, as RVTools exports it.")
            files += 1
    return files


def _write_specs(rows, folder):
    items = []
    for row in rows.to_dict("records"):
        name = _plain(row.get("name", row.get("vm")))
        item = {
            "metadata": {} if name is None else {"name": str(name)},
            "host": _plain(row.get("host")),
            "workload": _plain(row.get("workload")),
            "spec": _plain(row["spec"]) or {},
        }
        items.append({key: value for key, value in item.items() if value is not None})
    machines = {"apiVersion": "vmlint.dev/v1", "kind": "VirtualMachineList", "items": items}
    with open(os.path.join(folder, "vms.vm.json"), "w", encoding="utf-8") as file:
        json.dump(machines, file, ensure_ascii=False)


def _write_export(rows, folder, v_host):
    """Writes an export of RVTools. A column such as "vCPU Cores p/s" belongs to the sheet vCPU, others to vInfo."""
    columns = {sheet: [name for name in rows.columns if name.startswith(f"{sheet} ")] for sheet in SHEETS}
    others = {name for names in columns.values() for name in names} | {"VM ID"}
    # vmlint joins the sheets by ID.
    key = pandas.Series(range(len(rows)), index=rows.index)
    info = rows[[name for name in rows.columns if name not in others]].assign(**{"VM ID": key})
    if "Powerstate" not in info.columns:
        info = info.assign(Powerstate=None)
    sheets = {"vInfo": info}
    place = ["VM"] + [name for name in ("VI SDK Server",) if name in info.columns]
    for sheet, names in columns.items():
        if names:
            short = rows[names].rename(columns={name: name[len(sheet) + 1 :] for name in names})
            sheets[sheet] = info[place + ["VM ID"]].join(short)
    for sheet, table in sheets.items():
        _save(folder, sheet, _csv(table.columns, table.itertuples(index=False)))
    if v_host is not None:
        _save(folder, "vHost", v_host)


def _save(folder, sheet, text):
    with open(os.path.join(folder, f"RVTools_tab{sheet}.csv"), "w", encoding="utf-8", newline="") as file:
        file.write(text)


def _csv(columns, rows):
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    # The first line decides on the separator.
    writer.writerow([str(column).replace(";", " ").replace("\t", " ") for column in columns])
    writer.writerows(["" if _plain(cell) is None else cell for cell in row] for row in rows)
    return text.getvalue()


def _plain(value):
    """Returns a value as JSON has it, without what is missing."""
    if hasattr(value, "asDict"):
        value = value.asDict()
    if isinstance(value, dict):
        pairs = ((key, _plain(inner)) for key, inner in value.items())
        return {str(key): inner for key, inner in pairs if inner is not None}
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [_plain(inner) for inner in value]
    if pandas.isna(value):
        return None
    # A column of whole numbers with a gap has floats in pandas.
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _findings(words):
    """Runs the command and yields its findings as they are printed."""
    # On Windows, npm installs the command as vmlint.cmd.
    program = shutil.which(words[0])
    if program is None:
        raise VmlintError(f"The command {words[0]} is not on this machine. Install vmlint on each worker, or set command to its path.")
    with tempfile.TemporaryFile() as errors:
        with subprocess.Popen([program, *words[1:]], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors) as process:
            try:
                lines = (json.loads(line) for line in process.stdout)
                found = (_row(line) for line in lines if line["type"] == "diagnostic")
                while rows := list(itertools.islice(found, FINDINGS_PER_FRAME)):
                    yield _frame(rows)
            except json.JSONDecodeError:
                # It was killed inside a line, or is another program. Its exit code and errors tell more.
                process.stdout.read()
                _raise_failure(process.wait() or 1, errors)
            except BaseException:
                process.kill()
                raise
        if process.returncode != 0:
            _raise_failure(process.returncode, errors)


def _raise_failure(code, errors):
    errors.seek(0)
    said = errors.read().decode("utf-8", "replace").strip()
    if code < 0:
        raise VmlintError(f"Signal {-code} ended vmlint, as when memory runs out. Use smaller partitions. {said}".strip())
    kind = VmlintBug if code == 3 else VmlintError
    raise kind(f"vmlint ended with exit code {code}: {said}")


def _row(finding):
    return {
        "vm": finding.get("vm") or ", ".join(finding.get("vms", [])) or None,
        "host": finding.get("host"),
        "cluster": finding.get("cluster"),
        "rule": finding["ruleId"],
        "severity": finding["severity"],
        "message": finding["message"],
        "fix": "; ".join(fix["title"] for fix in finding["fixes"]) or None,
    }


def _frame(rows):
    return pandas.DataFrame(rows, columns=COLUMNS, dtype=object)
