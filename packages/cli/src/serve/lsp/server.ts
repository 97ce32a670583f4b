import type { Fix } from "@vmlint/core";
import {
  actionsAt,
  bugSentence,
  type CheckResult,
  type Completion,
  type ConfigText,
  ConfigTexts,
  completionsAt,
  type Hover,
  hintsOf,
  hoverAt,
  lensesOf,
  type OpenDocument,
  OtherFileFindings,
  outlineOf,
  type Place,
  safeFixes,
  suppressionsAt,
  TOKEN_KINDS,
} from "@vmlint/core/editor";
import { CONFIG_NAMES } from "@vmlint/core/program";
import { nameOf } from "@vmlint/core/recognise";
import {
  type ClientCapabilities,
  type CodeAction,
  CodeActionKind,
  type Connection,
  createConnection,
  type Diagnostic,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  type Disposable,
  DocumentDiagnosticReportKind,
  FileChangeType,
  type FileEvent,
  type InitializeParams,
  type InitializeResult,
  MarkupKind,
  MessageType,
  PositionEncodingKind,
  ProposedFeatures,
  type PublishDiagnosticsParams,
  ShowMessageNotification,
  TextDocumentSyncKind,
  TextDocuments,
  type WorkspaceFoldersChangeEvent,
} from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { isVmlintError, TOOL } from "../../args/command-output.ts";
import { type Documents, documents, foldersOf, inTimeOfCheck, pathOf, type Settings } from "./documents.ts";
import {
  completionOf,
  configDiagnosticOf,
  diagnosticOf,
  type Locate,
  locator,
  quickFixOf,
  rangeOf,
  symbolOf,
  tokensOf,
  workspaceEdit,
} from "./protocol.ts";

/** The action kind of `fix all`, which editors can run on save. */
const FIX_ALL = `${CodeActionKind.SourceFixAll}.vmlint`;

const CAPABILITIES: InitializeResult["capabilities"] = {
  // Every client knows UTF-16, and offsets are counted in it here.
  positionEncoding: PositionEncodingKind.UTF16,
  textDocumentSync: TextDocumentSyncKind.Incremental,
  hoverProvider: true,
  completionProvider: { triggerCharacters: [".", '"', "="] },
  codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix, FIX_ALL] },
  codeLensProvider: { resolveProvider: false },
  inlayHintProvider: true,
  documentSymbolProvider: true,
  semanticTokensProvider: { legend: { tokenTypes: [...TOKEN_KINDS], tokenModifiers: [] }, full: true },
  diagnosticProvider: { identifier: "vmlint", interFileDependencies: true, workspaceDiagnostics: false },
  workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
};

/** Any file can be a template, an inventory or a dump of a host. */
const WATCHERS = [{ globPattern: "**/*" }];

/** Speaks the Language Server Protocol on stdin and stdout until the client says exit. */
export function serve(cwd: string): Promise<void> {
  const connection = createConnection(ProposedFeatures.all, process.stdin, process.stdout);
  const ended = new Promise<void>((resolve) => connection.onExit(resolve));
  new Server(connection, cwd).listen();
  return ended;
}

/** Long enough to skip the states between two keystrokes, short enough to feel immediate. */
const TYPING_PAUSE_MS = 100;

class Server {
  readonly #connection: Connection;
  readonly #texts = new TextDocuments(TextDocument);
  readonly #documents: Documents;
  readonly #configs = new ConfigTexts();
  readonly #elsewhere = new OtherFileFindings();
  /** The URI of the last published diagnostics, by path. */
  readonly #published = new Map<string, string>();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #warned = new Set<string>();
  #client: ClientCapabilities = {};
  #settings: Settings = { host: "" };
  /** The workspace folders of the client. */
  #folders: readonly string[] = [];
  /** Stops watching files. */
  #watchers: Promise<Disposable | undefined> = Promise.resolve(undefined);

  constructor(connection: Connection, cwd: string) {
    this.#connection = connection;
    const told = (query: string, key: string, because: string) => connection.tracer.log(`${query}(${key}): ${because}`);
    this.#documents = documents(cwd, () => this.#folders, told);
  }

