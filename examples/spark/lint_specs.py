"""Checks many VM specs with Spark: each partition is one run of vmlint, which reads its specs from the standard input.

    spark-submit examples/spark/lint_specs.py specs.jsonl --host 4x10x2@7.0

specs.jsonl has one spec (apiVersion: vmlint.dev/v1) a line. What follows it is handed to vmlint, which is on every worker.
"""

import json
import os
import shlex
import sys

from pyspark.sql import SparkSession


def main(path, *options):
    spark = SparkSession.builder.appName("vmlint").getOrCreate()
    # Findings are no failure of a partition: exit code 1 would be one.
    command = shlex.join(["vmlint", "-", "--format", "ndjson", "--fail-on", "never", *options])
    said = (
        spark.sparkContext.textFile(path)
        .filter(lambda line: line.strip())
        .map(lambda spec: f"--- {spec}")  # a stream of YAML documents, of which JSON is one
        .pipe(command, env=dict(os.environ), checkCode=True)  # without env there is no PATH
        .map(json.loads)
        .cache()
    )
    findings = said.filter(lambda line: line["type"] == "diagnostic")
    about = findings.map(lambda found: ((found["severity"], found["ruleId"]), found["vm"] or found["path"]))
    by_rule = about.groupByKey().mapValues(sorted)
    for (severity, rule), vms in sorted(by_rule.collect()):
        print(f"{severity} {rule}: {', '.join(vms)}")
    print(f"{said.filter(lambda line: line['type'] == 'summary').map(lambda line: line['vms']).sum()} VMs")
    spark.stop()


main(*sys.argv[1:])
