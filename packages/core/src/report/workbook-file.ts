import { strToU8, zipSync } from "fflate";
import { columnLetters } from "../model/cell.ts";
import { escapeXml } from "./picture/svg-text.ts";
import { printable } from "./printable.ts";

/** A cell: a text, a number, a text with a link, or nothing. */
export type CellValue = string | number | { readonly text: string; readonly url: string } | undefined;

/** A sheet with one row of titles. Long texts of columns with `wraps` are on several lines. */
export interface ReportSheet {
  readonly name: string;
  readonly columns: readonly { readonly title: string; readonly width: number; readonly wraps?: true }[];
  readonly rows: readonly (readonly CellValue[])[];
}

/** Returns a sheet. `widths`: the titles of the columns with their widths in characters; long texts of a column with `*` are on several lines. */
export function reportSheet(name: string, widths: Readonly<Record<string, number>>, rows: readonly (readonly CellValue[])[]): ReportSheet {
  const columns = Object.entries(widths).map(([title, width]) => ({
    title: title.replace("*", ""),
    width,
    ...(title.startsWith("*") && { wraps: true as const }),
  }));
  return { name, columns, rows };
}

/** The limits of a workbook (Microsoft, "Excel specifications and limits"). */
const MOST_ROWS = 1_048_575;
const MOST_CHARACTERS = 32_767;

/** Marks files that a later run may replace. */
export const WORKBOOK_MARK = "<Application>vmlint</Application>";

/**
 * Returns an .xlsx file (ECMA-376): each sheet with filters, and with its titles above when it scrolls. Libraries that write workbooks have
 * 70 kB without filters (write-excel-file 4) or more than 900 kB (exceljs 4).
 */
