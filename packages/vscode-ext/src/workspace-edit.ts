import type { Place } from "@vmlint/core/editor";
import { WorkspaceEdit } from "vscode";
import type { Checked } from "./checker.ts";

/** An edit with its place. */
export type PlacedEdit = Place & { readonly newText: string };

/** Returns the edits as a workspace edit, or `undefined` if one of their files has not been read. */
export function editOf({ locate }: Checked, edits: readonly PlacedEdit[]): WorkspaceEdit | undefined {
  const edit = new WorkspaceEdit();
  for (const { newText, ...place } of edits) {
    const location = locate(place);
    if (!location) return undefined;
    edit.replace(location.uri, location.range, newText);
  }
  return edit;
}
