import { PANEL_SCRIPT } from "./panel-script.ts";
import { PANEL_STYLE } from "./panel-style.ts";

/** The page of the panel: flaws, picture, controls, findings, and the layout in words. Its contents come by message. */
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
${PANEL_STYLE}</style>
</head>
<body>
<main>
<h1><span id="title">Topology</span><select id="vm" aria-label="VM" hidden></select></h1>
<p id="problem" role="status"></p>
<p id="verdict" role="status"></p>
<p id="effect" role="status"></p>
<p id="layout"></p>
<div id="pictures">
<figure id="now"><figcaption id="caption"></figcaption><div id="picture" tabindex="0" role="region" aria-labelledby="caption"></div></figure>
<figure id="then" hidden><figcaption><span id="other-title"></span> <button type="button" id="try" class="plain" hidden>Try this fix</button></figcaption><div id="other-picture" tabindex="0" role="region" aria-labelledby="other-title"></div></figure>
</div>
<details id="controls" hidden>
<summary>Try other values</summary>
<form id="values">
  <label><span id="host-title">Host</span> <button type="button" id="host" class="plain" aria-labelledby="host-title host"></button></label>
  <label>ESXi <select id="esxi"></select></label>
  <label>vCPUs <span class="pair"><input id="vcpus" type="range" min="1" max="128" aria-label="vCPUs, slider"><input id="vcpus-number" type="number" min="1" max="960" aria-label="vCPUs"></span></label>
  <label>Cores per socket <select id="cps"></select></label>
  <label>Memory, GiB <input id="memory" type="number" min="1" step="any"></label>
  <label>Latency sensitivity <select id="latency"></select></label>
  <label>CPU affinity <input id="affinity" type="text" placeholder="none" pattern="[0-9,\\- ]*" size="14"></label>
  <label>CPU reservation, MHz <input id="cpu-reservation" type="number" min="0"></label>
  <label>Memory reservation, GiB <input id="memory-reservation" type="number" min="0" step="any"></label>
  <label class="box"><input id="ht" type="checkbox"> preferHT</label>
  <label class="box"><input id="cpu-hot-add" type="checkbox"> CPU hot add</label>
  <label class="box"><input id="memory-hot-add" type="checkbox"> Memory hot add</label>
  <span class="pair buttons">
  <button type="button" id="write" disabled>Write to file</button>
  <button type="button" id="keep" class="plain" disabled>Keep this host</button>
  <button type="button" id="reset" class="plain" disabled>Reset</button>
  </span>
</form>
</details>
<details id="together" hidden><summary>All VMs of this file on their host</summary><div id="together-picture"></div></details>
<section id="found" aria-live="polite" hidden><h2 id="found-title"></h2><ul id="findings" aria-labelledby="found-title"></ul></section>
<details id="words" hidden>
<summary>The layout in words, with sources</summary>
<h2>Layout</h2><ul id="facts"></ul>
<h2 id="why-title"></h2><ol id="reasons" aria-labelledby="why-title"></ol>
<h2>Sources</h2><ul id="sources"></ul>
</details>
</main>
<script nonce="${nonce}">
${PANEL_SCRIPT}</script>
</body>
</html>`;
}
