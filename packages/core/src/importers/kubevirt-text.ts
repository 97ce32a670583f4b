/** Returns a VirtualMachine whose domain has some lines. */
export const kubevirtText = (name: string, domain: readonly string[]): string =>
  [
    "apiVersion: kubevirt.io/v1",
    "kind: VirtualMachine",
    "metadata:",
    `  name: ${objectName(name)}`,
    "spec:",
    "  template:",
    "    spec:",
    "      domain:",
    ...domain.map((line) => `        ${line}`),
    "",
  ].join("\n");

/** Kubernetes allows small letters, digits, dashes and dots (RFC 1123); a name that YAML may read as a number is quoted. */
function objectName(name: string): string {
  const allowed = name
    .toLowerCase()
    .replace(/[^a-z0-9.-]+/g, "-")
    .replace(/^[-.]+|[-.]+$/g, "");
  return /^[a-z][a-z0-9-]*$/.test(allowed) && !/^(?:true|false|null|yes|no|on|off|y|n)$/.test(allowed)
    ? allowed
    : JSON.stringify(allowed || "vm");
}

/** Returns the lines of the memory of the guest; none if it is unknown. */
export const guestMemory = (memoryMiB: number | undefined, unit = "Mi"): readonly string[] =>
  memoryMiB === undefined ? [] : ["memory:", `  guest: ${memoryMiB}${unit}`];
