// Files for measurements besides fleets: a playbook, and files without a VM.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Writes `count` files, each with the path and text from `file`, and returns their folder. */
export function fill(folder, count, file) {
  for (let i = 0; i < count; i++) {
    const [path, text] = file(i);
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** A playbook that makes one machine. */
export const playbook = (i) => `---
- name: Make vm-${i}
  hosts: localhost
  gather_facts: false
  vars:
    cpus: ${[1, 2, 4, 8, 16][i % 5]}
  tasks:
    - name: Make the machine
      community.vmware.vmware_guest:
        hostname: "{{ vcenter }}"
        validate_certs: true
        datacenter: dc1
        cluster: prod
        folder: /dc1/vm
        name: vm-${i}
        state: poweredon
        template: windows2019
        hardware:
          num_cpus: "{{ cpus }}"
          num_cpu_cores_per_socket: 1
          memory_mb: 16384
          scsi: paravirtual
          version: 17
        networks:
          - name: VM Network
            device_type: vmxnet3
      delegate_to: localhost
`;

/** Returns a Kubernetes file of about 3 kB, which vmlint skips. Every twentieth mentions VMware. */
export function deployment(i) {
  const container = (n) =>
    `      - name: container-${n}\n        image: registry.example.com/team/app-${i}:${n}\n        ports:\n        - containerPort: ${8000 + n}\n        env:\n        - name: LOG_LEVEL\n          value: "info"\n        resources:\n          requests: { cpu: 100m, memory: 128Mi }\n          limits: { cpu: 500m, memory: 512Mi }\n`;
  return `apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: app-${i}\n  labels: { app: app-${i}, platform: ${i % 20 === 0 ? "vmware-vsphere" : "any"} }\nspec:\n  replicas: 3\n  selector: { matchLabels: { app: app-${i} } }\n  template:\n    metadata: { labels: { app: app-${i} } }\n    spec:\n      containers:\n${Array.from({ length: 9 }, (_, n) => container(n)).join("")}`;
}

/** About 6 kB of another program. */
export const packageJson = (i) => JSON.stringify({ name: `package-${i}`, files: "lib/index.js ".repeat(450) });
