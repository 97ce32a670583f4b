/** Orders a minute that House of Brick measured with some busy sessions and a MAXDOP (HOUSE_OF_BRICK). */
export interface Orders {
  readonly small: number;
  readonly large: number;
}

/** vCPUs of the two VMs that were compared, and nothing between them. */
export const SMALL_VM = 8;
export const LARGE_VM = 32;

/** Sessions that were measured, each with MAXDOP 1 to 6: orders a minute on 8 and on 32 vCPUs. Runs that broke off (0) are left out. */
const ORDERS: ReadonlyMap<number, readonly (readonly [small: number, large: number] | undefined)[]> = new Map([
  [
    2,
    [
      [19277, 13589],
      [19251, 17858],
      [18841, 17453],
      [15839, 15640],
      [15953, 15779],
      [16263, 16055],
    ],
  ],
  [
    8,
    [
      [76590, 63910],
      [76592, 70705],
      [75441, 69335],
      [57508, 61412],
      [55021, 61579],
      [56859, 61151],
    ],
  ],
  [
    16,
    [
      [152782, 135484],
      [151462, 140577],
      [147618, 136376],
      [86078, 112365],
      [81383, 106862],
      [84634, 101230],
    ],
  ],
  [
    32,
    [
      [298444, 274629],
      [291692, 278024],
      [280824, 272659],
      [108952, 147444],
      [102808, 133270],
      [106140, 124293],
    ],
  ],
  [64, [[487146, 542351], [429131, 532679], [368718, 515461], [113664, 153877], [117480, 136862], undefined]],
]);

/** The MAXDOP values that were measured. */
export const MEASURED_MAXDOP: readonly number[] = [1, 2, 3, 4, 5, 6];

/** The row that has at least so many sessions; `undefined` above all of them. */
export const measuredSessions = (sessions: number): number | undefined => [...ORDERS.keys()].find((row) => row >= sessions);

/** What was measured with exactly so many sessions at a MAXDOP. */
export function ordersAt(sessions: number, maxdop: number): Orders | undefined {
  const found = ORDERS.get(sessions)?.[maxdop - 1];
  return found && { small: found[0], large: found[1] };
}
