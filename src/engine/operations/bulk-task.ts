/** Types of bulk writes: the options of a bulk, and its lines as tasks. */
import type { Problem } from '../errors.ts';
import type { ModelField, ModelRoute } from '../model/model.ts';
import type { Value } from '../ports.ts';
import type { WriteMode } from '../request/body.ts';
import type { Action } from '../rules.ts';
import type { Condition } from '../unit/service.ts';
import type { Unit } from '../unit/unit.ts';
import type { Prepared, PreparedImages } from './images/images.ts';
import type { CheckedCreate } from './run-rules-and-store.ts';
import type { Identified, Upserted, UpsertMode } from './upsert.ts';

/** Options that apply to all lines of one bulk. */
export interface BulkForm {
  readonly route: ModelRoute;
  /** Identifiers of the route's parents, in order. */
  readonly parents: readonly Value[];
  /** The field that identifies records. */
  readonly by: ModelField;
  readonly mode: UpsertMode;
  /** How existing records are written. */
  readonly write: Exclude<WriteMode, 'create'>;
  /** The action to run on each record, instead of a write. */
  readonly action?: Action | undefined;
  readonly conditionOf: (ifMatch: number | string) => Condition;
}

/** A valid line. */
export interface BulkTask {
  readonly key: Value;
  /** The key of the record, and the key that the body changes it to. Lines with a common name concern the same record. */
  readonly names: readonly string[];
  /** Input fields that are ignored if the record exists. */
  readonly createOnly: readonly string[];
  readonly write: (unit: Unit, prepared?: Prepared, identified?: Identified) => Promise<Upserted | Problem>;
  /** Checks a new record that can be stored together with others; undefined if the line must be written alone. */
  readonly checkNew: (unit: Unit, identified?: Identified) => Promise<CheckedCreate | undefined>;
  /** The column that contains the key, if that alone identifies the record. */
  readonly keyColumn: ModelField | undefined;
  /** Determines which write would process images now, if any. Undefined if the line has no images. */
  readonly preparedImages: (() => Promise<PreparedImages | undefined>) | undefined;
}
