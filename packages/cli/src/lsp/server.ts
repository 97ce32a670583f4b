import { CONFIG_NAMES, VERSION } from "@vmlint/core";
import {
  actionsAt,
  type Completion,
  completionsAt,
  type Hover,
  hintsOf,
  hoverAt,
  lensesOf,
  type OpenDocument,
  outlineOf,
  safeFixes,
  suppressionsAt,
} from "@vmlint/core/editor";
import {
  type ClientCapabilities,
  type CodeAction,
  CodeActionKind,
  type Connection,
  createConnection,
  type Diagnostic,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  DocumentDiagnosticReportKind,
  type InitializeParams,
  type InitializeResult,
  MarkupKind,
  PositionEncodingKind,
  ProposedFeatures,
  TextDocumentSyncKind,
  TextDocuments,
} from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { type ConfigDocument, configDocuments, isNamedAsConfig } from "./config-documents.ts";
import { completionOf, configDiagnosticOf, diagnosticOf, editsOf, quickFixOf, rangeOf, symbolOf } from "./convert.ts";
import { documents, type Settings } from "./documents.ts";

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
  diagnosticProvider: { identifier: "vmlint", interFileDependencies: false, workspaceDiagnostics: false },
};

/** Speaks the Language Server Protocol on stdin and stdout until the client says exit. */
export function serve(cwd: string): Promise<void> {
  const connection = createConnection(ProposedFeatures.all, process.stdin, process.stdout);
  const ended = new Promise<void>((resolve) => connection.onExit(resolve));
  new Server(connection, cwd).listen();
  return ended;
}

class Server {
  readonly #connection: Connection;
  readonly #texts = new TextDocuments(TextDocument);
  readonly #documents;
  readonly #configs = configDocuments();
  #client: ClientCapabilities = {};
  #settings: Settings = { host: "" };

  constructor(connection: Connection, cwd: string) {
    this.#connection = connection;
    this.#documents = documents(cwd);
  }

