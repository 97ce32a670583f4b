/**
 * The script of the filters and the sorted table, as plain text because it runs in the page. A change also changes `SCRIPT_HASH`; the test prints the new value.
 */
export const SCRIPT = `
for (const button of document.querySelectorAll("th button")) {
  button.addEventListener("click", () => {
    const th = button.closest("th");
    const column = [...th.parentElement.children].indexOf(th);
    const body = th.closest("table").tBodies[0];
    const isNumber = th.classList.contains("number");
    const turn = th.getAttribute("aria-sort") === (isNumber ? "descending" : "ascending") ? -1 : 1;
    for (const other of th.parentElement.children) other.removeAttribute("aria-sort");
    th.setAttribute("aria-sort", (isNumber ? turn > 0 : turn < 0) ? "descending" : "ascending");
    const keyed = [...body.rows].map((row) => [row.cells[column].textContent, row]);
    const order = isNumber
      ? (a, b) => (parseFloat(b) || 0) - (parseFloat(a) || 0)
      : new Intl.Collator(undefined, { numeric: true }).compare;
    body.append(...keyed.sort(([a], [b]) => turn * order(a, b)).map(([, row]) => row));
  });
}
const form = document.querySelector(".filters");
if (form) filtered(form);
function filtered(form) {
  const findings = [...document.querySelectorAll(".finding")];
  const groups = [...document.querySelectorAll(".vm")];
  const folded = [...document.querySelectorAll(".filters ~ .rest")];
  const shown = form.querySelector("output");
  function filter() {
    const severities = new Set([...form.querySelectorAll("input:checked")].map((box) => box.value));
    const rule = form.elements.rule.value;
    const words = form.elements.words.value.toLowerCase().split(/\\s+/).filter(Boolean);
    let count = 0;
    for (const finding of findings) {
      const text = (finding.closest(".vm").dataset.name + " " + finding.textContent).toLowerCase();
      const fits =
        severities.has(finding.dataset.severity) &&
        (rule === "" || rule === finding.dataset.rule) &&
        words.every((word) => text.includes(word));
      finding.hidden = !fits;
      if (fits) count++;
    }
    for (const group of groups) group.hidden = !group.querySelector(".finding:not([hidden])");
    // A match must not hide in a folded list.
    for (const rest of folded) rest.open = count < findings.length;
    shown.textContent = count + " of " + findings.length + " shown";
  }
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  filter();
}
`;

/** The SHA-256 of the script. The content security policy of the page allows only this script. */
export const SCRIPT_HASH = "sha256-mgTsPKmyHMrWuyriPq74bUuCPKOpzc+g0idRUYI6M2o=";
