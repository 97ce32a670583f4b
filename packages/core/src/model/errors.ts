/**
 * The kinds of error.
 *
 * @example
 * const isMine = (code: ErrorCode) => code === "HOST_UNKNOWN";
 */
export type ErrorCode =
  | "CONFIG_INVALID"
  | "FILE_UNREADABLE"
  | "HOST_UNKNOWN"
  | "HOST_UNREADABLE"
  | "PLUGIN_INVALID"
  | "RULE_UNKNOWN"
  | "USAGE";

/**
 * Thrown only if the caller must act; a problem of a VM is a Diagnostic, never an exception.
 *
 * @example
 * if (error instanceof VmlintError) console.error(error.code, error.message);
 */
export class VmlintError extends Error {
  override readonly name = "VmlintError";
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
