import { type Certainty, deriveTopology, type HostModel, lint, requireHost, type Workload } from "@vmlint/core";
import { filesSvg, topologyHtml, topologySvg } from "@vmlint/core/picture";
import fc from "fast-check";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { libvirt } from "../../packages/core/src/formats/libvirt/libvirt.ts";
import { pageStyles, vmHtml } from "../../packages/core/src/report/picture/drawing.ts";
import { drawnVm, type FlawKind, flawsOf } from "../../packages/core/src/report/picture/flaws.ts";
import { anyHost, anyVmx } from "../support/arbitraries.ts";
import { hasChromium, startChromium } from "../support/chromium.ts";
import { type Element, everything, hasClass, parseXml } from "../support/parse-xml.ts";
import { topologyOf, vmOf } from "../support/sample-vm.ts";

const epyc: HostModel = { ...requireHost("2x64x2/4@8.0"), name: "epyc", coresPerL3: 8, cpu: "AMD EPYC 7763" };
const HOSTS = [requireHost("1x4x2@8.0"), requireHost("dl580g7"), requireHost("2x24x2/2@8.0"), epyc, requireHost("4x128x2@8.0")];
const CAL: Workload = { kind: "mssql", edition: "enterprise", licensing: "server-cal" };

const file = (text: string, host?: HostModel, workload?: Workload) => ({
  ...lint(text, { target: { host, workload }, rules: [] }),
  path: "a.vmx",
  text,
});

/** 2 nodes of 4 cores of 2 threads, numbered as most machines are. */
const LISTED: HostModel = {
  ...requireHost("2x4x2"),
  linuxCpus: Array.from({ length: 16 }, (_, cpu) => ({ core: cpu % 8, node: Math.floor((cpu % 8) / 4) })),
};

const CELLS =
  "<cpu><numa><cell id='0' cpus='0-3' memory='1' unit='GiB'/><cell id='1' cpus='4-7' memory='1' unit='GiB'/><cell id='2' memory='1' unit='GiB'/></numa></cpu>";

/** A domain with a pin of each vCPU, and with cells if it has 8 or more. */
const pinnedDomain = (pins: readonly string[], more = ""): string =>
  `<domain type='kvm'><name>sql01</name><memory unit='GiB'>4</memory><vcpu>${pins.length}</vcpu><iothreads>1</iothreads><cputune>${pins
    .map((cpus, vcpu) => `<vcpupin vcpu='${vcpu}' cpuset='${cpus}'/>`)
    .join("")}${more}</cputune>${pins.length < 8 ? "" : CELLS}</domain>`;
const HELPERS = "<emulatorpin cpuset='0-1'/><iothreadpin iothread='1' cpuset='8'/>";
const SHARING = pinnedDomain(["2", "10", "3", "11", "4", "12", "5", "12"], HELPERS);

const domainFile = (text: string, host?: HostModel) => ({
  ...lint(text, { format: libvirt, target: { host, workload: undefined }, rules: [] }),
  path: "a.xml",
  text,
});

describe("a pinned domain", () => {
  test.each([
    ["on a host that lists its CPUs", LISTED, 16],
    ["without a host", undefined, 10],
  ])("%s: each CPU once, and the one that two vCPUs share", (_, host, count) => {
    const root = parseXml(filesSvg([domainFile(SHARING, host)]));
    const machine = inGroup(root, "host");
    const cpus = ["vcpu", "idle", "off"].reduce((sum, name) => sum + squares(machine, name), 0);
    expect(cpus).toBe(count);
    // A disc with the number of vCPUs replaces the numbers of the core.
    expect(texts(machine)).toContain("2");
    expect(squares(machine, "wrong")).toBe(1);
    expect(words(root)).toContain("Marked as wrong: vCPUs 5 and 7 take turns on CPU 12.");
    expect(words(root)).toContain("emulator threads: CPUs 0-1. I/O thread 1: CPU 8.");
    expect(squares(inGroup(root, "guest"), "vcpu")).toBe(8);
  });

  test("a CPU that the host does not have is named", () => {
    const root = parseXml(filesSvg([domainFile(pinnedDomain(["0-3", "99"]), LISTED)]));
    expect(words(root)).toContain("Not on this host: CPU 99.");
    expect(squares(inGroup(root, "host"), "pinned")).toBe(4);
  });
});

const picture = (text: string, host?: HostModel, workload?: Workload) => filesSvg([file(text, host, workload)]);

const inGroups = (root: Element, name: string) =>
  everything(root)
    .filter((e) => e.name === "g" && hasClass(e, name))
    .map(everything);
const inGroup = (root: Element, name: string) => inGroups(root, name).flat();
/** Squares of a class: a path holds one for each `h...z`. */
const squares = (elements: readonly Element[], name: string) =>
  elements
    .filter((e) => e.name === "path" && hasClass(e, name))
    .reduce((sum, { attributes }) => sum + (attributes.d?.match(/z/g)?.length ?? 0), 0);
