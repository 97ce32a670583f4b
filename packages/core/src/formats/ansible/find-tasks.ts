import { get, isMapping, itemsOf, type Value } from "../../syntax/yaml/tree.ts";

/** A task with the arguments of its module. */
export interface FoundTask {
  readonly task: Value;
  readonly args: Value;
}

const INSIDE = ["tasks", "pre_tasks", "post_tasks", "handlers", "block", "rescue", "always"];

/** Returns the tasks of some modules in a list of plays or tasks, also in blocks; arguments in one text are left out. */
export const tasksCalling = (list: Value, modules: readonly string[]): readonly FoundTask[] =>
  itemsOf(list).flatMap((task) => [
    ...modules.map((name) => ({ task, args: get(task, name) })).filter(({ args }) => isMapping(args)),
    ...INSIDE.flatMap((key) => tasksCalling(get(task, key), modules)),
  ]);
