import { openWorkspace } from "@vmlint/core";

/** Comments on a pull request with what vmlint finds in its files. `api` is https://api.github.com. */
export async function comment({ api, repository, pull, token, host }) {
  const call = async (path, { accept = "application/vnd.github+json", ...more } = {}) => {
    const headers = { accept, authorization: `Bearer ${token}` };
    const response = await fetch(`${api}/repos/${repository}/${path}`, { headers, ...more });
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    return response;
  };
  const { head } = await (await call(`pulls/${pull}`)).json();
  const changed = await (await call(`pulls/${pull}/files?per_page=100`)).json();
  const texts = changed
    .filter(({ status }) => status !== "removed")
    .map(async ({ filename }) => {
      const path = `contents/${filename.split("/").map(encodeURIComponent).join("/")}?ref=${head.sha}`;
      return [filename, await (await call(path, { accept: "application/vnd.github.raw+json" })).text()];
    });
  const { findings } = await openWorkspace({ files: new Map(await Promise.all(texts)), host }).check();
  const lines = findings.map(({ path, line, message }) => `- ${path}:${line}: ${message}`);
  if (lines.length === 0) return;
  await call(`issues/${pull}/comments`, { method: "POST", body: JSON.stringify({ body: `vmlint found:\n\n${lines.join("\n")}` }) });
}