export function workbookBytes(sheets: readonly ReportSheet[]): Uint8Array {
  const names = sheets.map(({ name }) => escapeXml(name));
  const each = (text: (number: number, name: string) => string): string => names.map((name, i) => text(i + 1, name)).join("");
  const parts: Readonly<Record<string, string>> = {
    "docProps/app.xml": `<Properties xmlns="${OFFICE}/extended-properties">${WORKBOOK_MARK}</Properties>`,
    "[Content_Types].xml": `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${contentType("/xl/workbook.xml", "sheet.main")}${contentType("/xl/styles.xml", "styles")}${each((i) => contentType(`/xl/worksheets/sheet${i}.xml`, "worksheet"))}<Override PartName="/docProps/app.xml" ContentType="application/vnd.openxmlformats-officedocument.extended-properties+xml"/></Types>`,
    "_rels/.rels": relationships(
      relationship("rId1", "officeDocument", "xl/workbook.xml") + relationship("rId2", "extended-properties", "docProps/app.xml"),
    ),
    "xl/_rels/workbook.xml.rels": relationships(
      each((i) => relationship(`rId${i}`, "worksheet", `worksheets/sheet${i}.xml`)) + relationship("rId0", "styles", "styles.xml"),
    ),
    "xl/workbook.xml": `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}/relationships"><sheets>${each((i, name) => `<sheet name="${name}" sheetId="${i}" r:id="rId${i}"/>`)}</sheets><definedNames>${sheets.map(filterName).join("")}</definedNames></workbook>`,
    "xl/styles.xml": STYLES,
  };
  const files = Object.entries(parts).map(([name, text]) => [name, [strToU8(HEAD + text), { level: name.startsWith("doc") ? 0 : 6 }]]);
  const pages = sheets.flatMap((sheet, i) => {
    const { xml, links } = sheetXml(sheet);
    const at = `xl/worksheets/sheet${i + 1}.xml`;
    const rels = links.map((url, n) => relationship(`rId${n + 1}`, "hyperlink", escapeXml(url), ' TargetMode="External"')).join("");
    return [
      [at, strToU8(HEAD + xml)],
      ...(links.length > 0 ? [[`xl/worksheets/_rels/sheet${i + 1}.xml.rels`, strToU8(HEAD + relationships(rels))]] : []),
    ];
  });
  // The same findings are the same bytes.
  return zipSync(Object.fromEntries([...files, ...pages]), { mtime: new Date(1980, 0, 1) });
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";

const contentType = (part: string, kind: string): string =>
  `<Override PartName="${part}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${kind}+xml"/>`;

const relationships = (all: string): string => `<Relationships xmlns="${PACKAGE}/relationships">${all}</Relationships>`;

const relationship = (id: string, kind: string, target: string, mode = ""): string =>
  `<Relationship Id="${id}" Type="${OFFICE}/relationships/${kind}" Target="${target}"${mode}/>`;

/** The styles of cells by their index. */
const STYLE = { plain: 0, title: 1, wrapped: 2, link: 3, number: 4 };
const STYLES = `<styleSheet xmlns="${MAIN}"><fonts count="3"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><color rgb="FFFFFFFF"/><name val="Calibri"/></font><font><u/><sz val="11"/><color rgb="FF1F5FBF"/><name val="Calibri"/></font></fonts><fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FF24476B"/></patternFill></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="5">${[
  '<xf applyAlignment="1">',
  '<xf fontId="1" fillId="2" applyFont="1" applyFill="1" applyAlignment="1">',
  '<xf applyAlignment="1">',
  '<xf fontId="2" applyFont="1" applyAlignment="1">',
  '<xf applyAlignment="1">',
]
  .map(
    (xf, i) =>
      `${xf}<alignment vertical="top"${i === STYLE.number ? ' horizontal="right" indent="1"' : i === STYLE.wrapped || i === STYLE.title ? ' wrapText="1"' : ""}/></xf>`,
  )
  .join("")}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

const extentOf = ({ columns, rows }: ReportSheet): string => `A1:${columnLetters(columns.length)}${Math.min(rows.length, MOST_ROWS) + 1}`;

/** Excel finds the filters of a sheet by this name. */
function filterName(sheet: ReportSheet, index: number): string {
  const extent = extentOf(sheet).replace(/[A-Z]+|\d+/g, "$$$&");
  return `<definedName name="_xlnm._FilterDatabase" localSheetId="${index}" hidden="1">'${escapeXml(sheet.name)}'!${extent}</definedName>`;
}

/** The points of a line of text. */
const LINE = 15;

/** Not all programs measure texts on several lines when they open a file. */
function heightOf(values: readonly CellValue[], columns: ReportSheet["columns"]): number {
  const lines = values.map((value, i) => {
    const { width = 1, wraps } = columns[i] ?? {};
    return wraps && typeof value === "string" ? Math.ceil(value.length / Math.max(1, width - 2)) : 1;
  });
  return LINE * Math.max(1, ...lines);
}

function sheetXml(sheet: ReportSheet): { readonly xml: string; readonly links: readonly string[] } {
  const { columns, rows } = sheet;
  const links: { readonly at: string; readonly url: string }[] = [];
  const cell = (value: CellValue, at: string, style: number): string => {
    if (value === undefined || value === "") return "";
    if (typeof value === "number") return `<c r="${at}" s="${STYLE.number}"><v>${value}</v></c>`;
    if (typeof value === "object") links.push({ at, url: value.url });
    const [text, own] = typeof value === "object" ? [value.text, STYLE.link] : [value, style];
    const shown = escapeXml(printable(text).slice(0, MOST_CHARACTERS));
    return `<c r="${at}" s="${own}" t="inlineStr"><is><t xml:space="preserve">${shown}</t></is></c>`;
  };
  const row = (values: readonly CellValue[], number: number, styleOf: (column: number) => number): string =>
    `<row r="${number}" ht="${heightOf(values, columns)}" customHeight="1">${values.map((value, i) => cell(value, `${columnLetters(i + 1)}${number}`, styleOf(i))).join("")}</row>`;
  const styleOf = (column: number): number => (columns[column]?.wraps ? STYLE.wrapped : STYLE.plain);
  const titles = columns.map(({ title }) => title);
  const lines = rows.slice(0, MOST_ROWS).map((values, i) => row(values, i + 2, styleOf));
  const widths = columns.map(({ width }, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`);
  const shownLinks = links.map(({ at }, i) => `<hyperlink ref="${at}" r:id="rId${i + 1}"/>`).join("");
  const xml = [
    `<worksheet xmlns="${MAIN}" xmlns:r="${OFFICE}/relationships"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><dimension ref="${extentOf(sheet)}"/>`,
    '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>',
    `<cols>${widths.join("")}</cols><sheetData>`,
    row(titles, 1, () => STYLE.title),
    ...lines,
    `</sheetData><autoFilter ref="${extentOf(sheet)}"/>`,
    ...(links.length > 0 ? [`<hyperlinks>${shownLinks}</hyperlinks>`] : []),
    '<pageSetup orientation="landscape" fitToHeight="0"/></worksheet>',
  ].join("");
  return { xml, links: links.map(({ url }) => url) };
}
