import { severitiesIn } from "../config/config.ts";
import { DISABLE } from "../formats/directive.ts";
import { type Format, type FormatEntry, isProject } from "../formats/format.ts";
import type { ProjectInputs, Reading } from "../formats/project.ts";
import type { Inventory } from "../inventory/index.ts";
import { hostedVms } from "../lint/hosted-vms.ts";
import { type LintedFile, lintRead, type ReadUnit } from "../lint/lint-project.ts";
import type { LintedVm, Target } from "../lint/target.ts";
import type { Files } from "../model/files.ts";
import type { Parsed } from "../model/parsed.ts";
import type { VmSpec } from "../model/spec.ts";
import type { Rule } from "../rules/define.ts";
import type { FileSuppressions } from "../suppress/suppress.ts";
import { type Fixer, fixFilesOf } from "./fix-run.ts";
import type { FolderTarget } from "./folders.ts";
import { suppressionsOf } from "./suppressions.ts";

// The one way from a text to its findings: the command, the library and editors check a unit.

/** Files that a format reads together: a project, or a file by itself, which is a project of one. */
export interface Unit {
  /** `undefined`: the default format. */
  readonly entry: FormatEntry | undefined;
  readonly format: Format;
  /** With forward slashes. */
  readonly paths: readonly string[];
  /** The files that it may refer to. */
  readonly files: Files;
  readonly inputs: ProjectInputs;
  /** The text of a file that is read by itself. */
  readonly given?: ReadText | undefined;
}

export interface ReadText {
  readonly text: string;
  /** The bytes, if each character is one byte. */
  readonly bytes?: Uint8Array | undefined;
}

/** The options for all units of a run. */
export interface RunSettings {
  readonly rules: readonly Rule[] | undefined;
  readonly againstAt: (path: string) => FolderTarget | undefined;
  /** The hosts of VMs without a configured host. */
  readonly inventory: Inventory | undefined;
  /** Whether a configuration or a baseline may hide findings of a file. */
  readonly hides: (path: string) => boolean;
  readonly ignoreComments?: boolean;
  /** Whether several files may describe the same VM, so that all VMs are needed. */
  readonly describes?: boolean;
  /** Whether single files list only VMs that cross-VM rules need. */
  readonly onlyFindings?: boolean;
  /** Writes paths as results show them; by default they stay. */
  readonly nameOf?: (path: string) => string;
  readonly show?: (file: LintedFile) => LintedFile;
}

/** A checked file, with the comments and entries that may hide its findings. */
export interface CheckedFile {
  readonly file: LintedFile;
  readonly silencing: FileSuppressions | undefined;
}

export const readingOf = ({ paths, files, inputs, given }: Unit): Reading => ({
  paths,
  files,
  inputs,
  text: given?.text,
  bytes: given?.bytes,
});

/** Returns the findings of a unit by file: each VM and each finding follows the configuration of its own file. */
export function lintUnit(
  { paths: [path = ""], given }: Unit,
  parsed: Parsed<Iterable<VmSpec>>,
  { againstAt, inventory, rules }: RunSettings,
  keeps?: (vm: LintedVm) => boolean,
): readonly LintedFile[] {
  const pathOf = isProject(parsed) ? parsed.pathOf : () => path;
  const target = (vm: VmSpec): Target => {
    const of = pathOf(vm);
    const against = againstAt(of);
    return against ? targetIn(against, vm, of, inventory) : {};
  };
  const severitiesOf = (of: string) => {
    const against = againstAt(of);
    return against && severitiesIn(against.config, () => against.relative(of));
  };
  return lintRead(parsed, { path, text: given?.text ?? "" }, { target, severitiesOf, rules, keeps });
}

/** Returns the target of a VM of a file. */
export function targetIn({ relative, targetOf }: FolderTarget, vm: VmSpec, path: string, inventory: Inventory | undefined): Target {
  const target = targetOf(vm, () => relative(path), vm.runsOn?.cluster ?? inventory?.clusterOf(vm, path));
  return inventory?.place(target, vm, path) ?? target;
}

interface Asked {
  readonly fixer?: Fixer | undefined;
  /** The findings, if they are known. */
  readonly found?: readonly LintedFile[];
}

/** Checks a unit, after its fixes if there is a fixer. */
export function checkUnit(unit: Unit, read: ReadUnit, settings: RunSettings, { fixer, found: known }: Asked = {}): readonly CheckedFile[] {
  const found = known ?? lintUnit(unit, read.parsed, settings, fixer ? undefined : keptOf(unit, settings));
  const left = fixer && found.some(mayFix) ? fixed(unit, read, { found, settings, fixer }) : found;
  return left.map((file) => finished(unit, file, settings));
}

