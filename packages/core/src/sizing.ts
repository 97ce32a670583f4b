export { WORKLOAD_KINDS, type Workload } from "./model/workload.ts";
export { sizeJson } from "./report/size-json.ts";
export { sizeText } from "./report/size-text.ts";
export { NOTES, type Note } from "./size/notes.ts";
export { type SizeRequest, workloadName } from "./size/request.ts";
export { type Placement, type Shape, shapeOf } from "./size/shape.ts";
export { bestShape, compareShapes, type Sizing, type Step, size } from "./size/size.ts";
export { TARGET_TITLES, TARGETS, type Target, writings } from "./size/write.ts";
