/** The style sheet of the panel, in the colours of the theme. */
export const PANEL_STYLE = `  body { font: var(--vscode-font-size)/1.5 var(--vscode-font-family); color: var(--vscode-foreground); background: var(--vscode-editor-background); padding: 12px 16px;
    overflow-wrap: anywhere; }
  form { display: flex; flex-wrap: wrap; gap: 12px 20px; align-items: end; margin: 8px 0 12px; }
  details[hidden], select[hidden], span[hidden], button[hidden] { display: none !important; }
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
  .buttons { flex-wrap: wrap; }
  #pictures { display: flex; flex-wrap: wrap; gap: 12px; }
  figure { margin: 0; flex: 1 1 420px; min-width: 0; }
  figure[hidden] { display: none; }
  figcaption { font-weight: 600; margin-bottom: 4px; }
  figcaption:empty { display: none; }
  #problem { color: var(--vscode-errorForeground); }
  h1 { font-size: 1.2em; font-weight: 600; margin: 0 0 8px; }
  /* The colours of themes are too light for text. */
  #verdict { font-weight: 600; margin: 0 0 8px; padding-left: 8px; border-left: 5px solid var(--vscode-editorError-foreground, var(--vscode-errorForeground)); }
  #verdict.good { border-color: var(--vscode-testing-iconPassed, var(--vscode-foreground)); }
  #effect { font-weight: 600; margin: 0 0 8px; }
  #layout { margin: 0 0 8px; }
  #verdict:empty, #effect:empty, #problem:empty, #layout:empty { display: none; }
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
  #picture, #other-picture, #together-picture { overflow-x: auto; }
`;
