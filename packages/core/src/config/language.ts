import { type Document, isMap } from "yaml";
import { nameOf } from "../model/files.ts";
import type { HostModel } from "../model/host.ts";
import { once } from "../model/memoize.ts";
import type { JsonSchema } from "../syntax/yaml/json-schema.ts";
import { type SchemaLanguage, schemaLanguage } from "../syntax/yaml/schema-language.ts";
import { configSchema } from "./config-schema.ts";
import { cpuWords, hostWords, ruleWords } from "./suggestions.ts";

export { type Accepted, acceptIn } from "./accept.ts";
export { type DeclaredHost, withHost } from "./host-edit.ts";
export { askForHost, type ChosenHost, type Dump, declaredFrom, type KnownHosts, wrongHost } from "./host-questions.ts";
export { type Ask, type Choice, type ChoiceGroup, choicesWith, type Question } from "./question.ts";
export { modelOf, schemaLine, starterConfig } from "./starter.ts";

const SCHEMA = configSchema as JsonSchema;

/** A package.json has the configuration under one key. */
const IN_PACKAGE: JsonSchema = { type: "object", properties: { vmlint: SCHEMA }, ...(SCHEMA.$defs && { $defs: SCHEMA.$defs }) };

const rules = once(ruleWords);

/** Returns completion and hovers for a configuration file. `hosts` are the hosts of the files it extends. */
export const configLanguage = (path: string, hosts: ReadonlyMap<string, HostModel> = new Map()): SchemaLanguage =>
  schemaLanguage(isPackage(path) ? IN_PACKAGE : SCHEMA, (definition, document, text) => {
    if (definition === "hostName") return hostWords(configIn(document, path), hosts);
    if (definition === "cpuName") return cpuWords(text);
    return definition === "ruleId" || definition === "severities" ? rules() : [];
  });

const configIn = (document: Document, path: string): unknown =>
  isPackage(path) && isMap(document.contents) ? document.contents.get("vmlint", true) : document.contents;

const isPackage = (path: string): boolean => nameOf(path) === "package.json";
