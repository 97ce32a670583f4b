import { ABSENT, type Setting, unknown } from "../../model/source.ts";
import { isTemplate, unescapeVmx } from "../../syntax/template-marker.ts";
import type * as read from "../../syntax/values.ts";
import { type Dictionary, entryValue, type Key } from "./dictionary.ts";

export type Lookup = <T>(key: Key, readValue: read.Read<T>) => Setting<T>;

/**
 * Returns a function that reads a key as a three-valued setting. A template makes a value unknown. A duplicate key with a different value
 * does too, because VMware does not document which one ESXi uses.
 */
export function settingReader(dictionary: Dictionary): Lookup {
  const { text, duplicates } = dictionary;
  return (key, readValue) => {
    const index = dictionary.indexOf(key);
    if (index < 0) return ABSENT;
    const valueRange = dictionary.valueRange(index);
    const value = text.slice(valueRange[0], valueRange[1]);
    const other = duplicates.length > 0 ? otherValue(dictionary, key, value) : undefined;
    if (other !== undefined) {
      const both = [unescapeVmx(value), other].map((text) => readValue(text, valueRange));
      const among = both.flatMap((one) => (one.state === "known" ? [one.value] : []));
      return unknown(`set twice, to "${unescapeVmx(value)}" and "${other}"`, valueRange, among.length === 2 ? among : undefined);
    }
    if (dictionary.isPlain(index)) return readValue(value, valueRange);
    return isTemplate(value) ? unknown("a template fills it in", valueRange) : readValue(unescapeVmx(value), valueRange);
  };
}

/** Returns the other value of a duplicate key, if it differs. */
function otherValue({ text, duplicates }: Dictionary, key: Key, value: string): string | undefined {
  const values = duplicates.filter((duplicate) => duplicate.key === key.text).map((duplicate) => entryValue(text, duplicate));
  return values.find((other) => other !== unescapeVmx(value));
}
