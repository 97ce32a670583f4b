import { CONFIG_NAMES, formatsOf, holdsConfig, isClaimed, isNeverEntered, nameOf, projectsOf } from "@vmlint/core/recognise";
import { type TextDocument, type Uri, workspace } from "vscode";

/** Matches every file of a workspace that may hold a configuration. */
export const CONFIG_GLOB = `**/{${CONFIG_NAMES.join(",")}}`;

/** Whether a file is other people's, of which a workspace may hold thousands: it lies below its folder in one that is never entered. */
export const isExternal = (uri: Uri): boolean => isNeverEntered(workspace.asRelativePath(uri, false));

/** Whether a file may hold a configuration, by its name. */
export const isConfig = (uri: Uri): boolean => CONFIG_NAMES.includes(nameOf(uri.path)) && !isExternal(uri);

/** Whether a document is a configuration that is open, so that its text in the editor counts and not that of its file. */
export const isOpenConfig = (document: TextDocument): boolean =>
  isConfig(document.uri) && !document.isClosed && holdsConfig(nameOf(document.uri.path), document.getText());

/** Whether a file's name promises VMs, or values for some. */
export const mayHoldVms = ({ path }: Uri): boolean => formatsOf(path).length + projectsOf(path).length > 0;

/** The old side of a diff is a document too: of a file system that is neither ours to write nor in the workspace. */
export const isChecked = ({ languageId, uri }: TextDocument): boolean =>
  (languageId === "vmx" || mayHoldVms(uri)) &&
  (workspace.getWorkspaceFolder(uri) !== undefined || workspace.fs.isWritableFileSystem(uri.scheme) !== false);

/** Whether there is anything to say of a document, as far as a look at its name and its words tells. */
export const isVmlintDocument = (document: TextDocument): boolean =>
  isOpenConfig(document) || (isChecked(document) && (document.languageId === "vmx" || isClaimed(document.uri.path, document.getText())));
