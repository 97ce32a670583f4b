export { type Importer, MIGRATION_TARGETS, type MigrationTarget } from "./importers/importer.ts";
export { IMPORTERS } from "./importers/index.ts";
export { TARGETS } from "./importers/targets/index.ts";
export { type Migrated, migrator, ranked } from "./migrate/migrate.ts";
export { type Migration, migrationCsv, migrationJson, migrationText, writtenDefinitions } from "./report/migration-report.ts";
export { migrationHtml, migrationMarkdown, migrationWorkbook } from "./report/migration-tables.ts";
