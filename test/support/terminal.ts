import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { COMMAND } from "./cli.ts";

/** Whether the machine can run a program in a terminal. */
export const hasTerminal = spawnSync("script", ["--version"]).status === 0;

/** Runs the command in a terminal and types an answer after each question. Rejects if it asks a question without an answer. */
export async function inTerminal(cwd: string, args: string, answers: readonly string[]) {
  const child = spawn("script", ["-qec", `${process.execPath} ${COMMAND} ${args}`, "/dev/null"], { cwd });
  let stdout = "";
  let asked = 0;
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    const questions = stdout.match(/(\(Enter: [^\n]*\)|none): /g)?.length ?? 0;
    for (; asked < questions; asked++) child.stdin.write(answers[asked] ?? "\u0003");
  });
  const [status] = await once(child, "close");
  return { status, stdout };
}
