/**
 * Mends the markup of the default theme for screen readers: pages without `main`, a second `contentinfo`, buttons inside of buttons, and
 * a search button whose name lacks its visible key. Call it after each page is shown, and when the width changes.
 */
export function mendMarkup(document: Document): void {
  for (const page of document.querySelectorAll(".VPHome, .VPPage")) page.setAttribute("role", "main");
  for (const footer of document.querySelectorAll(".VPDocFooter")) footer.setAttribute("role", "presentation");
  for (const caret of document.querySelectorAll(".item[role='button'] .caret")) {
    caret.removeAttribute("role");
    caret.removeAttribute("tabindex");
  }
  for (const button of document.querySelectorAll<HTMLElement>(".DocSearch-Button")) {
    if (button.innerText.trim() === "") button.setAttribute("aria-label", "Search");
    else button.removeAttribute("aria-label");
  }
}
