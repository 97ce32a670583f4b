import { LineIndex, lint } from "@vmlint/core";

const HOST = "2x20x2:768@8.0";
const [text, list] = ["textarea", "ul"].map((name) => document.querySelector(name));

/** Lists what vmlint finds in the text, while it is typed. */
function show() {
  const lines = new LineIndex(text.value);
  const { diagnostics } = lint(text.value, { filename: "vm.vmx", host: HOST });
  list.replaceChildren(
    ...diagnostics.map(({ range, message }) => {
      const item = document.createElement("li");
      item.textContent = `Line ${lines.at(range[0]).line + 1}: ${message}`;
      item.onclick = () => text.setSelectionRange(...range);
      return item;
    }),
  );
}

text.addEventListener("input", show);
show();
