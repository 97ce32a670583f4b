/** A kind of file, by the name that its formats go by. */
interface FileKind {
  readonly name: string;
  readonly title: string;
  readonly looksSo: (text: string) => boolean;
}

/** The files a text may be, as their names end. */
export const FILES: readonly FileKind[] = [
  { name: "vm.xml", title: "libvirt", looksSo: (text) => /^\s*</.test(text) && /<domain\s[^>]*type=/.test(text) },
  { name: "vm.ovf", title: "OVF", looksSo: (text) => text.trimStart().startsWith("<") },
  { name: "vm.tf.json", title: "Terraform in JSON", looksSo: (text) => /^\s*\{/.test(text) && /"resource"\s*:\s*[[{]/.test(text) },
  { name: "vm.json", title: "JSON", looksSo: (text) => /^\s*[[{]/.test(text) },
  {
    name: "vm.pkr.hcl",
    title: "Packer",
    // Blocks of Terraform may have a source or a build inside.
    looksSo: (text) => /^\s*(?:source|build|packer)\b[^=\n]*\{/m.test(text) && !/^\s*(?:resource|module|terraform)\b[^=\n]*\{/m.test(text),
  },
  {
    name: "vm.tf",
    title: "Terraform",
    looksSo: (text) => /^\s*(?:resource|module|variable|locals|terraform|provider|data)\b[^=\n]*\{/m.test(text),
  },
  {
    name: "vm.conf",
    title: "Proxmox VE",
    looksSo: (text) => /^(?:ostype|scsihw|smbios1|vmgenid): /m.test(text) && !/^(?:---|- )/m.test(text),
  },
  {
    name: "vm.yaml",
    title: "YAML",
    looksSo: (text) => !/^\s*[\w.:-]+\s*=/.test(text) && /^\s*(?:- )?["']?[\w./-]+["']?\s*:(?:\s|$)/m.test(text),
  },
  { name: "vInfo.csv", title: "RVTools CSV", looksSo: (text) => /^\ufeff?"?(?:VM|vInfoVMName)"?[,;\t].*Powerstate/.test(text) },
  { name: "vm.vmx", title: ".vmx", looksSo: () => true },
];

/** Returns the file name that fits a text's content, for a text without a name. */
export const guess = (text: string): string => FILES.find(({ looksSo }) => looksSo(text))?.name ?? "";
