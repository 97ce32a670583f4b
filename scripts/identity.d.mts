/** What the root package.json says of vmlint; a field that is not filled in is undefined. */
export type Identity = Readonly<Record<string, string | undefined>> & { readonly version: string };

export function identity(): Identity;
export function problemsOf(identity: Readonly<Record<string, string | undefined>>): readonly string[];
export function stamped(identity?: Identity): ReadonlyMap<string, string>;