  listen(): void {
    const connection = this.#connection;
    connection.onInitialize((params) => this.#initialize(params));
    connection.onInitialized(() => this.#register());
    connection.onDidChangeConfiguration(({ settings }) => this.#configure(settings?.vmlint));
    connection.onDidChangeWatchedFiles(() => this.#recheck());
    connection.languages.diagnostics.on(async ({ textDocument }) => ({
      kind: DocumentDiagnosticReportKind.Full,
      items: await this.#diagnostics(textDocument.uri),
    }));
    this.#texts.onDidChangeContent(({ document }) => this.#push(document));
    this.#texts.onDidSave(({ document }) => isNamedAsConfig(document.uri) && this.#recheck());
    this.#texts.onDidClose(({ document: { uri } }) => void (this.#pushes && connection.sendDiagnostics({ uri, diagnostics: [] })));
    this.#answer();
    this.#texts.listen(connection);
    connection.listen();
  }

  #answer(): void {
    const connection = this.#connection;
    connection.onHover(({ textDocument, position }) => {
      const answer = (hover: Hover | undefined, document: TextDocument) =>
        hover && { range: rangeOf(document, hover.range), contents: { kind: MarkupKind.Markdown, value: hover.markdown } };
      return this.#either(
        textDocument,
        (open, document) => answer(hoverAt(open, document.offsetAt(position)), document),
        (config, document) => answer(config.hover(document.offsetAt(position)), document),
      );
    });
    connection.onCompletion(({ textDocument, position }) => {
      const snippets = this.#client.textDocument?.completion?.completionItem?.snippetSupport === true;
      const answer = (items: readonly Completion[], document: TextDocument) => items.map((item) => completionOf(document, item, snippets));
      return this.#either(
        textDocument,
        (open, document) => answer(completionsAt(open, document.offsetAt(position)), document),
        (config, document) => answer(config.complete(document.offsetAt(position)), document),
      );
    });
    connection.onCodeAction(({ textDocument, range, context: { only } }) =>
      this.#at(textDocument, (open, document) => {
        const wants = (kind: string) => !only || only.some((asked) => kind === asked || kind.startsWith(`${asked}.`));
        const selection = [document.offsetAt(range.start), document.offsetAt(range.end)] as const;
        const edits = safeFixes(open).flatMap((fix) => fix.edits);
        const changes = { [document.uri]: edits.map((edit) => ({ range: rangeOf(document, edit.range), newText: edit.newText })) };
        return [
          ...(wants(CodeActionKind.QuickFix) ? quickFixes(document, open, selection) : []),
          ...(wants(FIX_ALL) && edits.length > 0 ? [{ title: "Fix all safe problems", kind: FIX_ALL, edit: { changes } }] : []),
        ];
      }),
    );
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
  }

  #initialize({ capabilities, initializationOptions }: InitializeParams): InitializeResult {
    this.#client = capabilities;
    this.#settings = settingsOf(initializationOptions);
    return { capabilities: CAPABILITIES, serverInfo: { name: "vmlint", version: VERSION } };
  }

  /** What the server cannot ask for before the client is ready. */
  #register(): void {
    const { workspace } = this.#client;
    if (workspace?.didChangeConfiguration?.dynamicRegistration) {
      void this.#connection.client.register(DidChangeConfigurationNotification.type, { section: "vmlint" });
    }
    if (workspace?.didChangeWatchedFiles?.dynamicRegistration) {
      const watchers = [{ globPattern: `**/{${CONFIG_NAMES.join(",")}}` }];
      void this.#connection.client.register(DidChangeWatchedFilesNotification.type, { watchers });
    }
  }

  #configure(settings: unknown): void {
    if (settings !== undefined && settings !== null) this.#settings = settingsOf(settings);
    this.#recheck();
  }

  /** A client that asks for diagnostics is not sent them as well. */
  get #pushes(): boolean {
    return this.#client.textDocument?.diagnostic === undefined;
  }

  #recheck(): void {
    this.#documents.forget();
    if (this.#pushes) for (const document of this.#texts.all()) this.#push(document);
    else if (this.#client.workspace?.diagnostics?.refreshSupport) this.#connection.languages.diagnostics.refresh();
    if (this.#client.workspace?.codeLens?.refreshSupport) void this.#connection.sendRequest("workspace/codeLens/refresh");
  }

  #push(document: TextDocument): void {
    if (!this.#pushes) return;
    const { uri, version } = document;
    void this.#diagnostics(uri).then((diagnostics) => {
      // Typed on meanwhile: the next version brings its own.
      if (this.#texts.get(uri)?.version === version) void this.#connection.sendDiagnostics({ uri, version, diagnostics });
    });
  }

  #diagnostics = async (uri: string): Promise<Diagnostic[]> =>
    (await this.#either(
      { uri },
      ({ result }, document) => result.diagnostics.map((finding) => diagnosticOf(document, finding)),
      ({ problem }, document) => (problem ? [configDiagnosticOf(document, problem)] : []),
    )) ?? [];

  /** An answer about a VM definition or about a configuration. */
  async #either<T>(
    { uri }: { uri: string },
    ofVms: (open: OpenDocument, document: TextDocument) => T,
    ofConfig: (config: ConfigDocument, document: TextDocument) => T,
  ): Promise<T | undefined> {
    const document = this.#texts.get(uri);
    const config = document && (await this.#configs(document));
    return config ? ofConfig(config, document) : this.#at({ uri }, ofVms);
  }

  /** An answer about a document; none where it is not open, is no VM definition, or its configuration cannot be read. */
  async #at<T>({ uri }: { uri: string }, answer: (open: OpenDocument, document: TextDocument) => T): Promise<T | undefined> {
    const document = this.#texts.get(uri);
    if (!document) return undefined;
    try {
      const open = await this.#documents.open(document, this.#settings);
      return open && answer(open, document);
    } catch (error) {
      this.#connection.console.error(error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }
}

const quickFixes = (document: TextDocument, open: OpenDocument, selection: readonly [number, number]): CodeAction[] => [
  ...actionsAt(open, selection).map((action) => quickFixOf(document, action)),
  ...suppressionsAt(open, selection).map(({ title, fix }) => ({
    title,
    kind: CodeActionKind.QuickFix,
    edit: { changes: { [document.uri]: editsOf(document, fix) } },
  })),
];

const settingsOf = (value: unknown): Settings => {
  const host = typeof value === "object" && value !== null && "host" in value ? value.host : undefined;
  return { host: typeof host === "string" ? host.trim() : "" };
};
