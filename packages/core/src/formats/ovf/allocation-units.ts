/** Multiples that a unit's name stands for. VMware and VirtualBox write MegaBytes for 2^20 bytes. */
const NAMES: ReadonlyMap<string, number> = new Map(
  Object.entries({
    byte: 1,
    kilobyte: 2 ** 10,
    kibibyte: 2 ** 10,
    kb: 2 ** 10,
    megabyte: 2 ** 20,
    mebibyte: 2 ** 20,
    mb: 2 ** 20,
    gigabyte: 2 ** 30,
    gibibyte: 2 ** 30,
    gb: 2 ** 30,
    terabyte: 2 ** 40,
    tebibyte: 2 ** 40,
    tb: 2 ** 40,
    hertz: 1,
    hz: 1,
    megahertz: 1e6,
    mhz: 1e6,
    gigahertz: 1e9,
    ghz: 1e9,
  } as const),
);

/** How many bytes or hertz a programmatic unit stands for (DMTF DSP0004, annex C): `byte * 2^20`, `hertz * 10^6`, `MegaBytes`. */
export function unitOf(text: string): number | undefined {
  const [name = "", ...factors] = text.replace(/\s+/g, "").toLowerCase().split("*");
  return factors.reduce<number | undefined>(
    (product, factor) => {
      const [, base, exponent] = /^(\d{1,16})(?:\^(\d{1,2}))?$/.exec(factor) ?? [];
      return product === undefined || base === undefined ? undefined : product * Number(base) ** Number(exponent ?? 1);
    },
    NAMES.get(name) ?? NAMES.get(name.replace(/s$/, "")),
  );
}
