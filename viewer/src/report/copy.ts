// Copy buttons: the page shows them only where the script runs.

/** Selects a text, which copies it where the clipboard cannot be reached, and lets a person do it where nothing else works. */
function select(element: Element): void {
  const range = document.createRange();
  range.selectNodeContents(element);
  const selection = getSelection();
  selection?.removeAllRanges();
  selection?.addRange(range);
}

export function offerCopies(root: Document): void {
  for (const button of root.querySelectorAll<HTMLButtonElement>("button[data-copy]")) {
    const source = root.getElementById(button.dataset.copy ?? "");
    if (!source) continue;
    button.hidden = false;
    button.addEventListener("click", async () => {
      let copied = true;
      try {
        await navigator.clipboard.writeText(source.textContent ?? "");
      } catch {
        select(source);
        copied = document.execCommand("copy");
      }
      button.textContent = copied ? "Copied" : "Select and copy";
      setTimeout(() => (button.textContent = "Copy"), 1500);
    });
  }
}