const words = (root: Element) => everything(root).find(({ name }) => name === "desc")?.text ?? "";
const texts = (elements: readonly Element[]) => elements.filter(({ name }) => name === "text").map(({ text }) => text);

/** Cores dealt to the nodes in turn. */
const dealt = ({ sockets, coresPerSocket, threadsPerCore, numaNodes }: HostModel) =>
  Array.from({ length: numaNodes }, (_, node) =>
    Array.from({ length: sockets * coresPerSocket * threadsPerCore }, (_, pcpu) => pcpu).filter(
      (pcpu) => Math.floor(pcpu / threadsPerCore) % numaNodes === node,
    ),
  );

test("any VM on any host: well-formed, each vCPU and logical CPU drawn once, always the same picture", () => {
  let drawn = 0;
  fc.assert(
    fc.property(
      anyVmx,
      anyHost,
      fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }),
      fc.boolean(),
      (text, shape, coresPerL3, isDealt) => {
        const pcpusOfNode = isDealt ? dealt(shape) : undefined;
        const host = { ...shape, ...(coresPerL3 !== undefined && { coresPerL3 }), ...(pcpusOfNode && { pcpusOfNode }) };
        const result = deriveTopology(vmOf(text), host);
        if (!result.ok) return;
        drawn++;
        const { topology } = result;
        const svg = topologySvg(host, topology);
        expect(topologySvg(host, topology)).toBe(svg);
        expect(svg).not.toMatch(/NaN|undefined|Infinity/);
        const root = parseXml(svg);
        const guest = inGroup(root, "guest");
        const machine = inGroup(root, "host");
        const threads = host.sockets * host.coresPerSocket * host.threadsPerCore;
        expect(squares(guest, "vcpu")).toBe(topology.vcpus);
        expect(squares(machine, "cpu")).toBe(threads);
        expect(squares(machine, "vcpu")).toBe(topology.numaManaged ? topology.vcpus : 0);
        expect(squares(machine, "pinned")).toBe(topology.pinning?.pcpus ?? 0);
        if (host.threadsPerCore > 1) expect(squares(machine, "core")).toBe(threads / host.threadsPerCore);
        const inside = (e: Element) => [Number(e.attributes.x), Number(e.attributes.y)];
        const [, , width = 0, height = 0] = (root.attributes.viewBox ?? "").split(" ").map(Number);
        for (const [x = -1, y = -1] of everything(root)
          .filter(({ name }) => name === "text")
          .map(inside)) {
          expect(x >= 0 && x < width && y > 0 && y < height).toBe(true);
        }
      },
    ),
    { numRuns: 600 },
  );
  expect(drawn).toBeGreaterThan(60);
});

test("unusable vCPUs are marked, in both views", () => {
  const root = parseXml(picture(`virtualHW.version = "10"\nnumvcpus = "32"`, requireHost("dl580g7"), CAL));
  expect([squares(inGroup(root, "guest"), "off"), squares(inGroup(root, "host"), "off")]).toEqual([12, 12]);
  expect(words(root)).toContain("SQL Server can use 20 of 32 vCPUs.");
  expect(texts(everything(root))).toContain("a vCPU SQL Server cannot use");
  const desktop = parseXml(picture(`virtualHW.version = "17"\nnumvcpus = "8"\nguestOS = "windows9-64"`, requireHost("2x20x2@7.0")));
  expect(squares(inGroup(desktop, "guest"), "off")).toBe(4);
  expect(texts(everything(desktop))).toContain("a vCPU the guest OS cannot use");
});

test("pinned: the CPUs of the list are marked, and no client is drawn", () => {
  const host = requireHost("dl580g7");
  const svg = picture(`virtualHW.version = "10"\nnumvcpus = "8"\nsched.cpu.affinity = "0-7,900"`, host);
  const root = parseXml(svg);
  expect(squares(inGroup(root, "host"), "pinned")).toBe(8);
  expect(texts(everything(root)).filter((text) => text.startsWith("client"))).toEqual([]);
  expect(words(root)).toContain("Pinned to 8 logical CPUs of 4 cores (4+0+0+0 by node), 4 sibling pairs.");
  expect(words(root)).toContain("Not on this host: CPU 900.");
});

/** The drawn nodes of a host in the order they are drawn, each with its captions and its pinned CPUs, below the title of its socket. */
function nodesDrawn(root: Element): readonly string[] {
  const machine = inGroup(root, "host");
  const heads = machine.flatMap((e, i) => (hasClass(e, "node") || hasClass(e, "socket") ? [i] : []));
  return heads.map((head, i) => {
    const inside = machine.slice(head, heads[i + 1]);
    const titles = texts(inside).filter((text) => /node|CPU|socket/.test(text));
    return titles.join(", ") + (hasClass(inside[0] as Element, "node") ? `: ${squares(inside, "pinned")}` : "");
  });
}

