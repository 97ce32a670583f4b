/** Returns a VM of KubeVirt for examples, from the lines of its domain and the lines of its spec before the template. */
export const kubevirtVm = (domain: string, spec = ""): string =>
  [
    ...["apiVersion: kubevirt.io/v1", "kind: VirtualMachine", "metadata:", "  name: vm", "spec:"],
    ...indented("  ", spec),
    ...["  template:", "    spec:", "      domain:"],
    ...indented("        ", domain),
    "",
  ].join("\n");

const indented = (space: string, text: string): readonly string[] => (text === "" ? [] : text.split("\n").map((line) => space + line));