const mayFix = ({ withheld = [], diagnostics }: LintedFile): boolean =>
  withheld.length > 0 || diagnostics.some(({ fixes }) => fixes.length > 0);

interface Fixing {
  readonly found: readonly LintedFile[];
  readonly settings: RunSettings;
  readonly fixer: Fixer;
}

function fixed(unit: Unit, { parsed, read }: ReadUnit, { found, settings, fixer }: Fixing): readonly LintedFile[] {
  const { entry, format, paths, files, inputs, given } = unit;
  const [path = ""] = paths;
  const project = isProject(parsed) ? parsed : undefined;
  const again = (some: readonly string[], from: Files): readonly LintedFile[] => {
    const other: Unit = { ...unit, paths: some, files: from, given: given && { text: from.read(path) ?? given.text } };
    return lintUnit(other, read(readingOf(other)), settings);
  };
  return fixFilesOf(
    {
      found,
      sources: project?.sources.files ?? [{ path, text: given?.text ?? "" }],
      isSecret: project?.isSecret,
      together: project?.together,
      paths,
      files,
      check: again,
      suppressionsOf: (file) => silencing(file, format, settings),
      tidy: format.tidy,
      holdsValues: (of) =>
        entry?.values?.some((ending) => of.endsWith(ending)) || inputs.options.some((one) => one.kind === "file" && one.path === of),
      withheldFor: project ? "changes-other-values" : "changes-other-vms",
    },
    fixer,
  );
}

/** The reason for a file without text. */
export const EMPTY = "it is empty";

/** Returns a file with its paths as results show them, and its suppressions. */
function finished({ format, files }: Unit, file: LintedFile, settings: RunSettings): CheckedFile {
  const { path, text, vms, vmCount, ran, diagnostics, skipped, foreign: reason } = file;
  // An unpacked text differs from the content of the file.
  const foreign = reason !== undefined && !format.unpack && text.trim() === "" ? EMPTY : reason;
  const own = foreign === undefined ? silencingOf(file, format, settings) : undefined;
  const { show = (one) => one, nameOf = (one) => one } = settings;
  if (file.otherTexts || vms[0]?.locate) return { file: show(file), silencing: own };
  const led = diagnostics.flatMap(({ related }) => related.flatMap((place) => place.path ?? []));
  // Not spread: that makes each an object of its own shape, which all who read it pay for.
  if (led.length === 0 && diagnostics.every(({ cell, vmPath }) => cell?.path === undefined && vmPath === undefined))
    return { file: { path: nameOf(path), text, vms, diagnostics, skipped, foreign, vmCount, ran }, silencing: own };
  const otherTexts = new Map(led.map((other) => [other, files.read(other) ?? ""]));
  return { file: show({ ...file, foreign, otherTexts }), silencing: own };
}

/** Returns a function that selects the VMs of a file by itself that cross-VM rules need, and all VMs of an inventory; `undefined`: all. */
export function keptOf({ paths: [path = ""], given }: Unit, settings: RunSettings): ((vm: LintedVm) => boolean) | undefined {
  if (!given || !settings.onlyFindings || asksVms(settings, path, given.text.includes(DISABLE))) return undefined;
  const place = hostedVms();
  return (vm) => vm.spec.template === true || place([vm]).length > 0 || vm.spec.runsOn !== undefined;
}

/** Whether the VMs of a file are needed besides its findings. */
export const asksVms = (settings: RunSettings, path: string, silences: boolean): boolean =>
  settings.describes === true || mayHide(settings, path, silences);

/** Whether a suppression may hide findings of a file. */
const mayHide = ({ hides, ignoreComments }: Pick<RunSettings, "hides" | "ignoreComments">, path: string, silences: boolean): boolean =>
  hides(path) || (!ignoreComments && silences);

/** Returns the suppressions of a file, if it may have some. */
const silencingOf = (file: LintedFile, format: Format, settings: RunSettings): FileSuppressions | undefined =>
  mayHide(settings, file.path, file.text.includes(DISABLE)) ? silencing(file, format, settings) : undefined;

/** Returns the suppressions for findings of a file. With `ignoreComments` it leaves out comments. */
export const silencing = (
  { path, text, vms }: Pick<LintedFile, "path" | "text" | "vms">,
  { comments }: Format,
  { againstAt, ignoreComments }: Pick<RunSettings, "againstAt" | "ignoreComments">,
): FileSuppressions => suppressionsOf({ path, text, vms, comments: ignoreComments ? undefined : comments, against: againstAt(path) });