test.each<[string, NonNullable<HostModel["pcpusOfNode"]>, string, string, readonly string[]]>([
  [
    "the second socket is node 0",
    [
      [8, 9, 10, 11, 12, 13, 14, 15],
      [0, 1, 2, 3, 4, 5, 6, 7],
    ],
    "8,10,12",
    "(3+0 by node)",
    ["NUMA node 0, socket 1, CPUs 8–15: 3", "NUMA node 1, socket 0, CPUs 0–7: 0"],
  ],
  [
    "nodes that take turns in a socket",
    [
      [0, 1, 4, 5],
      [2, 3, 6, 7],
      [8, 9, 12, 13],
      [10, 11, 14, 15],
    ],
    "0,4,6,14",
    "(2+1+0+1 by node)",
    [
      "socket 0: 4 cores",
      "NUMA node 0, CPUs 0–1, 4–5: 2",
      "NUMA node 1, CPUs 2–3, 6–7: 1",
      "socket 1: 4 cores",
      "NUMA node 2, CPUs 8–9, 12–13: 0",
      "NUMA node 3, CPUs 10–11, 14–15: 1",
    ],
  ],
  [
    "nodes that lie across the sockets",
    [
      [0, 1, 2, 3, 8, 9, 10, 11],
      [4, 5, 6, 7, 12, 13, 14, 15],
    ],
    "0,8,10,14",
    "(3+1 by node)",
    ["NUMA node 0, CPUs 0–3, 8–11, part of sockets 0–1: 3", "NUMA node 1, CPUs 4–7, 12–15, part of sockets 0–1: 1"],
  ],
])("a host with its own node numbers, %s: the picture matches the sentence", (_, pcpusOfNode, affinity, said, expected) => {
  const host: HostModel = { ...requireHost("2x4x2@8.0"), numaNodes: pcpusOfNode.length, pcpusOfNode };
  const root = parseXml(picture(`virtualHW.version = "21"\nnumvcpus = "4"\nsched.cpu.affinity = "${affinity}"`, host));
  expect(words(root)).toContain(said);
  expect(nodesDrawn(root)).toEqual(expected);
});

test("pinned only to CPUs of another host: the picture names them as ranges", () => {
  const root = parseXml(picture(`virtualHW.version = "10"\nnumvcpus = "8"\nsched.cpu.affinity = "400-499,510"`, requireHost("dl580g7")));
  expect(words(root)).toContain("Pinned to no logical CPU of this host.");
  expect(words(root)).toContain("Not on this host: CPU 400-499, 510.");
});

test("memory affinity: no client and no pinning, and the reason", () => {
  const root = parseXml(picture(`virtualHW.version = "10"\nnumvcpus = "8"\nsched.mem.affinity = "0"`, requireHost("dl580g7")));
  expect([squares(inGroup(root, "host"), "pinned"), squares(inGroup(root, "host"), "vcpu")]).toEqual([0, 0]);
  expect(words(root)).toContain("The VM is out of NUMA scheduling");
});

test.each<[string, string, string]>([
  ["clients share nodes where there are more of them", `numvcpus = "64"`, "client 4 (vCPUs 40–49) on NUMA node 0"],
  [
    "numa.nodeAffinity is kept to",
    `numvcpus = "16"\nnuma.nodeAffinity = "2,3"`,
    "client 0 (vCPUs 0–7) on NUMA node 2, client 1 (vCPUs 8–15) on NUMA node 3.",
  ],
  ["a node the host lacks takes no client", `numvcpus = "8"\nnuma.nodeAffinity = "9"`, "client 0 (vCPUs 0–7) on NUMA node none"],
  ["a list of such nodes alone is said", `numvcpus = "8"\nnuma.nodeAffinity = "9"`, "numa.nodeAffinity names no node of this host"],
  ["nodes are ESXi's to choose", `numvcpus = "8"`, "ESXi chooses the nodes and cores at run time"],
  ["of several", `numvcpus = "8"\nnuma.nodeAffinity = "1,2"`, "ESXi chooses the nodes (of 1, 2) and cores at run time"],
  ["of one there is no choice", `numvcpus = "8"\nnuma.nodeAffinity = "1"`, "ESXi chooses the cores at run time"],
  ["nor where only one of the list is there", `numvcpus = "8"\nnuma.nodeAffinity = "1,9"`, "ESXi chooses the cores at run time"],
])("%s", (_, text, expected) => {
  expect(words(parseXml(picture(`virtualHW.version = "10"\n${text}`, requireHost("dl580g7"))))).toContain(expected);
});

