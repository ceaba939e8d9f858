/** Public API for declarations: resources, kinds of field, rules. `src/domain/` imports no other file of the engine. */

export { messages, type Problem, problem, Violations } from './errors.ts';
export type { Field, FieldOptions, Group, Languages, ShownRecord, StoredSetting } from './field.ts';
export { choice } from './fields/choice.ts';
export {
  averageOf,
  configured,
  countOf,
  evaluated,
  inheritedTotalOf,
  linkedText,
  linkedValues,
  summaryOf,
} from './fields/computed.ts';
export { file } from './fields/file.ts';
export { flag } from './fields/flag.ts';
export { numbersById } from './fields/keyed.ts';
export { created, link, linkedBy, links, part, partOf, parts, reference, textsOf } from './fields/link.ts';
export { DECIMAL_MAX, DECIMAL_PLACES, decimal, integer, sumOf } from './fields/number.ts';
export { list, object, recorded, sentence } from './fields/object.ts';
export { treePath } from './fields/path.ts';
export { secret } from './fields/secret.ts';
export { text } from './fields/text.ts';
export { texts } from './fields/texts.ts';
export { timestamp } from './fields/timestamp.ts';
export { escapeHtml } from './html.ts';
export { type ListField, type ListFieldValues, listField } from './list-field.ts';
export type { DecodedImage, FileRejection, ReadAttachment, Value } from './ports.ts';
export { type PrintedBlock, printedPage } from './printed.ts';
export {
  collected,
  type NamedWrite,
  type Operation,
  type Resource,
  type Route,
  resource,
  type Tutorial,
} from './resource.ts';
export {
  type Action,
  type Admission,
  action,
  admission,
  type BulkLine,
  type Draft,
  type EvaluationContext,
  evaluation,
  type Preparation,
  type PreparedFile,
  quote,
  type Reads,
  type Removal,
  type Rules,
  rules,
  type Stored,
  type Tag,
  type UnitOfWork,
  type View,
  type ViewContext,
  view,
} from './rules.ts';
