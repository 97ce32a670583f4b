import { expect, test } from "vitest";
import { completePage } from "../../packages/core/src/rules/complete-page.ts";

const page = { summary: "", why: "", whenNot: "", sources: [] };

test("examples have the shared host and lines, unless they state their own", () => {
  const shared = { host: "r640", vmx: `virtualHW.version = "19"\nnumvcpus = "4"` };
  const good = [
    { title: "nothing of its own", vmx: "" },
    { title: "another host and version", host: "r720", vmx: `virtualHW.version = "20"\nmemSize = "4096"` },
    { title: "two VMs", vmx: [`memSize = "4096"`, `numvcpus = "8"`] },
    { title: "no .vmx text", json: "{}" },
  ];
  expect(completePage({ ...page, shared, bad: [], good }).good).toEqual([
    { title: "nothing of its own", host: "r640", vmx: `virtualHW.version = "19"\nnumvcpus = "4"` },
    { title: "another host and version", host: "r720", vmx: `numvcpus = "4"\nvirtualHW.version = "20"\nmemSize = "4096"` },
    {
      title: "two VMs",
      host: "r640",
      vmx: [`virtualHW.version = "19"\nnumvcpus = "4"\nmemSize = "4096"`, `virtualHW.version = "19"\nnumvcpus = "8"`],
    },
    { title: "no .vmx text", host: "r640", json: "{}" },
  ]);
});

test("an example expects the only message if it names none", () => {
  const bad = [{ title: "a" }, { title: "b", expect: "other" }];
  expect(completePage({ ...page, bad, good: [] }, "only").bad.map((example) => example.expect)).toEqual(["only", "other"]);
});

test("the workload of an example is a text, as after --workload", () => {
  const good = [{ title: "its own", workload: "mssql, standard, maxdop=4" }, { title: "shared" }];
  const { good: complete } = completePage({ ...page, shared: { workload: "latency" }, bad: [], good });
  expect(complete.map(({ workload }) => workload)).toEqual([{ kind: "mssql", edition: "standard", maxdop: 4 }, { kind: "latency" }]);
  const wrong = { ...page, bad: [], good: [{ title: "", workload: "sql" }] };
  expect(() => completePage(wrong)).toThrow('"sql" is no workload');
});

test("the source of the evidence is the first, unless the list has another order", () => {
  const [first, second] = [
    { key: "a", title: "" },
    { key: "b", title: "" },
  ];
  const evidence = { figure: "", source: first };
  const keysOf = (sources?: readonly { key: string; title: string }[]) =>
    completePage({ ...page, evidence, ...(sources && { sources }), bad: [], good: [] }).sources.map(({ key }) => key);
  expect([keysOf(), keysOf([second]), keysOf([second, first])]).toEqual([["a"], ["a", "b"], ["b", "a"]]);
});
