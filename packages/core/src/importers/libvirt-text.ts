interface LibvirtSizes {
  readonly vcpus: number;
  readonly memoryMiB: number | undefined;
  /** Without a topology, libvirt makes a socket of each vCPU. */
  readonly topology: { readonly sockets: number; readonly cores: number; readonly threads?: number } | undefined;
  /** The vCPUs and the memory of each NUMA cell. */
  readonly cells?: readonly { readonly vcpus: string; readonly memoryKiB: number }[];
}

const KIB = 1024;

/** Returns a domain of libvirt. */
export const libvirtText = (name: string, { vcpus, memoryMiB, topology, cells = [] }: LibvirtSizes): string =>
  [
    "<domain type='kvm'>",
    `  <name>${escaped(name) || "vm"}</name>`,
    ...(memoryMiB === undefined ? [] : [`  <memory unit='KiB'>${memoryMiB * KIB}</memory>`]),
    `  <vcpu>${vcpus}</vcpu>`,
    "  <os>",
    "    <type arch='x86_64' machine='q35'>hvm</type>",
    "  </os>",
    "  <features>",
    "    <acpi/>",
    "  </features>",
    ...(topology || cells.length > 0
      ? [
          "  <cpu mode='host-model'>",
          ...(topology
            ? [`    <topology sockets='${topology.sockets}' cores='${topology.cores}' threads='${topology.threads ?? 1}'/>`]
            : []),
          ...(cells.length > 0
            ? [
                "    <numa>",
                ...cells.map(({ vcpus, memoryKiB }, id) => `      <cell id='${id}' cpus='${vcpus}' memory='${memoryKiB}' unit='KiB'/>`),
                "    </numa>",
              ]
            : []),
          "  </cpu>",
        ]
      : []),
    "</domain>",
    "",
  ].join("\n");

/** libvirt refuses slashes in names, and XML most control characters. */
const escaped = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cn}\p{Cs}/]/gu, "_")
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;");
