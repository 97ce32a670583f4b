import { ABSENT, known, type Range, type Setting, unknown } from "../../model/source.ts";
import type { KvmFacts, Settings } from "../../model/spec.ts";
import { WITHOUT_POD } from "../../platforms/kvm/machine.ts";
import { machineOfFlavor } from "../../platforms/kvm/stacks/nova.ts";

/** An extra spec as text, with its place. */
export type Specs = ReadonlyMap<string, Setting<string>>;

interface FlavorFacts {
  readonly settings: Partial<Pick<Settings, "coresPerSocket" | "threadsPerCore">>;
  readonly kvm: KvmFacts;
}

/** Returns the counts that Nova makes of a flavor, and the facts of the platform. */
export function flavorFacts(vcpus: Setting<number>, ram: Setting<number>, specs: Specs, range: Range, image?: Specs): FlavorFacts {
  const machine = machineOf(vcpus, ram, specs, range, image);
  const facts: KvmFacts = { stack: "nova", ...WITHOUT_POD };
  return {
    settings: countsOf(machine, specs, vcpus.state === "absent" ? range : vcpus.range),
    kvm: machine === undefined ? facts : "message" in machine ? { ...facts, refused: machine } : { ...facts, machine },
  };
}

const MOST = 4096;

const textsOf = (specs: Specs): Readonly<Record<string, string>> =>
  Object.fromEntries([...specs].flatMap(([key, setting]) => (setting.state === "known" ? [[key, setting.value] as const] : [])));

function machineOf(vcpus: Setting<number>, ram: Setting<number>, specs: Specs, range: Range, image: Specs | undefined) {
  const isOpen = [...specs, ...(image ?? [])].some(([key, { state }]) => state === "unknown" && /^hw[:_]/.test(key));
  if (vcpus.state !== "known" || ram.state !== "known" || vcpus.value > MOST || isOpen) return undefined;
  return machineOfFlavor({
    vcpus: vcpus.value,
    ramMiB: ram.value,
    specs: textsOf(specs),
    ...(image && { image: textsOf(image) }),
    at: (key = "") => {
      const spec = specs.get(key) ?? image?.get(key);
      return spec && spec.state !== "absent" ? spec.range : range;
    },
  });
}

function countsOf(
  machine: ReturnType<typeof machineOf>,
  specs: Specs,
  range: Range,
): Partial<Pick<Settings, "coresPerSocket" | "threadsPerCore">> {
  if (machine && "cores" in machine) {
    const { cores, threads } = machine;
    return { coresPerSocket: known(cores * threads, range), ...(threads > 1 && { threadsPerCore: known(threads, range) }) };
  }
  const open = [...specs.values()].find(({ state }) => state === "unknown");
  return { coresPerSocket: open?.state === "unknown" ? unknown(open.reason, open.range) : ABSENT };
}
