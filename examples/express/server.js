import { lintVm } from "@vmlint/core";
import express from "express";

const HOST = "2x20x2:768@8.0";

/** Takes orders for machines: POST /machines { "name": "sql01", "vcpus": 22, "memoryMiB": 262144 }. */
export const app = express().use(express.json());

app.post("/machines", ({ body }, response) => {
  const { findings } = lintVm(body ?? {}, { host: HOST });
  const isWrong = findings.some(({ severity }) => severity === "error");
  response.status(isWrong ? 422 : 201).json({
    findings: findings.map(({ ruleId, severity, setting, message, fixes }) => ({
      ruleId,
      severity,
      setting,
      message,
      instead: fixes.map(({ settings }) => settings),
    })),
  });
});

if (process.argv[1]?.endsWith("server.js")) app.listen(3000);