test.each<[flaw: string, vmx: string, host: string, sentence: string, marks: readonly string[], cores: number]>([
  [
    "siblings",
    'numvcpus = "16"\nsched.cpu.affinity = "0-15"',
    "dl580g7",
    "16 vCPUs share the 8 cores they are pinned to; the other 32 stay unused.",
    ["8 cores shared", "2 cores unused"],
    8,
  ],
  [
    "an uneven pinning",
    'numvcpus = "16"\nsched.cpu.affinity = "0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30"',
    "dl580g7",
    "16 vCPUs are pinned to 2 nodes unevenly: 10+6 cores.",
    ["10 of 10 cores", "6 of 10 cores"],
    0,
  ],
  ["turns on few CPUs", 'numvcpus = "4"\nsched.cpu.affinity = "0,2"', "dl580g7", "4 vCPUs take turns on 2 logical CPUs.", [], 0],
  [
    "more vCPUs than cores",
    'numvcpus = "64"',
    "dl580g7",
    "64 vCPUs run on 40 cores, two vCPUs each on 24 of them. The guest sees 7 NUMA nodes, but the host has 4, which they share. " +
      "The NUMA nodes are uneven: 6 of 10 and 1 of 4 vCPUs.",
    [
      "10 cores shared",
      "virtual nodes 0, 4 share it",
      "10 cores shared",
      "virtual nodes 1, 5 share it",
      "4 cores shared",
      "virtual nodes 2, 6 share it",
      "only 4 vCPUs",
    ],
    24,
  ],
  [
    "hidden nodes",
    'numvcpus = "24"\nvcpu.hotadd = "TRUE"',
    "2x20x2@7.0",
    "The guest sees 1 NUMA node, but its vCPUs are on 2.",
    ["on 2 nodes of the host"],
    0,
  ],
  [
    "remote memory",
    'numvcpus = "8"\nmemsize = "307200"',
    "4x10x2:1024@5.5",
    "The memory (300 GiB) does not fit a node of 256 GiB: the rest is remote.",
    ["300 GiB in 256 GiB"],
    0,
  ],
  ["threads by choice", 'numvcpus = "64"\nnuma.vcpu.preferHT = "TRUE"', "dl580g7", "", [], 0],
  ["virtual hyper-threads", 'numvcpus = "8"\ncpuid.numSMT = "2"\nsched.cpu.affinity = "0-7"', "2x20x2@8.0", "", [], 0],
  ["one core each", 'numvcpus = "8"\nsched.cpu.affinity = "0,2,4,6,8,10,12,14"', "dl580g7", "", [], 0],
])("what is wrong is marked: %s", (_, vmx, host, sentence, marks, cores) => {
  const root = parseXml(picture(`virtualHW.version = "10"\n${vmx}`, requireHost(host)));
  const flawed = everything(root).filter((e) => e.name === "text" && hasClass(e, "f") && !hasClass(e, "t13"));
  expect(/Marked as wrong: (.*?) (?:The guest's|Drawn|The vCPUs share|ESXi)/.exec(words(root))?.[1] ?? "").toBe(sentence);
  expect(texts(flawed)).toEqual(marks);
  expect(everything(root).filter(({ name }) => name === "circle")).toHaveLength(cores);
});

const RULES_OF: Partial<Record<FlawKind, RegExp>> = {
  "shared-cores": /^(affinity\/ht-siblings|cpu\/exceeds-physical-cores)$/,
  "too-few-cpus": /^affinity\/too-few$/,
  "uneven-cores": /^affinity\/uneven-nodes$/,
  "too-many-vcpus": /^cpu\/exceeds-host-threads$/,
};

test("a rule reports each flaw of cores and pinning that a picture marks", () => {
  const kinds = new Set<FlawKind>();
  fc.assert(
    fc.property(anyVmx, anyHost, (text, host) => {
      const vm = vmOf(text);
      const result = deriveTopology(vm, host);
      if (!result.ok) return;
      const ids = lint(text, { target: { host } }).diagnostics.map(({ ruleId }) => ruleId);
      for (const [kind, sentence] of flawsOf(host, result.topology, drawnVm({ spec: vm, target: { host } }))) {
        kinds.add(kind);
        const rule = RULES_OF[kind];
        if (rule) expect(ids, sentence).toContainEqual(expect.stringMatching(rule));
      }
    }),
    { numRuns: 600 },
  );
  expect([...kinds]).toEqual(expect.arrayContaining(["too-few-cpus", "too-many-vcpus"]));
});

test("preferHT: a client wider than the cores of its node takes both threads of some", () => {
  const root = parseXml(picture(`virtualHW.version = "10"\nnumvcpus = "64"\nnuma.vcpu.preferHT = "TRUE"`, requireHost("dl580g7")));
  const machine = inGroup(root, "host");
  // 16 vCPUs on 10 cores: 6 cores use both threads, 4 cores use one.
  expect([squares(machine, "vcpu"), squares(machine, "tint"), squares(machine, "idle")]).toEqual([64, 16, 0]);
  expect(words(root)).toContain("64 vCPUs on 40 cores: some share a core, a thread each.");
});

describe("several VMs on one host", () => {
  const host = requireHost("2x20x2:768@8.0");
  const vmx = (name: string, vcpus: number, more = "") =>
    `virtualHW.version = "19"\ndisplayName = "${name}"\nnumvcpus = "${vcpus}"\nmemSize = "65536"\n${more}`;
  const drawn = (texts: readonly string[], target: object = { host, machine: "esx01" }) =>
    parseXml(
      filesSvg(
        texts.map((text, i) => ({
          ...lint(text, { target: { host, workload: undefined, ...target }, rules: [] }),
          path: `${i}.vmx`,
          text,
        })),
      ),
    );

  test("are in one drawing, each in a colour, with the vCPUs and the memory of all", () => {
    const [first] = inGroups(drawn([vmx("sql01", 22), vmx("app01", 8)]), "host");
    expect(
      ["c0", "c1"].map((name) =>
        squares(
          (first ?? []).filter((e) => hasClass(e, "vcpu")),
          name,
        ),
      ),
    ).toEqual([22, 8]);
    const said = words(drawn([vmx("sql01", 22), vmx("app01", 8)]));
    expect(said).toContain("30 vCPUs on 40 cores, 128 of 768 GiB");
    expect(said).toContain("sql01: 22 vCPUs in clients of 11+11.");
  });

  test("name the CPUs that several are pinned to", () => {
    const root = drawn([vmx("a", 4, 'sched.cpu.affinity = "0-3"\n'), vmx("b", 4, 'sched.cpu.affinity = "2-5"\n')]);
    expect(words(root)).toContain("a and b are pinned to 2 common logical CPUs.");
    expect(texts(inGroup(root, "host")).join(" ")).toContain("2 CPUs with pins of several VMs");
  });

  test.each([
    ["one VM", [vmx("a", 4)], {}, 1],
    ["machines that nobody declared", [vmx("a", 4), vmx("b", 4)], { machine: undefined }, 2],
    ["more VMs than colours", Array.from({ length: 9 }, (_, i) => vmx(`vm${i}`, 4)), {}, 9],
  ])("not drawn for %s", (_, texts, target, panels) => {
    expect(inGroups(drawn(texts, { machine: "esx01", ...target }), "host")).toHaveLength(panels);
  });
});

test("a VM without a host, a VM that does not start, a file without a VM: each gets a panel with the reason", () => {
  const host = requireHost("dl580g7");
  const root = parseXml(
    filesSvg([
      file(`virtualHW.version = "10"\nnumvcpus = "4"`),
      file(`virtualHW.version = "10"\nnumvcpus = "6"\ncpuid.coresPerSocket = "4"`, host),
      file("<level/>\n", host),
    ]),
  );
  expect(inGroup(root, "panel").filter((e) => hasClass(e, "panel"))).toHaveLength(3);
  expect(words(root)).toContain("pass --host or add host: to vmlint.yaml");
  expect(texts(everything(root)).join(" ")).toContain("It does not start: 6 vCPUs do not divide into sockets of 4 [cloud-director-api]");
  expect(words(root)).toContain("This is not a VM definition");
  expect(texts(everything(parseXml(filesSvg([]))))).toContain("There is no VM definition to draw.");
});

test("hostile names end up as text: no markup, nothing XML forbids, and no longer than the picture is wide", () => {
  const name = `</title><script>alert(1)</script>"&amp;'\u0000\u0008\ufffe\ud800 ${"W".repeat(500)}`;
  const host: HostModel = { ...requireHost("dl580g7"), name, cpu: name };
  const svg = topologySvg(host, topologyOf(`virtualHW.version = "10"\nnumvcpus = "64"`, "dl580g7"), {
    name,
    path: name,
    id: '1"><script>',
  });
  const root = parseXml(svg);
  expect(everything(root).filter((e) => e.name === "script")).toEqual([]);
  expect(everything(root).find((e) => e.name === "title")?.text).toContain(`</title><script>alert(1)</script>"&amp;'`);
  expect(root.attributes.id).toMatch(/^[A-Za-z][A-Za-z0-9-]*$/);
  expect(Math.max(...texts(everything(root)).map((text) => text.length))).toBeLessThan(200);
});

test("title and description: the picture in words, joined to it", () => {
  const root = parseXml(picture(`virtualHW.version = "10"\ndisplayName = "sql01"\nnumvcpus = "64"`, requireHost("dl580g7")));
  const [title, desc] = root.children;
  expect(root.attributes).toMatchObject({ role: "img", "aria-labelledby": `${title?.attributes.id} ${desc?.attributes.id}` });
  expect([title?.name, title?.text, desc?.name]).toEqual(["title", "Virtual topology of sql01", "desc"]);
  expect(desc?.text).toMatch(/^64 vCPUs = 64 sockets x 1, 7 virtual NUMA nodes of 10\+10\+10\+10\+10\+10\+4, on dl580g7 \(ESXi 5\.5\)\./);
  expect(desc?.text).toContain("Certainty: documented.");
});

test("pictures that share a page share no id, and each styles itself alone", () => {
  const host = requireHost("dl580g7");
  const topology = topologyOf(`virtualHW.version = "10"\nnumvcpus = "64"`, "dl580g7");
  const page = ["one", "two"].map((id) => topologySvg(host, topology, { id })).join("");
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const one = topologySvg(host, topology, { id: "one" });
  const css = everything(parseXml(one)).find(({ name }) => name === "style")?.text ?? "";
  for (const [, selectors = ""] of css.replace(/@media[^{]*\{/, "").matchAll(/([^{}]+)\{/g)) {
    for (const selector of selectors.split(",")) expect(selector.trim()).toMatch(/^#one\b/);
  }
  expect([...css.matchAll(/url\(#([^)]+)\)/g)].every(([, id = ""]) => ids.includes(id))).toBe(true);
});

/** Classes that style nothing: they group elements, or count them in tests. */
const UNSTYLED = ["panel", "guest", "host", "machine", "key", "vcpu", "cpu", "pinned"];

/** The classes of a picture that no rule of its own style sheet names, and its shapes that no rule fills. */
function unstyled(svg: string): readonly string[] {
  const root = parseXml(svg);
  const css = everything(root).find(({ name }) => name === "style")?.text ?? "";
  const rules = [...css.matchAll(/([^{}]+)\{([^{}]*)\}/g)].flatMap(([, selectors = "", body = ""]) =>
    selectors.split(",").map((selector) => [selector.trim().split(" .")[1] ?? "", body] as const),
  );
  const named = new Set(rules.map(([name]) => name));
  const filled = new Set(rules.flatMap(([name, body]) => (/(^|;)fill:/.test(body) ? [name] : [])));
  const classesOf = (element: Element) => (element.attributes.class ?? "").split(" ").filter(Boolean);
  const problems = (element: Element, inherited: readonly string[]): readonly string[] => {
    const all = [...inherited, ...classesOf(element)];
    const isShape = ["rect", "path", "circle", "text"].includes(element.name);
    const isLine = !/z$/i.test(element.attributes.d ?? "z");
    return [
      ...classesOf(element).filter((name) => !named.has(name) && !UNSTYLED.includes(name)),
      ...(isShape && !isLine && !all.some((name) => filled.has(name)) ? [`black: ${element.name} ${all.join(" ")}`] : []),
      ...element.children.flatMap((child) => problems(child, all)),
    ];
  };
  return problems(root, []);
}

const SKETCHES: readonly (readonly [host: string, vmx: string, workload?: Workload])[] = [
  ["dl580g7", 'numvcpus = "64"', CAL],
  ["dl580g7", 'numvcpus = "160"'],
  ["dl580g7", 'numvcpus = "16"\nsched.cpu.affinity = "0-15,400"'],
  ["dl580g7", 'numvcpus = "8"\nsched.mem.affinity = "0"'],
  ["dl580g7", 'numvcpus = "64"\nnuma.vcpu.preferHT = "TRUE"'],
  ["dl580g7", 'numvcpus = "6"\ncpuid.coresPerSocket = "4"'],
  ["2x20x2@7.0", 'numvcpus = "24"\nvcpu.hotadd = "TRUE"\nguestOS = "windows9-64"'],
  ["2x48x2/8@8.0", 'numvcpus = "96"\nmemsize = "3072000"\nnuma.vcpu.maxPerVirtualNode = "6"'],
  ["16x128x2@8.0", 'numvcpus = "8"'],
];

test.each(["documented", "derived", "possible", "unknown"] satisfies Certainty[])(
  "a layout that is %s: each class has a rule",
  (certainty) => {
    const certainties = { sockets: certainty, vnumaNodes: certainty, numaClients: certainty, placement: certainty };
    for (const [name, vmx] of SKETCHES) {
      const host = requireHost(name);
      const result = deriveTopology(vmOf(`virtualHW.version = "20"\n${vmx}`), host);
      if (!result.ok) continue;
      const svg = topologySvg(host, { ...result.topology, certainty, certainties });
      const isFramed = everything(parseXml(svg)).some((e) => e.name === "rect" && hasClass(e, certainty));
      expect(isFramed).toBe(certainty !== "documented");
      expect(unstyled(svg)).toEqual([]);
    }
  },
);

test("each class of any picture has a rule, and each shape a fill", () => {
  const pictures = SKETCHES.map(([host, vmx, workload]) => picture(`virtualHW.version = "20"\n${vmx}`, requireHost(host), workload));
  for (const svg of [...pictures, picture('numvcpus = "4"'), picture("<level/>"), picture('numvcpus = "120"', epyc)])
    expect(unstyled(svg)).toEqual([]);
  fc.assert(
    fc.property(anyVmx, anyHost, (text, host) => {
      expect(unstyled(picture(text, host))).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

test("120 vCPUs on 2 x 64 cores in NPS4 stay small", () => {
  expect(picture(`virtualHW.version = "20"\nnumvcpus = "120"`, epyc).length).toBeLessThan(60_000);
});

test("a host too large to draw is given as numbers", () => {
  const host = requireHost("16x128x2@8.0");
  expect(texts(everything(parseXml(picture(`virtualHW.version = "20"\nnumvcpus = "8"`, host)))).join(" ")).toContain(
    "2048 cores, 4096 logical CPUs: too many to draw",
  );
});

describe("colours", () => {
  const svg = picture(`virtualHW.version = "20"\nnumvcpus = "8"`, epyc);
  const schemes = [...svg.matchAll(/\{(--paper[^}]*)\}/g)].map(([, rule = ""]) =>
    Object.fromEntries(rule.split(";").map((pair) => pair.slice(2).split(":"))),
  );
  /** WCAG 2.2, relative luminance and contrast ratio. */
  const luminance = (hex: string) =>
    [1, 3, 5]
      .map((i) => Number.parseInt(hex.slice(i, i + 2), 16) / 255)
      .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
      .reduce((sum, c, i) => sum + c * ([0.2126, 0.7152, 0.0722][i] ?? 0), 0);
  const contrast = (a: string, b: string) => {
    const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };

  test.each([
    ["light", 0],
    ["dark", 1],
  ])("%s: text reaches 4.5:1, lines and fills 3:1", (_, which) => {
    expect(schemes).toHaveLength(2);
    const colours = schemes[which] ?? {};
    const ratio = (a: string, b: string) => contrast(colours[a], colours[b]);
    for (const paper of ["paper", "socket"]) {
      for (const text of ["ink", "dim"]) expect(ratio(text, paper), `${text} on ${paper}`).toBeGreaterThanOrEqual(4.5);
      expect(ratio("line", paper), `line on ${paper}`).toBeGreaterThanOrEqual(3);
    }
    expect(ratio("ink", "off")).toBeGreaterThanOrEqual(4.5);
    expect(ratio("dim", "off")).toBeGreaterThanOrEqual(3);
    for (let i = 0; i < 8; i++) {
      expect(ratio("on", `c${i}`), `on c${i}`).toBeGreaterThanOrEqual(4.5);
      expect(ratio(`c${i}`, "idle"), `c${i} on idle`).toBeGreaterThanOrEqual(3);
    }
  });
});

describe.skipIf(!hasChromium)("in Chromium (scripts/setup-vscode.sh installs it)", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser.close());

  const MORE = ["", `numa.vcpu.preferHT = "TRUE"`, `vcpu.hotadd = "TRUE"`, `sched.cpu.affinity = "0-7"`, `cpuid.coresPerSocket = "2"`];
  const domains = [LISTED, undefined].flatMap((host) =>
    [SHARING, pinnedDomain(["0-3,8", "5"]), pinnedDomain(Array.from({ length: 64 }, (_, i) => String(3 * i)))].map((text) =>
      domainFile(text, host),
    ),
  );
  const files = [
    ...domains,
    ...HOSTS.flatMap((host) =>
      [8, 30, 64, 120, 384].flatMap((vcpus) =>
        MORE.map((more) =>
          file(
            `virtualHW.version = "21"\ndisplayName = "${"Wm@ ".repeat(60)}"\nnumvcpus = "${vcpus}"\n${more}`,
            { ...host, esxi: { major: 8, minor: 0, update: 2 } },
            CAL,
          ),
        ),
      ),
    ),
  ];

  test.each(["light", "dark"] as const)(
    "%s: without errors, with all text inside of its box and the picture, and without overlaps",
    async (colorScheme) => {
      const page = await browser.newPage({ colorScheme });
      const errors: string[] = [];
      page.on("pageerror", (error) => errors.push(error.message));
      page.on("console", (message) => errors.push(message.text()));
      for (const one of files) {
        await page.setContent(`<!doctype html>${filesSvg([one])}`);
        expect(await misplaced(page)).toEqual([]);
      }
      const paper = await page.evaluate(`getComputedStyle(document.querySelector(".paper")).fill`);
      expect(paper).toBe(colorScheme === "light" ? "rgb(255, 255, 255)" : "rgb(17, 22, 29)");
      expect(errors).toEqual([]);
      await page.close();
    },
  );

  test.each([
    [390, "narrow"],
    [1280, "wide"],
  ])("%i pixels wide: the page shows the %s drawing, with all text inside, at 11 pixels or more", async (width, shown) => {
    const page = await browser.newPage({ viewport: { width, height: 800 } });
    for (const { path, vms } of files) {
      await page.setContent(`<!doctype html>${pageStyles()}${vms.map((vm) => vmHtml(path, vm, "one")).join("")}`);
      expect(await misplaced(page)).toEqual([]);
      const drawn = await page.evaluate(`[...document.querySelectorAll("svg[role=img]")].filter((e) => e.checkVisibility()).map((e) => ({
        name: e.getAttribute("class"),
        least: Math.min(...[...e.querySelectorAll("text")].map((t) => parseFloat(getComputedStyle(t).fontSize) * t.getScreenCTM().a)),
        patterns: [...e.querySelectorAll("path")].every((p) => {
          const fill = getComputedStyle(p).fill;
          return !fill.startsWith("url") || document.querySelector(fill.slice(4, -1).replaceAll('"', "")) !== null;
        }),
        fits: e.getBoundingClientRect().right <= innerWidth,
      }))`);
      expect(drawn).toEqual([{ name: shown, least: expect.any(Number), patterns: true, fits: true }]);
      const [{ least = 0 } = {}] = drawn as readonly { readonly least?: number }[];
      expect(least).toBeGreaterThanOrEqual(11);
    }
    await page.close();
  });
});

/** Texts that stick out of the frames they begin in, or out of the picture, or that overlap. */
const misplaced = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`(() => {
    const boxes = [...document.querySelectorAll("svg rect")].map((e) => e.getBBox());
    const texts = [...document.querySelectorAll("svg text")].map((e) => ({ text: e.textContent, box: e.getBBox() }));
    const wrong = [];
    for (const { text, box } of texts) {
      for (const frame of boxes) {
        const x = box.x + 0.1, y = box.y + box.height / 2;
        const begins = x >= frame.x && x <= frame.x + frame.width && y >= frame.y && y <= frame.y + frame.height;
        if (begins && box.x + box.width > frame.x + frame.width) wrong.push(text + " leaves its box");
      }
    }
    texts.sort((a, b) => a.box.y - b.box.y);
    for (let i = 0; i < texts.length; i++) {
      for (let j = i + 1; j < texts.length && texts[j].box.y < texts[i].box.y + texts[i].box.height - 4; j++) {
        const a = texts[i].box, b = texts[j].box;
        if (a.x + a.width > b.x + 0.5 && b.x + b.width > a.x + 0.5) wrong.push(texts[i].text + " lies on " + texts[j].text);
      }
    }
    return wrong.slice(0, 5);
  })()`);

test("a picture for a page holds the drawings of three widths, their words once, and styles of its own", () => {
  const host = requireHost("dl580g7");
  const topology = topologyOf(`virtualHW.version = "10"\nnumvcpus = "64"`, "dl580g7");
  const pages = ["one", "two"].map((id) => parseXml(topologyHtml(host, topology, { id, name: "sql01" })));
  const ids = pages.flatMap(everything).flatMap(({ attributes: { id } }) => id ?? []);
  expect(new Set(ids).size).toBe(ids.length);
  for (const page of pages) {
    const drawings = everything(page).filter(({ attributes }) => attributes.role === "img");
    expect(drawings.map(({ attributes }) => attributes.class)).toEqual(["wide", "medium", "narrow"]);
    for (const { attributes } of drawings)
      expect((attributes["aria-labelledby"] ?? "").split(" ").every((id) => ids.includes(id))).toBe(true);
    expect(everything(page).filter(({ name }) => name === "desc")).toHaveLength(1);
    expect(drawings.map((drawing) => squares(inGroup(drawing, "guest"), "vcpu"))).toEqual([64, 64, 64]);
  }
});

test("a page that chooses its colours gets a picture that does not ask for the system's", () => {
  const host = requireHost("dl580g7");
  const draw = (scheme: "light" | "dark" | "auto") =>
    topologySvg(host, topologyOf(`virtualHW.version = "10"\nnumvcpus = "8"`, "dl580g7"), { scheme });
  expect(draw("auto")).toContain("prefers-color-scheme");
  expect([draw("light"), draw("dark")].join("")).not.toContain("prefers-color-scheme");
  expect(draw("light")).not.toBe(draw("dark"));
});

test("a VM with an unknown setting is drawn in one of its layouts, with the others in words", () => {
  const vm = vmOf(`virtualHW.version = "19"\nnumvcpus = "24"`);
  const { cpuHotAdd: _, ...settings } = vm.settings;
  const open = {
    ...vm,
    settings: { ...settings, cpuHotAdd: { state: "unknown", reason: "it is the template's", range: vm.range } as const },
  };
  const result = { ...file(`numvcpus = "24"`), vms: [{ spec: open, target: { host: requireHost("2x16x2@7.0") } }] };
  const said = words(parseXml(filesSvg([result])));
  expect(said).toContain("NUMA nodes: 2 of 12+12 or 1 (possible), clients: 2 of 12+12 (documented)");
  expect(said).toMatch(/the first of these layouts: cpuHotAdd false: .+ cpuHotAdd true: .+\. Set cpuHotAdd to decide/);
});
