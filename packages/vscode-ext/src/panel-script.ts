/** The script of the panel: it shows the contents of messages, and sends the values of the controls. */
export const PANEL_SCRIPT = `  const vscode = acquireVsCodeApi();
  const $ = (id) => document.getElementById(id);
  let whatIf = {};
  let view, sent;
  const send = () => vscode.postMessage({ kind: "what-if", view, number: ++sent, whatIf });
  const set = (key, value) => { whatIf = { ...whatIf, [key]: value }; send(); };
  const options = (select, values, chosen) => {
    select.replaceChildren(...values.map((value) => Object.assign(document.createElement("option"), { value, textContent: value })));
    select.value = chosen ?? "";
  };
  const element = (name, properties, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  };
  // A long list of numbers is broken between two of them.
  const breakable = (text) => text.split(/(?<=,)/).flatMap((part) => [part, element("wbr")]);
  const list = (id, texts) => $(id).replaceChildren(...texts.map((text) => element("li", {}, ...[text].flat())));
  const showFindings = ({ findings, problem }) => {
    // What is not known of the VM may be what there is to find.
    $("found").hidden = findings === undefined || (findings.length === 0 && problem !== "");
    if ($("found").hidden) return;
    $("found-title").textContent = findings.length === 0 ? "Nothing found" : "Found";
    $("findings").replaceChildren(...findings.map(({ severity, message, rule }) => {
      const link = element("a", { href: "#", onclick: (e) => { e.preventDefault(); vscode.postMessage({ kind: "explain", rule }); } }, rule);
      return element("li", { className: severity }, element("strong", {}, severity), " ", ...breakable(message), " ", link);
    }));
  };
  const showWords = (text) => {
    $("words").hidden = text === undefined;
    if (text === undefined) return;
    list("facts", text.facts);
    $("why-title").textContent = "Why (" + text.certainty + ")";
    list("reasons", text.reasons);
    list("sources", text.sources.map(({ key, title, url }) => [key + ": ", url ? element("a", { href: url }, title) : title]));
  };
  const divisors = (n) => Array.from({ length: n }, (_, i) => i + 1).filter((size) => n % size === 0);
  $("host").onclick = () => vscode.postMessage({ kind: "try-host" });
  $("esxi").onchange = (e) => set("esxi", e.target.value);
  const vcpus = (e) => {
    const value = Number(e.target.value);
    if (!Number.isInteger(value) || value < 1 || value > 960) return;
    if (typeof whatIf.coresPerSocket === "number" && value % whatIf.coresPerSocket !== 0) delete whatIf.coresPerSocket;
    set("vcpus", value);
  };
  $("vcpus").oninput = vcpus;
  $("vcpus-number").onchange = vcpus;
  $("cps").onchange = (e) => set("coresPerSocket", e.target.value === "automatic" ? "auto" : Number(e.target.value));
  const boxes = { ht: "preferHt", "cpu-hot-add": "cpuHotAdd", "memory-hot-add": "memoryHotAdd" };
  for (const [id, key] of Object.entries(boxes)) $(id).onchange = (e) => set(key, e.target.checked);
  // An empty field goes back to the VM's own value.
  const number = (id, key, factor, least) => {
    $(id).onchange = (e) => {
      const value = Math.round(Number(e.target.value) * factor);
      if (e.target.value === "") { delete whatIf[key]; return send(); }
      if (Number.isFinite(value) && value >= least) set(key, value);
    };
  };
  number("memory", "memoryMiB", 1024, 1);
  number("memory-reservation", "memoryReservationMiB", 1024, 0);
  number("cpu-reservation", "cpuReservationMHz", 1, 0);
  const cpusIn = (text) => text.split(",").flatMap((part) => {
    const [first, last = first] = part.trim().split("-").map(Number);
    return Number.isInteger(first) && last >= first && last < 4096 ? Array.from({ length: last - first + 1 }, (_, i) => first + i) : [];
  });
  const runsOf = (numbers) => {
    const runs = [];
    for (const n of numbers) runs.at(-1)?.at(-1) === n - 1 ? runs.at(-1).push(n) : runs.push([n]);
    return runs.map((run) => (run.length > 2 ? run[0] + "-" + run.at(-1) : run.join(","))).join(",");
  };
  $("affinity").onchange = (e) => {
    const text = e.target.value.trim();
    if (text !== "" && !/^\\d+(-\\d+)?( *, *\\d+(-\\d+)?)*$/.test(text)) return;
    set("cpuAffinity", text === "" ? "all" : cpusIn(text));
  };
  $("latency").onchange = (e) => set("latencySensitivity", e.target.value);
  $("vm").onchange = (e) => vscode.postMessage({ kind: "choose-vm", vm: Number(e.target.value) });
  $("keep").onclick = () => vscode.postMessage({ kind: "keep-host" });
  let fix;
  $("try").onclick = () => { whatIf = { ...fix }; send(); };
  $("values").onsubmit = (e) => e.preventDefault();
  $("reset").onclick = () => vscode.postMessage({ kind: "reset" });
  $("write").onclick = () => vscode.postMessage({ kind: "write", view });
  const showControls = (data) => {
    whatIf = data.whatIf;
    const now = { ...data.own, ...whatIf };
    $("host").textContent = data.host ?? "Choose...";
    options($("esxi"), [...new Set([...(data.esxi ? [data.esxi] : []), ...data.releases])], data.esxi);
    $("vcpus").max = Math.max(128, now.vcpus ?? 0);
    $("vcpus").value = now.vcpus ?? 1;
    $("vcpus").ariaValueText = now.vcpus === undefined ? "unknown" : null;
    $("vcpus-number").value = now.vcpus ?? "";
    const size = now.coresPerSocket === "auto" ? "automatic" : now.coresPerSocket;
    // One that does not divide the vCPUs is still the VM's.
    options($("cps"), [...new Set(["automatic", ...divisors(now.vcpus ?? 0), ...(size === undefined ? [] : [size])])], size);
    for (const [id, key] of Object.entries(boxes)) {
      $(id).checked = now[key] === true;
      $(id).indeterminate = now[key] === undefined;
    }
    const gib = (mib) => (mib === undefined ? "" : Math.round((mib / 1024) * 100) / 100);
    $("memory").value = gib(now.memoryMiB);
    $("memory-reservation").value = gib(now.memoryReservationMiB);
    $("cpu-reservation").value = now.cpuReservationMHz ?? "";
    $("affinity").value = Array.isArray(now.cpuAffinity) ? runsOf(now.cpuAffinity) : "";
    options($("latency"), ["low", "normal", "medium", "high"], now.latencySensitivity ?? "normal");
    $("vm").hidden = data.vms.length < 2;
    $("title").hidden = data.vms.length > 1;
    $("vm").replaceChildren(...data.vms.map((name, i) => element("option", { value: i, textContent: name })));
    $("vm").value = data.vm;
    $("keep").disabled = !data.canKeep;
    $("write").disabled = !data.canWrite;
    $("reset").disabled = !data.canReset;
  };
  addEventListener("message", ({ data }) => {
    if (data.view !== view) ({ view, number: sent } = data);
    // An older answer would take back what was moved since.
    if (!data.isEmpty && data.number === sent) showControls(data);
    $("controls").hidden = data.isEmpty === true;
    $("problem").textContent = data.problem;
    $("title").textContent = data.vms?.[data.vm] ?? "Topology";
    // Without a layout, the host is to be chosen.
    if (!data.isEmpty && data.picture === "") $("controls").open = true;
    $("effect").textContent = data.effect ?? "";
    $("verdict").textContent = data.verdict?.text ?? "";
    $("verdict").className = data.verdict?.isGood ? "good" : "";
    $("layout").textContent = data.text?.headline ?? "";
    $("picture").innerHTML = data.picture;
    $("picture").hidden = data.picture === "";
    $("caption").textContent = data.picture === "" ? "" : data.caption;
    $("then").hidden = !data.other;
    $("other-title").textContent = data.other?.title ?? "";
    $("other-picture").innerHTML = data.other?.picture ?? "";
    $("together").hidden = !data.together;
    $("together-picture").innerHTML = data.together ?? "";
    fix = data.fix;
    $("try").hidden = fix === undefined;
    showFindings(data);
    showWords(data.text);
  });
  vscode.postMessage({ kind: "ready" });
`;