  listen(): void {
    const connection = this.#connection;
    connection.onInitialize((params) => this.#initialize(params));
    connection.onInitialized(() => this.#register());
    connection.onDidChangeConfiguration(({ settings }) => this.#configure(settings?.vmlint));
    connection.onDidChangeWatchedFiles(({ changes }) => this.#watched(changes));
    connection.languages.diagnostics.on(async ({ textDocument }) => ({
      kind: DocumentDiagnosticReportKind.Full,
      items: (await this.#diagnostics(textDocument.uri))?.diagnostics ?? [],
    }));
    this.#texts.onDidChangeContent(({ document }) => void this.#changed(document));
    // Without watched files, a save is the moment to check for changes in other files.
    this.#texts.onDidSave(({ document: { uri } }) => (isConfig(pathOf(uri)) || !this.#isWatching) && this.#recheck());
    this.#texts.onDidClose(({ document: { uri } }) => void this.#closed(uri));
    this.#answer();
    this.#texts.listen(connection);
    connection.listen();
  }

  #answer(): void {
    const connection = this.#connection;
    connection.onHover(async ({ textDocument, position }) => {
      const shown = (hover: Hover | undefined, document: TextDocument) =>
        hover && { range: rangeOf(document, hover.range), contents: { kind: MarkupKind.Markdown, value: hover.markdown } };
      const inConfig = await this.#inConfig(textDocument, (config, document) => shown(config.hover(document.offsetAt(position)), document));
      if (inConfig) return inConfig;
      return this.#at(textDocument, (open, document, locate) => {
        const linkTo = (place: Place): string | undefined => {
          const location = locate(place);
          return location && `${location.uri}#L${location.range.start.line + 1}`;
        };
        return shown(hoverAt(open, document.offsetAt(position), linkTo), document);
      });
    });
    connection.onCompletion(async ({ textDocument, position }) => {
      const snippets = this.#client.textDocument?.completion?.completionItem?.snippetSupport === true;
      const shown = (items: readonly Completion[], document: TextDocument) =>
        items.map((item, i) => completionOf(document, item, snippets, i));
      const inConfig = await this.#inConfig(textDocument, (config, document) =>
        shown(config.complete(document.offsetAt(position)), document),
      );
      return inConfig ?? this.#at(textDocument, (open, document) => shown(completionsAt(open, document.offsetAt(position)), document));
    });
    connection.onCodeAction(async ({ textDocument, range, context: { only } }) => {
      const wants = (kind: string) => !only || only.some((prefix) => kind === prefix || kind.startsWith(`${prefix}.`));
      const selectionIn = (document: TextDocument) => [document.offsetAt(range.start), document.offsetAt(range.end)] as const;
      const inConfig = await this.#inConfig(textDocument, (config, document) =>
        wants(CodeActionKind.QuickFix) ? config.fixesAt(selectionIn(document)).map((fix) => renameOf(fix, document)) : [],
      );
      if (inConfig) return inConfig;
      return this.#at(textDocument, (open, document, locate) => {
        const selection = selectionIn(document);
        const edits = wants(FIX_ALL) ? safeFixes(open).flatMap((fix) => fix.edits) : [];
        const edit = edits.length > 0 ? workspaceEdit(edits, locate) : undefined;
        return [
          ...(wants(CodeActionKind.QuickFix) ? quickFixes(open, selection, locate) : []),
          ...(edit ? [{ title: "Fix all safe problems", kind: FIX_ALL, edit }] : []),
        ];
      });
    });
    connection.onCodeLens(({ textDocument }) =>
      this.#at(textDocument, (open, document) =>
        lensesOf(open).map(({ range, title }) => ({ range: rangeOf(document, range), command: { title, command: "" } })),
      ),
    );
    connection.languages.inlayHint.on(({ textDocument, range }) =>
      this.#at(textDocument, (open, document) => {
        const [from, to] = [document.offsetAt(range.start), document.offsetAt(range.end)];
        return hintsOf(open)
          .filter(({ at }) => from <= at && at <= to)
          .map(({ at, label }) => ({ position: document.positionAt(at), label, paddingLeft: true }));
      }),
    );
    connection.onDocumentSymbol(({ textDocument }) =>
      this.#at(textDocument, (open, document) => outlineOf(open).map((part) => symbolOf(document, part))),
    );
    connection.languages.semanticTokens.on(
      async ({ textDocument }) =>
        (await this.#at(textDocument, ({ text, language }, document) => tokensOf(document, language?.tokens?.(text)))) ?? { data: [] },
    );
  }

  #initialize({ capabilities, initializationOptions, workspaceFolders, rootUri }: InitializeParams): InitializeResult {
    this.#client = capabilities;
    this.#settings = settingsOf(initializationOptions);
    // A client with workspace folders may remove each of them, including the root. `rootUri` is for clients without them.
    this.#folders = workspaceFolders?.length ? foldersOf(workspaceFolders) : foldersOf(rootUri ? [{ uri: rootUri }] : []);
    return { capabilities: CAPABILITIES, serverInfo: TOOL };
  }

  /** Requests that the server may send only after the client is ready. */
  #register(): void {
    const { workspace } = this.#client;
    if (workspace?.didChangeConfiguration?.dynamicRegistration) {
      this.#ask(this.#connection.client.register(DidChangeConfigurationNotification.type, { section: "vmlint" }));
    }
    if (workspace?.workspaceFolders) this.#connection.workspace.onDidChangeWorkspaceFolders((change) => this.#changeFolders(change));
    this.#watch();
  }

  #changeFolders({ added, removed }: WorkspaceFoldersChangeEvent): void {
    const gone = new Set(foldersOf(removed));
    this.#folders = [...new Set([...this.#folders.filter((folder) => !gone.has(folder)), ...foldersOf(added)])];
    this.#watch();
    this.#recheck();
  }

  /** Neovim watches only the folders that existed at registration, so the server registers again. */
  #watch(): void {
    if (!this.#isWatching) return;
    const before = this.#watchers;
    const renewed = this.#connection.client.register(DidChangeWatchedFilesNotification.type, { watchers: WATCHERS });
    this.#watchers = renewed.then(
      async (watching) => {
        (await before)?.dispose();
        return watching;
      },
      () => before,
    );
    this.#ask(renewed);
  }

  #configure(settings: unknown): void {
    if (settings !== undefined && settings !== null) this.#settings = settingsOf(settings);
    this.#recheck();
  }

  /** A client that pulls diagnostics gets no pushed ones. */
  get #pushes(): boolean {
    return this.#client.textDocument?.diagnostic === undefined;
  }

  #recheck(): void {
    this.#documents.forget();
    if (this.#pushes) for (const document of this.#texts.all()) this.#schedule(document, 0);
    else this.#refreshDiagnostics();
    this.#refreshBeside();
  }

  #refreshDiagnostics(): void {
    if (this.#client.workspace?.diagnostics?.refreshSupport) this.#ask(this.#connection.sendRequest("workspace/diagnostic/refresh"));
  }

  /** Clients ask for lenses and hints again only after a key press, so this refreshes them. */
  #refreshBeside(): void {
    const { workspace } = this.#client;
    if (workspace?.codeLens?.refreshSupport) this.#ask(this.#connection.sendRequest("workspace/codeLens/refresh"));
    if (workspace?.inlayHint?.refreshSupport) this.#ask(this.#connection.sendRequest("workspace/inlayHint/refresh"));
  }

  /** A client may reject a request that it announced as supported. The server continues. */
  #ask(request: Promise<unknown>): void {
    request.catch((error: Error) => this.#connection.console.warn(error.message));
  }

  get #isWatching(): boolean {
    return this.#client.workspace?.didChangeWatchedFiles?.dynamicRegistration === true;
  }

  #watched(changes: readonly FileEvent[]): void {
    if (changes.length === 0) this.#recheck();
    const stale = changes.map(({ uri, type }) => this.#documents.fileChanged(uri, type === FileChangeType.Changed ? "text" : "name"));
    void Promise.all(stale).then((all) => this.#again(new Set(all.flat())));
  }

  /** Checks documents again that are not typed into. */
  #again(documents: ReadonlySet<TextDocument>): void {
    if (documents.size === 0) return;
    for (const document of documents) this.#schedule(document, 0);
    if (!this.#pushes) this.#refreshDiagnostics();
    this.#refreshBeside();
  }

  async #changed(document: TextDocument): Promise<void> {
    const isNew = !this.#documents.isOpen(pathOf(document.uri) ?? "");
    const stale = await this.#documents.changed(document);
    for (const one of stale) this.#schedule(one, isNew ? 0 : TYPING_PAUSE_MS);
    if (stale.every((one) => one === document)) return;
    if (!this.#pushes) this.#refreshDiagnostics();
    this.#refreshBeside();
  }

  async #closed(uri: string): Promise<void> {
    clearTimeout(this.#timers.get(uri));
    this.#timers.delete(uri);
    this.#configs.close(uri);
    const stale = this.#documents.closed(uri);
    // Before anything is waited for: it may be opened again meanwhile.
    if (this.#pushes) this.#pushClosed(uri, pathOf(uri));
    this.#again(new Set(await stale));
  }

  #pushClosed(uri: string, path: string | undefined): void {
    if (path === undefined || this.#documents.isOpen(path)) void this.#connection.sendDiagnostics({ uri, diagnostics: [] });
    else for (const other of new Set([path, ...this.#elsewhere.set(path, new Map())])) this.#pushElsewhere(other);
  }

  #schedule(document: TextDocument, delay: number): void {
    if (!this.#pushes) return;
    const { uri } = document;
    clearTimeout(this.#timers.get(uri));
    const timer = setTimeout(() => void this.#push(document, () => this.#timers.get(uri) === timer), delay);
    this.#timers.set(uri, timer);
  }

  async #push(document: TextDocument, isLatest: () => boolean): Promise<void> {
    const { uri, version } = document;
    const found = await this.#diagnostics(uri);
    // A newer version of the text gets its own diagnostics.
    if (this.#texts.get(uri)?.version !== version || !isLatest()) return;
    const path = pathOf(uri);
    this.#publish(path, { uri, version, diagnostics: found?.diagnostics ?? [] });
    if (path === undefined) return;
    for (const other of this.#elsewhere.set(path, found?.otherFiles ?? new Map())) this.#pushElsewhere(other);
  }

  /** Publishes the findings of open files in an unopened file. */
  #pushElsewhere(path: string): void {
    if (this.#documents.isOpen(path)) return;
    const { text, diagnostics, textOf } = this.#elsewhere.of(path);
    const { uriOf } = this.#documents;
    const uri = uriOf(path);
    const locate = locator(uri, text, { textOf, uriOf });
    this.#publish(path, { uri, diagnostics: diagnostics.map((finding) => diagnosticOf(finding, locate)) });
  }

  /** Under another address that a file had, nothing stays. */
  #publish(path: string | undefined, params: PublishDiagnosticsParams): void {
    const before = path === undefined ? undefined : this.#published.get(path);
    if (before !== undefined && before !== params.uri && !this.#texts.get(before)) {
      void this.#connection.sendDiagnostics({ uri: before, diagnostics: [] });
    }
    if (path !== undefined) this.#published.set(path, params.uri);
    void this.#connection.sendDiagnostics(params);
  }

  async #diagnostics(
    uri: string,
  ): Promise<{ readonly diagnostics: Diagnostic[]; readonly otherFiles: CheckResult["otherFiles"] } | undefined> {
    const inConfig = await this.#inConfig({ uri }, ({ problems }, document) => ({
      diagnostics: problems.map((problem) => configDiagnosticOf(document, problem)),
      otherFiles: new Map(),
    }));
    if (inConfig) return inConfig;
    return this.#at({ uri }, ({ result, otherFiles, badHost, notCompared }, _, locate) => {
      if (badHost !== undefined) this.#warn(`vmlint.host: ${badHost}`);
      if (notCompared !== undefined) this.#warn(notCompared);
      return { diagnostics: result.diagnostics.map((finding) => diagnosticOf(finding, locate)), otherFiles };
    });
  }

  /** Shows each warning once. */
  #warn(message: string): void {
    if (this.#warned.has(message)) return;
    this.#warned.add(message);
    void this.#connection.sendNotification(ShowMessageNotification.type, { type: MessageType.Warning, message });
  }

  /** An answer about an open configuration; `undefined` if the document is not a configuration. */
  async #inConfig<T>({ uri }: { uri: string }, answer: (config: ConfigText, document: TextDocument) => T): Promise<T | undefined> {
    const document = this.#texts.get(uri);
    const path = pathOf(uri);
    if (!document || !isConfig(path)) return undefined;
    const config = await this.#configs.read(uri, path, document.getText(), this.#documents.filesOfConfig(path));
    return config && answer(config, document);
  }

  /** Answers for a document. Returns `undefined` if the document is closed, without a VM, or has an invalid configuration. */
  async #at<T>({ uri }: { uri: string }, answer: (open: CheckResult, document: TextDocument, locate: Locate) => T): Promise<T | undefined> {
    const document = this.#texts.get(uri);
    if (!document) return undefined;
    try {
      const open = await this.#documents.check(document, this.#settings);
      if (!open) return undefined;
      return inTimeOfCheck(() => answer(open, document, locator(uri, open.text, { textOf: open.textOf, uriOf: this.#documents.uriOf })));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#connection.console.error(message);
      // An invalid configuration leaves all its files without findings, and may not be open itself.
      if (isVmlintError(error)) this.#warn(message);
      else this.#warn(bugSentence(pathOf(uri) ?? uri, error));
      return undefined;
    }
  }
}

const quickFixes = (open: OpenDocument, selection: readonly [number, number], locate: Locate): CodeAction[] => [
  ...actionsAt(open, selection).flatMap((action) => quickFixOf(action, locate)),
  ...suppressionsAt(open, selection).map(({ title, fix }) => ({
    title,
    kind: CodeActionKind.QuickFix,
    edit: workspaceEdit(fix.edits, locate) ?? {},
  })),
];

const renameOf = ({ title, edits }: Fix, document: TextDocument): CodeAction => ({
  title,
  kind: CodeActionKind.QuickFix,
  edit: { changes: { [document.uri]: edits.map(({ range, newText }) => ({ range: rangeOf(document, range), newText })) } },
});

/** Whether a file may be a configuration, by its name. */
const isConfig = (path: string | undefined): path is string => path !== undefined && CONFIG_NAMES.includes(nameOf(path));

const settingsOf = (value: unknown): Settings => {
  const host = typeof value === "object" && value !== null && "host" in value ? value.host : undefined;
  return { host: typeof host === "string" ? host.trim() : "" };
};
