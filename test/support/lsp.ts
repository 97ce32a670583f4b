import { spawn } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { onTestFinished } from "vitest";
import {
  createProtocolConnection,
  type Diagnostic,
  type LogMessageParams,
  type LogTraceParams,
  type ProtocolConnection,
  type Registration,
  type RegistrationParams,
  type ShowMessageParams,
  StreamMessageReader,
  StreamMessageWriter,
  type UnregistrationParams,
} from "vscode-languageserver-protocol/node";
import { COMMAND } from "./cli.ts";

/** The diagnostics that a server published for a file. */
export interface Published {
  readonly uri: string;
  readonly version: number;
  readonly diagnostics: Diagnostic[];
}

export interface ClientOptions {
  readonly capabilities?: object;
  readonly initializationOptions?: object | undefined;
  /** The workspace folders, below the server's working folder. Without them the working folder is the root. */
  readonly folders?: readonly string[];
  /** Whether what the server registers for is accepted, and not refused. */
  readonly registers?: boolean;
  /** Variables of the server's environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly trace?: "verbose";
}

export type Client = Awaited<ReturnType<typeof startServer>>;

/** The built command as a language server in a folder until the test ends, and a client of it. */
export async function startServer(
  cwd: string,
  { capabilities = {}, initializationOptions, folders, registers = false, env, trace }: ClientOptions = {},
) {
  const child = spawn(process.execPath, [COMMAND, "lsp", "--stdio"], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill());
  const connection: ProtocolConnection = createProtocolConnection(
    new StreamMessageReader(child.stdout as NodeJS.ReadableStream),
    new StreamMessageWriter(child.stdin as NodeJS.WritableStream),
  );
  const published: Published[] = [];
  const waiting = new Set<() => void>();
  const wakeAll = () => {
    for (const wake of waiting) wake();
  };
  connection.onNotification("textDocument/publishDiagnostics", (params: Published) => {
    published.push(params);
    wakeAll();
  });
  const messages: ShowMessageParams[] = [];
  connection.onNotification("window/showMessage", (params: ShowMessageParams) => void messages.push(params));
  const logged: string[] = [];
  connection.onNotification("window/logMessage", ({ message }: LogMessageParams) => void logged.push(message));
  const traced: string[] = [];
  connection.onNotification("$/logTrace", ({ message }: LogTraceParams) => void traced.push(message));
  const registered = new Map<string, Registration>();
  if (registers) {
    connection.onRequest("client/registerCapability", ({ registrations }: RegistrationParams) => {
      for (const one of registrations) registered.set(one.id, one);
      wakeAll();
      return null;
    });
    connection.onRequest("client/unregisterCapability", ({ unregisterations }: UnregistrationParams) => {
      for (const { id } of unregisterations) registered.delete(id);
      wakeAll();
      return null;
    });
  }
  connection.listen();
  const uri = (name: string) => pathToFileURL(join(cwd, name)).href;
  const foldersOf = (names: readonly string[]) => names.map((name) => ({ uri: uri(name), name }));
  const initialized = await connection.sendRequest("initialize", {
    processId: process.pid,
    rootUri: uri(folders?.[0] ?? ""),
    workspaceFolders: folders ? foldersOf(folders) : null,
    capabilities,
    initializationOptions,
    ...(trace && { trace }),
  });
  await connection.sendNotification("initialized", {});
  /** Waits until `look` returns a value, and returns it. */
  const eventually = <T>(look: () => T | undefined) =>
    new Promise<T>((resolve) => {
      const wake = () => {
        const found = look();
        if (found === undefined) return;
        waiting.delete(wake);
        resolve(found);
      };
      waiting.add(wake);
      wake();
    });
  const nextPublished = () => eventually(() => published.shift());
  const notify = (method: string, params: object) => connection.sendNotification(method, params);
  return {
    initialized,
    /** The messages shown to the user so far. */
    messages,
    /** The log so far. */
    logged,
    /** Why the server checked, so far. */
    traced,
    nextPublished,
    /** Waits for diagnostics of a file that satisfy `isSo`, and ignores earlier ones. */
    async until(name: string, isSo: (codes: readonly unknown[]) => boolean): Promise<Published> {
      for (;;) {
        const found = await nextPublished();
        if (found.uri === uri(name) && isSo(codesOf(found))) return found;
      }
    },
    open: (name: string, text: string) =>
      notify("textDocument/didOpen", { textDocument: { uri: uri(name), languageId: "vmx", version: 1, text } }),
    change: (name: string, version: number, text: string) =>
      notify("textDocument/didChange", { textDocument: { uri: uri(name), version }, contentChanges: [{ text }] }),
    close: (name: string) => notify("textDocument/didClose", { textDocument: { uri: uri(name) } }),
    /** Tells of files that are new (1), changed (2) or gone (3) on the disk. */
    watched: (...changes: readonly (readonly [name: string, type: 1 | 2 | 3])[]) =>
      notify("workspace/didChangeWatchedFiles", { changes: changes.map(([name, type]) => ({ uri: uri(name), type })) }),
    changeFolders: (added: readonly string[], removed: readonly string[]) =>
      notify("workspace/didChangeWorkspaceFolders", { event: { added: foldersOf(added), removed: foldersOf(removed) } }),
    /** How the server is registered for something, as soon as that is as expected. */
    registered: (method: string, isSo: (all: readonly Registration[]) => boolean) =>
      eventually(() => {
        const all = [...registered.values()].filter((one) => one.method === method);
        return isSo(all) ? all : undefined;
      }),
    notify,
    ask: <T>(method: string, name: string, params: object = {}): Promise<T> =>
      connection.sendRequest(`textDocument/${method}`, { textDocument: { uri: uri(name) }, ...params }),
    /** Resolves when the server asks for something, which is granted. */
    asked: (method: string) =>
      new Promise<void>((resolve) => {
        connection.onRequest(method, () => {
          resolve();
          return null;
        });
      }),
    uri,
    async end() {
      await connection.sendRequest("shutdown");
      const code = new Promise((resolve) => child.once("exit", resolve));
      await connection.sendNotification("exit");
      return code;
    },
  };
}

export const codesOf = ({ diagnostics }: Pick<Published, "diagnostics">) => diagnostics.map(({ code }) => code);
