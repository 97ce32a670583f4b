import { fstatSync, statSync, writeSync } from "node:fs";
import type { Io } from "./io.ts";
import { EXIT, main } from "./main.ts";
import { outside } from "./process-io.ts";

export { main, outside };

/** process.stdout would do the same, and loading Node's streams for it takes longer than linting a file. */
function write(descriptor: 1 | 2, text: string): void {
  for (let rest = Buffer.from(text); rest.length > 0; ) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // A slow reader gets the rest later.
      if (code === "EAGAIN") continue;
      // An error on stderr cannot be reported anywhere. The run continues, because it may still have to fix files or write a
      // report.
      if (descriptor === 2) return;
      // A reader that closes the pipe early (`vmlint | head`) has what it wanted.
      if (code === "EPIPE") process.exit(EXIT.clean);
      write(2, `vmlint: The report cannot be written to the standard output (${code}).\n`);
      process.exit(EXIT.usage);
    }
  }
}

/** Whether the terminal shows a line of progress. */
let isShown = false;

function print(descriptor: 1 | 2, text: string): void {
  if (isShown) write(2, ERASED);
  isShown = false;
  write(descriptor, text);
}

/** From the first column on nothing. */
const ERASED = "\r\u001b[K";

function showProgress(line: string): void {
  write(2, `${ERASED}vmlint: ${line}`);
  isShown = true;
}

const { env } = process;
const isTerminal = (): boolean => fstatSync(1).isCharacterDevice() && env.TERM !== "dumb";

/** As os.devNull, without loading that module. */
const devNull = process.platform === "win32" ? "\\\\.\\nul" : "/dev/null";

/** Whether a terminal is there; /dev/null is a device, too, and answers nothing. */
function isDevice(descriptor: number): boolean {
  try {
    const { rdev } = fstatSync(descriptor);
    return fstatSync(descriptor).isCharacterDevice() && rdev !== statSync(devNull).rdev;
  } catch {
    return false;
  }
}

/** Whether a shell has redirected the output to a file. */
function writesTo(path: string): boolean {
  try {
    const { dev, ino } = statSync(path);
    return [1, 2].map((descriptor) => fstatSync(descriptor)).some((output) => output.isFile() && output.dev === dev && output.ino === ino);
  } catch {
    return false;
  }
}

/** The answer of who sits there. Interrupting a question ends the command, as interrupting anything does. */
async function ask(question: string): Promise<string> {
  const { createInterface } = await import("node:readline");
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise((answered) => {
    const interrupted = () => process.exit(130);
    asking.on("SIGINT", interrupted).on("close", interrupted);
    asking.question(question, (answer) => {
      asking.off("close", interrupted).close();
      answered(answer);
    });
  });
}

/** The working directory, which another program may have removed meanwhile. */
function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    write(2, "vmlint: The current folder no longer exists.\n");
    process.exit(EXIT.usage);
  }
}

/** Runs the command with the arguments of the process, and ends the process with the exit code. */
export async function run(): Promise<never> {
  const shown = isTerminal();
  const io: Io = {
    ...outside({ cwd: workingDirectory(), env, isTerminal: shown, width: shown ? process.stdout.columns || undefined : undefined, print }),
    interruptible: () => {
      process.once("SIGINT", () => process.exit(130)).once("SIGTERM", () => process.exit(143));
      return () => new Promise((resume) => void setImmediate(resume));
    },
    get progress() {
      return isDevice(2) && env.TERM !== "dumb" ? showProgress : undefined;
    },
    writesTo,
    // Looked at when a command wants to ask: most never do.
    get ask() {
      return isDevice(0) && isDevice(2) ? ask : undefined;
    },
  };
  // At once: nothing is left to be done, and Node would take its memory apart first.
  process.exit(await main(process.argv.slice(2), io));
}
