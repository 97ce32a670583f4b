/** The first cell of the output of `esxtop -b`: `(PDH-CSV 4.0) (UTC)(0)`. */
export const BATCH = /^\ufeff?"?\(PDH-CSV /;
/** The first line of the output of `sched-stats -t numa-clients`. */
export const CLIENTS = /^[ \t]*groupName[ \t]+groupID[ \t]+clientID\b/;

export const mayHoldStatistics = (text: string): boolean => BATCH.test(text) || CLIENTS.test(text);
