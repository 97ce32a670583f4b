export { type Importer, MIGRATION_TARGETS, type MigrationTarget } from "./importers/importer.ts";
export { IMPORTERS } from "./importers/index.ts";
export { TARGETS } from "./importers/targets/index.ts";
export { type Migrated, migrator, ranked } from "./migrate/migrate.ts";
export { type ComparedVm, type Comparison, comparisonCsv, comparisonText } from "./report/comparison.ts";
export { comparisonHtml, comparisonMarkdown, comparisonWorkbook } from "./report/comparison-tables.ts";
export { type Migration, migrationComparison, migrationJson, writtenDefinitions } from "./report/migration-report.ts";
