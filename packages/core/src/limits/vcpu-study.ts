/** Orders per minute that House of Brick measured for a number of busy sessions and a MAXDOP (HOUSE_OF_BRICK). */
export interface Orders {
  readonly small: number;
  readonly large: number;
}

/** The vCPUs of the two compared VMs; there is no size in between. */
export const SMALL_VM = 8;
export const LARGE_VM = 32;

/** Measured sessions, each with MAXDOP 1 to 6: orders per minute on 8 and on 32 vCPUs. Aborted runs (0) are missing. */
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

/** Returns the lowest measured number of sessions that is at least this; `undefined` above all of them. */
export const measuredSessions = (sessions: number): number | undefined => [...ORDERS.keys()].find((row) => row >= sessions);

/** Returns the measured orders for exactly this number of sessions and MAXDOP. */
export function ordersAt(sessions: number, maxdop: number): Orders | undefined {
  const orders = ORDERS.get(sessions)?.[maxdop - 1];
  return orders && { small: orders[0], large: orders[1] };
}
