// Resources that a program has in hand, as documents of the formats that describe them.

/** How a resource becomes a document. */
export interface ResourceForm {
  readonly fits: (type: string, values: Readonly<Record<string, unknown>>) => boolean;
  /** The name of the document, which selects its format. */
  readonly path: string;
  /** Returns the document around the values, which are JSON. */
  readonly around: (resource: ResourceHead) => readonly [before: string, after: string];
  /** Writes a value that is unknown until later. */
  readonly unknown: string;
  /** Whether a text is such a value; missing if the format recognises its templates. */
  readonly isLater?: (text: string) => boolean;
  /** Returns values that the type implies. */
  readonly implied?: (type: string) => Readonly<Record<string, string>>;
}

interface ResourceHead {
  readonly type: string;
  readonly name: string;
  /** JSON with `true` for each unknown value. */
  readonly later: string;
}

const json = (text: string): string => JSON.stringify(text);

/** Writes of Terraform's providers have snake case, and of Pulumi's camel case. */
const isCamelCase = (values: object): boolean => Object.keys(values).some((key) => /^[a-z]+[A-Z]/.test(key));

const PULUMI = /^(\w+):(?:index(?:\/\w+)?:)?\w+$/;
const TERRAFORM = /^[a-z][a-z0-9]*_[a-z0-9_]+$/;
const ANSIBLE = /^(?:vmware_guest|[a-z]\w*\.\w+\.\w+)$/;
const KUBERNETES = /^(?:(.+)\/)?([A-Z]\w+)$/;

/** The first form that fits. */
export const RESOURCE_FORMS: readonly ResourceForm[] = [
  {
    fits: (type) => ANSIBLE.test(type),
    path: "tasks.yml",
    around: ({ type, name }) => [`- hosts: localhost\n  tasks:\n    - name: ${json(name)}\n      ${type}: `, "\n"],
    unknown: json("{{ later }}"),
  },
  {
    fits: (type, values) => PULUMI.test(type) || (TERRAFORM.test(type) && isCamelCase(values)),
    path: "Pulumi.yaml",
    around: ({ type, name }) => {
      const own = PULUMI.test(type) ? type : inPulumi(type);
      return [`name: resource\nruntime: yaml\nresources:\n  ${json(name)}:\n    type: ${own}\n    properties: `, "\n"];
    },
    unknown: json("${later.value}"),
  },
  {
    fits: (type) => TERRAFORM.test(type),
    path: "plan.json",
    around: ({ type, name, later }) => {
      const address = `"address":${json(`${type}.${name}`)}`;
      const change = `{${address},"change":{"after_unknown":${later}}}`;
      const resource = `{${address},"mode":"managed","type":${json(type)},"name":${json(name)},"values":`;
      const head = `{"format_version":"1.2","terraform_version":"1.9.0","resource_changes":[${change}],`;
      return [`${head}"planned_values":{"root_module":{"resources":[${resource}`, "}]}}}"];
    },
    unknown: "null",
    isLater: (text) => text.includes("${"),
  },
  {
    fits: (type) => KUBERNETES.test(type),
    path: "object.json",
    around: () => ["", "\n"],
    unknown: json("{{ later }}"),
    implied: (type) => {
      const [, apiVersion, kind = ""] = KUBERNETES.exec(type) ?? [];
      return { ...(apiVersion !== undefined && { apiVersion }), kind };
    },
  },
];

/** `vsphere_virtual_machine` is Pulumi's `vsphere:VirtualMachine`. */
function inPulumi(type: string): string {
  const [provider = "", ...words] = type.split("_");
  return `${provider}:${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("")}`;
}
