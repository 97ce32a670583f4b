// The lab that scripts/setup-kvm.sh builds: a tree of Debian 13 with QEMU, libvirt, and a guest that prints its topology.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const lab = fileURLToPath(new URL("../../.kvm-lab", import.meta.url));
const tree = `${lab}/tree`;

/** Whether the lab is complete. */
export const hasLab = () => process.getuid?.() === 0 && existsSync(lab) && readdirSync(lab).some((name) => name.startsWith(".ok-"));

/** A guest that gets little time takes minutes; a longer wait is a hang. */
const PATIENCE = 150_000;

/** Without no_timer_check, a guest that gets little time panics. One thread for all vCPUs is steadier than one each on few CPUs. */
const KERNEL = "console=ttyS0 loglevel=4 panic=-1 no_timer_check mitigations=off tsc=reliable random.trust_cpu=on";
const GUEST = ["-accel", "tcg,thread=single", "-nodefaults", "-nographic", "-no-reboot", "-serial", "stdio"];
const SYSTEM = ["-kernel", "/root/vmlinuz", "-initrd", "/root/initrd.gz", "-append", KERNEL];

/** Boots a machine, and returns the topology that Linux shows in it; `undefined` if it did not boot in time. */
export function boot(options) {
  const qemu = spawn("nice", ["chroot", tree, "qemu-system-x86_64", ...GUEST, ...SYSTEM, ...options], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const errors = [];
  qemu.stderr.on("data", (data) => errors.push(data));
  const [vcpus, nodes] = [[], []];
  let ended = false;
  return new Promise((resolve) => {
    const timer = setTimeout(() => qemu.kill("SIGKILL"), PATIENCE);
    createInterface({ input: qemu.stdout }).on("line", (line) => {
      // The firmware leaves codes of a terminal before the first line.
      const words = line
        .slice(Math.max(line.indexOf("@"), 0))
        .trim()
        .split(" ");
      if (words[0] === "@vcpu") vcpus.push({ id: +words[1], socket: +words[3], core: +words[5], siblings: words[7], l3: words[9] });
      if (words[0] === "@node") nodes.push({ id: +words[1], vcpus: words[5] ?? "" });
      if (words[0] !== "@end") return;
      ended = true;
      // Without ACPI, a guest cannot turn itself off.
      qemu.kill("SIGKILL");
    });
    qemu.on("close", () => {
      clearTimeout(timer);
      resolve(ended ? shownBy(vcpus, nodes) : { failed: lastLine(Buffer.concat(errors).toString()) });
    });
  });
}

/** The last error of QEMU that is not about features of processors, which it emulates only in part. */
const lastLine = (errors) =>
  errors
    .split("\n")
    .filter((line) => line !== "" && !line.includes("TCG doesn't support"))
    .at(-1) ?? "no answer in time";

const runs = (ids) => ids.split(",").flatMap((run) => (run === "" ? [] : [run.split("-").map(Number)]));
const count = (ids) => runs(ids).reduce((sum, [from, to = from]) => sum + to - from + 1, 0);

function shownBy(vcpus, nodes) {
  const cores = new Map();
  for (const { socket, core } of vcpus) cores.set(socket, new Set([...(cores.get(socket) ?? []), core]));
  const sizes = new Set([...cores.values()].map(({ size }) => size));
  return {
    vcpus: vcpus.length,
    sockets: cores.size,
    coresPerSocket: sizes.size === 1 ? [...sizes][0] : null,
    threadsPerCore: Math.max(...vcpus.map(({ siblings }) => count(siblings))),
    nodes: nodes.sort((a, b) => a.id - b.id).map((node) => node.vcpus),
    sharedL3: [...new Set(vcpus.map(({ l3 }) => l3))].filter((ids) => ids !== "none"),
  };
}

/** Options of QEMU that shape a guest. */
const SHAPING = new Set(["-smp", "-numa", "-cpu", "-m"]);

/** Returns the options that libvirt makes of a domain, or its error. libvirt reads /proc/mounts, and hangs if /dev has a /dev/kvm. */
export function optionsOfDomain(xml) {
  writeFileSync(`${tree}/root/domain.xml`, xml);
  const inTree = 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"';
  const virsh = ["virsh", "-c", "qemu:///embed?root=/root/libvirt", "domxml-to-native", "qemu-argv", "/root/domain.xml"];
  const { stdout, stderr } = spawnSync("unshare", ["--mount", "sh", "-c", inTree, tree, ...virsh], { encoding: "utf8", timeout: PATIENCE });
  const words = (stdout.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^'|'$/g, ""));
  if (words.length === 0) return { refused: stderr.trim().split("\n").at(-1) };
  return words.flatMap((word, i) => {
    const value = words[i + 1] ?? "";
    if (SHAPING.has(word) || (word === "-object" && /memory-backend/.test(value) && !value.includes("pc.ram"))) return [word, value];
    if (word !== "-machine") return [];
    return [word, ["q35", ...value.split(",").filter((part) => part === "acpi=off" || part === "hmat=on")].join(",")];
  });
}
