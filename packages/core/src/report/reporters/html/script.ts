/**
 * The script of the filters, as plain text because it runs in the page. A change also changes `SCRIPT_HASH`; the test prints the new value.
 */
export const SCRIPT = `
const form = document.querySelector(".filters");
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
`;

/** The SHA-256 of the script. The content security policy of the page allows only this script. */
export const SCRIPT_HASH = "sha256-iPY0zTUb2/QVyz5hN37Yie+IU3QlPsh3nB90JMFPB28=";
