/** The page of the panel: controls on top, then the picture, the findings, and the layout in words. Everything it shows comes by message. */
export function panelHtml(): string {
  const nonce = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-${nonce}'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Topology</title>
<style>
  body { font: var(--vscode-font-size)/1.5 var(--vscode-font-family); color: var(--vscode-foreground); background: var(--vscode-editor-background); padding: 12px 16px;
    overflow-wrap: anywhere; }
  form { display: flex; flex-wrap: wrap; gap: 12px 20px; align-items: end; margin-bottom: 12px; }
  form[hidden], label[hidden], button[hidden] { display: none !important; }
  label { display: grid; gap: 2px; min-width: 0; font-size: 0.9em; color: var(--vscode-descriptionForeground); }
  label.box { display: flex; gap: 6px; align-items: center; }
  select { max-width: 100%; }
  select, input[type="number"], input[type="text"] { font: inherit; color: var(--vscode-input-foreground); background: var(--vscode-input-background);
    border: 1px solid var(--vscode-input-border, var(--vscode-contrastBorder, #8888)); padding: 2px 4px; }
  input[type="number"] { width: 5em; }
  input[type="range"] { accent-color: var(--vscode-button-background); width: 150px; min-width: 0; margin: 0; }
  .pair { display: flex; min-width: 0; gap: 8px; align-items: center; }
  button { font: inherit; color: var(--vscode-button-foreground); background: var(--vscode-button-background);
    border: 1px solid var(--vscode-contrastBorder, transparent); padding: 3px 10px; cursor: pointer; }
  button.plain { color: var(--vscode-button-secondaryForeground); background: var(--vscode-button-secondaryBackground); }
  button:disabled { opacity: 0.5; cursor: default; }
  #more { flex-basis: 100%; } #more summary { margin: 0; }
  .fields { display: flex; flex-wrap: wrap; gap: 12px 20px; align-items: end; margin-top: 8px; }
  .buttons { flex-wrap: wrap; }
  #pictures { display: flex; flex-wrap: wrap; gap: 12px; }
  figure { margin: 0; flex: 1 1 420px; min-width: 0; }
  figure[hidden] { display: none; }
  figcaption { font-weight: 600; margin-bottom: 4px; }
  figcaption:empty { display: none; }
  #problem { color: var(--vscode-errorForeground); }
  h1 { font-size: 1.2em; font-weight: 600; margin: 0 0 8px; }
  #effect { font-weight: 600; margin: 0 0 8px; }
  #effect:empty, #problem:empty { display: none; }
  summary { cursor: pointer; margin-top: 12px; }
  h2 { font-size: 1em; font-weight: 600; margin: 16px 0 4px; }
  ul, ol { margin: 0; padding-left: 20px; }
  #findings { list-style: none; padding: 0; margin-bottom: 12px; }
  #findings li { padding: 2px 0 2px 8px; border-left: 3px solid var(--vscode-descriptionForeground); margin-bottom: 4px; }
  #findings li.error { border-color: var(--vscode-editorError-foreground, var(--vscode-errorForeground)); }
  #findings li.warning { border-color: var(--vscode-editorWarning-foreground); }
  #findings li.info { border-color: var(--vscode-editorInfo-foreground); }
  a { color: var(--vscode-textLink-foreground); }
  a:focus-visible, button:focus-visible, select:focus-visible, input:focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: 1px; }
  .vscode-high-contrast label, .vscode-high-contrast-light label { color: var(--vscode-foreground); }
  .vscode-high-contrast .picture, .vscode-high-contrast-light .picture { border: 1px solid var(--vscode-contrastBorder); }
  /* The paper, words and frames of the pictures are the theme's. */
  .picture svg { --paper: var(--vscode-editor-background); --socket: var(--vscode-editor-background); --ink: var(--vscode-foreground); }
  /* The picture's own greys are too soft here: text, lines and paper are the theme's. Hatching stays below the digits it lies under. */
  .vscode-high-contrast .picture svg, .vscode-high-contrast-light .picture svg { --ink: var(--vscode-foreground); --dim: var(--vscode-foreground);
    --line: var(--vscode-contrastBorder); --paper: var(--vscode-editor-background); --socket: var(--vscode-editor-background);
    --idle: var(--vscode-editor-background); --off: var(--vscode-editor-background); }
  .vscode-high-contrast .picture .over.over.over, .vscode-high-contrast-light .picture .over.over.over { stroke: #767676; }
  #picture, #other-picture { overflow-x: auto; }
</style>
</head>
<body>
<main>
<h1 id="title">Topology</h1>
<p id="problem" role="status"></p>
<p id="effect" role="status"></p>
<form id="controls">
  <label id="vm-label">VM <select id="vm"></select></label>
  <label>Host <select id="host"></select></label>
  <label>ESXi <select id="esxi"></select></label>
  <label>vCPUs <span class="pair"><input id="vcpus" type="range" min="1" max="128" aria-label="vCPUs, slider"><input id="vcpus-number" type="number" min="1" max="960" aria-label="vCPUs"></span></label>
  <label>Cores per socket <select id="cps"></select></label>
  <label>Memory, GiB <input id="memory" type="number" min="1" step="any"></label>
  <details id="more">
  <summary>More settings</summary>
  <div class="fields">
    <label>Latency sensitivity <select id="latency"></select></label>
    <label>CPU affinity <input id="affinity" type="text" placeholder="none" pattern="[0-9,\\- ]*" size="14"></label>
    <label>CPU reservation, MHz <input id="cpu-reservation" type="number" min="0"></label>
    <label>Memory reservation, GiB <input id="memory-reservation" type="number" min="0" step="any"></label>
    <label class="box"><input id="ht" type="checkbox"> preferHT</label>
    <label class="box"><input id="cpu-hot-add" type="checkbox"> CPU hot add</label>
    <label class="box"><input id="memory-hot-add" type="checkbox"> Memory hot add</label>
  </div>
  </details>
  <span class="pair buttons">
  <button type="button" id="write" disabled>Write to file</button>
  <button type="button" id="keep" class="plain" disabled>Keep this host</button>
  <button type="button" id="reset" class="plain" disabled>Reset</button>
  <button type="button" id="choose" class="plain">Choose the host...</button>
  </span>
</form>
<div id="pictures">
<figure id="now"><figcaption id="caption"></figcaption><div id="picture" tabindex="0" role="region" aria-labelledby="caption"></div></figure>
<figure id="then" hidden><figcaption><span id="other-title"></span> <button type="button" id="try" class="plain" hidden>Try this fix</button></figcaption><div id="other-picture" tabindex="0" role="region" aria-labelledby="other-title"></div></figure>
</div>
<section id="found" aria-live="polite" hidden><h2 id="found-title"></h2><ul id="findings" aria-labelledby="found-title"></ul></section>
<details id="words" hidden>
<summary>The layout in words, with sources</summary>
<h2>Layout</h2><p id="headline"></p><ul id="facts"></ul>
<h2 id="why-title"></h2><ol id="reasons" aria-labelledby="why-title"></ol>
<h2>Sources</h2><ul id="sources"></ul>
</details>
</main>
<script nonce="${nonce}">
  const vscode = acquireVsCodeApi();
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
    $("headline").textContent = text.headline;
    list("facts", text.facts);
    $("why-title").textContent = "Why (" + text.certainty + ")";
    list("reasons", text.reasons);
    list("sources", text.sources.map(({ key, title, url }) => [key + ": ", url ? element("a", { href: url }, title) : title]));
  };
  const divisors = (n) => Array.from({ length: n }, (_, i) => i + 1).filter((size) => n % size === 0);
  $("host").onchange = (e) => { delete whatIf.esxi; set("host", e.target.value); };
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
  $("keep").onclick = () => vscode.postMessage({ kind: "keep-host", host: whatIf.host });
  let fix;
  $("try").onclick = () => { whatIf = { ...fix }; send(); };
  $("controls").onsubmit = (e) => e.preventDefault();
  $("reset").onclick = () => { whatIf = {}; send(); };
  $("choose").onclick = () => vscode.postMessage({ kind: "choose-host" });
  $("write").onclick = () => vscode.postMessage({ kind: "write", view });
  const showControls = (data) => {
    whatIf = data.whatIf;
    const now = { ...data.own, ...whatIf };
    options($("host"), [...new Set([...(data.host ? [data.host] : []), ...data.hosts])], data.host);
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
    $("vm-label").hidden = data.vms.length < 2;
    $("vm").replaceChildren(...data.vms.map((name, i) => element("option", { value: i, textContent: name })));
    $("vm").value = data.vm;
    $("keep").disabled = !data.canKeep;
    $("write").disabled = !data.canWrite;
    $("reset").disabled = Object.keys(whatIf).length === 0;
  };
  addEventListener("message", ({ data }) => {
    if (data.view !== view) ({ view, number: sent } = data);
    // An older answer would take back what was moved since.
    if (!data.isEmpty && data.number === sent) showControls(data);
    $("controls").hidden = data.isEmpty === true;
    $("problem").textContent = data.problem;
    $("title").textContent = data.name ?? "Topology";
    $("effect").textContent = data.effect ?? "";
    $("picture").innerHTML = data.picture;
    $("picture").hidden = data.picture === "";
    $("caption").textContent = data.picture === "" ? "" : data.caption;
    $("then").hidden = !data.other;
    $("other-title").textContent = data.other?.title ?? "";
    $("other-picture").innerHTML = data.other?.picture ?? "";
    fix = data.fix;
    $("try").hidden = fix === undefined;
    showFindings(data);
    showWords(data.text);
  });
  vscode.postMessage({ kind: "ready" });
</script>
</body>
</html>`;
}
