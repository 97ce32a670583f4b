import type { Parsed } from "../../model/parsed.ts";
import { type Located, valueIfKnown } from "../../model/source.ts";
import type { Observed, Platform, VmSpec } from "../../model/spec.ts";
import { textFormat } from "../format.ts";
import { parseVmx } from "../vmx/vmx.ts";

const FORMAT = "vmware-log";

/** The headers of the dictionaries that a VM prints when it starts: `DICT --- CONFIGURATION /vmfs/volumes/...`. */
const SECTION = /\bDICT --- /;
const CONFIGURATION = /\bDICT --- CONFIGURATION\b/;
/** A key of a dictionary with its value, in quotes since ESXi 5. */
const PAIR = /\bDICT\s+(\S+ = (?:"[^"]*"|[^\s"]*))\s*$/;
const PRODUCT = /\bLog for VMware (\w+)/;
const HOST = /\bHostname=(\S+)/;
/** The virtual node (VPD) and the NUMA client (PPD) of a vCPU, since ESXi 6.5 and before (F. Denneman, denneman-2016-12). */
const PLACE = /\b(?:numaHost: VCPU (\d+) VPD (\d+) PPD (\d+)|numa: VCPU (\d+): VPD (\d+) \(PPD (\d+)\))/g;

/** Reads the VM of a `vmware.log`: its settings at power-on, its host and the layout that ESXi chose. */
function parse(text: string): Parsed {
  const { vms, problems } = parseVmx(dictionaryIn(text));
  const [vm] = vms;
  if (!vm) return { vms: [], problems: [], foreign: "it has no settings of a VM, which vmware.log lists after DICT --- CONFIGURATION" };
  const { edit: _, ...read } = vm;
  const product = PRODUCT.exec(text)?.[1];
  const host = HOST.exec(text)?.[1];
  const observed = observedIn(text, vm);
  const platform: Platform = product === "ESX" ? "esxi" : product === undefined ? vm.platform : "desktop";
  return {
    vms: [{ ...read, format: FORMAT, platform, ...(host !== undefined && { runsOn: { name: host } }), ...(observed && { observed }) }],
    // A log is never edited.
    problems: problems.map(({ fix: __, ...problem }) => problem),
  };
}

/** Returns the settings of a VM as a .vmx file of the same length, with spaces instead of all other text, so that its ranges fit the log. */
function dictionaryIn(text: string): string {
  const start = text.search(CONFIGURATION);
  if (start < 0) return "";
  // The other dictionaries are settings of the product.
  const length = text.slice(start + 1).search(SECTION);
  const end = length < 0 ? text.length : start + 1 + length;
  const blank = (other: string): string => other.replace(/[^\r\n]/g, " ");
  return blank(text.slice(0, start)) + text.slice(start, end).replace(/[^\r\n]+/g, pairAlone) + blank(text.slice(end));
}

/** Returns the pair of a line, with spaces around it. */
function pairAlone(line: string): string {
  const pair = PAIR.exec(line)?.[1] ?? "";
  const start = line.lastIndexOf(pair);
  return " ".repeat(start) + pair + " ".repeat(line.length - start - pair.length);
}

/** Returns the nodes and clients of the last power-on. */
function observedIn(text: string, { settings, defaults }: VmSpec): Located<Observed> | undefined {
  const places = new Map<number, { readonly node: number; readonly client: number }>();
  let start = 0;
  let end = 0;
  for (const match of text.matchAll(PLACE)) {
    const [vcpu = 0, node = 0, client = 0] = match.slice(1).filter(Boolean).map(Number);
    if (vcpu === 0) [start, end] = [match.index, match.index + match[0].length];
    places.set(vcpu, { node, client });
  }
  // A log that is cut off lists only some vCPUs.
  if (places.size === 0 || places.size !== (valueIfKnown(settings.vcpus) ?? defaults.vcpus)) return undefined;
  const placed = [...places.values()];
  return {
    value: {
      vnumaNodes: sizesOf(placed.map(({ node }) => node)),
      numaClients: sizesOf(placed.map(({ client }) => client)),
      source: "vmware.log",
    },
    range: [start, end],
  };
}

/** Returns how often each number occurs, by number. */
function sizesOf(numbers: readonly number[]): readonly number[] {
  const sizes = new Map<number, number>();
  for (const number of numbers) sizes.set(number, (sizes.get(number) ?? 0) + 1);
  return [...sizes].sort(([a], [b]) => a - b).map(([, size]) => size);
}

export const vmwareLog = textFormat({ name: FORMAT, parse });
