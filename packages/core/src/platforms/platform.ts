import type { HostModel } from "../model/host.ts";
import type { SettingName, SettingValues, VmSpec } from "../model/spec.ts";
import type { GuestView, Step } from "../model/topology.ts";
import type { Workload } from "../model/workload.ts";

/** A hypervisor whose guests vmlint knows. */
export interface Platform {
  readonly name: string;
  /** Whether it runs a VM. */
  readonly runs: (vm: VmSpec) => boolean;
  /** The settings that the view of its guests depends on. */
  readonly settings: readonly SettingName[];
  /** Whether the view needs a host; otherwise, a host only decides the placement. */
  readonly needsHost: boolean;
  /** How a user names a host of the platform, with the facts that its rules need. */
  readonly hostHint: string;
  /** Returns the view of a guest with some settings replaced, or why there is none. */
  readonly answer: (vm: VmSpec, host: HostModel | undefined, workload: Workload | undefined, override: SettingValues) => Answer;
}

/** The view of a guest, or why there is none. */
export type Answer = { readonly ok: true; readonly topology: GuestView } | NoAnswer;

/** Why a VM has no view. */
export interface NoAnswer {
  readonly ok: false;
  readonly because: "no-host" | "other-platform" | "unknown-value" | "no-esxi-version" | "no-power-on";
  readonly reasons: readonly Step[];
}
