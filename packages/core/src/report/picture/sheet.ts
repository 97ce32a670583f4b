/** The measures of a drawing in pixels. At its natural size, no text is smaller than 11 pixels. */
export interface Sheet {
  /** The width of the contents. */
  readonly width: number;
  readonly margin: number;
  /** Taller drawings get smaller cells. */
  readonly guestHeight: number;
  readonly hostHeight: number;
}

/** For a page, or an image of its own: landscape. */
export const WIDE: Sheet = { width: 880, margin: 10, guestHeight: 110, hostHeight: 320 };

/** For a text column of a page, or half of a window. */
export const MEDIUM: Sheet = { width: 472, margin: 12, guestHeight: 400, hostHeight: 500 };

/** For a phone or a narrow panel. */
export const NARROW: Sheet = { width: 264, margin: 8, guestHeight: 1000, hostHeight: 1200 };

export const SHEETS = { wide: WIDE, medium: MEDIUM, narrow: NARROW } as const;

export type SheetName = keyof typeof SHEETS;

export const totalWidth = ({ width, margin }: Sheet): number => width + 2 * margin;
