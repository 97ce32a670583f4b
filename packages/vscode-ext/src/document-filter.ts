import { CONFIG_NAMES, formatsOf, holdsConfig, isClaimed, isNeverEntered, nameOf, projectsOf } from "@vmlint/core/recognise";
import { type TextDocument, type Uri, workspace } from "vscode";

/** Matches every file of a workspace that may hold a configuration. */
export const CONFIG_GLOB = `**/{${CONFIG_NAMES.join(",")}}`;

/** Returns whether a file is in a folder such as `node_modules`, which may hold thousands of files of other projects. */
export const isExternal = (uri: Uri): boolean => isNeverEntered(workspace.asRelativePath(uri, false));

/** Whether a file may hold a configuration, by its name. */
export const isConfig = (uri: Uri): boolean => CONFIG_NAMES.includes(nameOf(uri.path)) && !isExternal(uri);

/** Whether a document is a configuration that is open, so that its text in the editor counts and not that of its file. */
export const isOpenConfig = (document: TextDocument): boolean =>
  isConfig(document.uri) && !document.isClosed && holdsConfig(workspace.asRelativePath(document.uri, false), document.getText());

/** Whether a file's name promises VMs, or values for some. */
export const mayHoldVms = ({ path }: Uri): boolean => formatsOf(path).length + projectsOf(path).length > 0;

/** The old side of a diff is a document too: of a file system that is neither ours to write nor in the workspace. */
export const isChecked = ({ languageId, uri }: TextDocument): boolean =>
  (languageId === "vmx" || mayHoldVms(uri)) &&
  (workspace.getWorkspaceFolder(uri) !== undefined || workspace.fs.isWritableFileSystem(uri.scheme) !== false);

/** Returns whether a document may hold VMs, judged by its name and its words. */
export const isVmlintDocument = (document: TextDocument): boolean =>
  isOpenConfig(document) || (isChecked(document) && (document.languageId === "vmx" || isClaimed(document.uri.path, document.getText())));
