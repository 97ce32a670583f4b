export { SQL_EDITIONS, SQL_LICENSING, SQL_VERSIONS, WORKLOAD_KINDS, type Workload } from "./model/workload.ts";
export { sizeJson } from "./report/size-json.ts";
export { sizeText } from "./report/size-text.ts";
export { FLAWS, type Flaw, type Placement, type Shape, shapeOf, type Wish, workloadName } from "./size/shape.ts";
export { bestShape, compareShapes, type Sizing, type Step, size } from "./size/size.ts";
export { TARGET_TITLES, TARGETS, type Target, writings } from "./size/write.ts";
