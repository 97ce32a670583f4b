import { dayOf, printable, wrapped } from "@vmlint/core/program";
import type { Io } from "./io.ts";
import { linksOf, palette } from "./report/palette.ts";

/** The parts of a process that the command needs. */
export interface Outside extends Pick<Io, "cwd" | "env" | "isTerminal"> {
  /** The width of the terminal in columns; missing without a terminal. */
  readonly width?: number | undefined;
  /** Writes to stdout (1) or stderr (2). */
  readonly print: (descriptor: 1 | 2, text: string) => void;
}

/** Returns an Io without terminal and signals. bin.ts adds both. */
export const outside = ({ cwd, env, isTerminal, width, print }: Outside): Io => ({
  cwd,
  env,
  isTerminal,
  out: (text) => print(1, text),
  // An error may quote a file, so control characters are escaped.
  err: (text) =>
    print(
      2,
      text
        .split("\n")
        .flatMap((line) => wrapped(printable(line), width, 2))
        .join("\n"),
    ),
  today: () => dayOf(new Date()),
  ci: !["", "0", "false"].includes(env.CI ?? ""),
  palette: palette(!env.NO_COLOR && (env.FORCE_COLOR ? env.FORCE_COLOR !== "0" : isTerminal), {
    width,
    link: isTerminal ? linksOf(env, cwd) : undefined,
  }),
  interruptible: () => async () => {},
});
