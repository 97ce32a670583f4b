interface FlavorSizes {
  readonly vcpus: number;
  readonly memoryMiB: number | undefined;
  /** Extra specs: `hw:cpu_sockets`. */
  readonly specs: readonly (readonly [key: string, value: string | number])[];
}

/** Nova refuses a flavor without memory. */
const LEAST_MIB = 1;

/** Returns a flavor as `openstack flavor show -f yaml` prints it. */
export const flavorText = (name: string, { vcpus, memoryMiB = LEAST_MIB, specs }: FlavorSizes): string =>
  [
    `name: ${JSON.stringify(flavorName(name))}`,
    `vcpus: ${vcpus}`,
    `ram: ${memoryMiB}`,
    "disk: 0",
    "OS-FLV-EXT-DATA:ephemeral: 0",
    ...(specs.length === 0 ? [] : ["properties:", ...specs.map(([key, value]) => `  ${key}: "${value}"`)]),
    "",
  ].join("\n");

/** Nova takes names of at most 255 characters that can be printed. */
export const flavorName = (name: string): string =>
  name
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "_")
    .trim()
    .slice(0, 255) || "vm";
