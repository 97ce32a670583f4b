/** Returns a configuration of Proxmox VE. */
export const proxmoxText = (
  name: string,
  settings: readonly (readonly [key: string, value: string])[],
  memoryMiB: number | undefined,
): string =>
  [
    `name: ${domainName(name)}`,
    ...settings.map(([key, value]) => `${key}: ${value}`),
    ...(memoryMiB === undefined ? [] : [`memory: ${memoryMiB}`]),
    "",
  ].join("\n");

/** The settings of sockets and cores. */
export const proxmoxCounts = (sockets: number, cores: number): readonly (readonly [string, string])[] => [
  ["sockets", String(sockets)],
  ["cores", String(cores)],
];

/** The name of a VM is a DNS name; the wizard cleans it in the same way. */
export const domainName = (name: string): string =>
  name
    .replace(/\s/g, "-")
    .replace(/[^a-zA-Z0-9.-]/g, "")
    .replace(/^[.-]+|[.-]+$/g, "") || "vm";
