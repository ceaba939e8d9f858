/** The values of records that a unit deletes, as the statements of the deletion return them. */
import type { ModelField, ModelResource } from '../../model/model.ts';
import type { Dialect, Row, Value } from '../../ports.ts';
import { auditedFields, type FieldKey, sortedSet, textKey } from './audited-fields.ts';

export class RemovedValues {
  readonly #resource: ModelResource;
  readonly #decode: Dialect['decode'];
  /** Texts and sets by identifier. */
  readonly #others = new Map<Value, Map<FieldKey, Value>>();

  constructor(resource: ModelResource, { decode }: Pick<Dialect, 'decode'>) {
    this.#resource = resource;
    this.#decode = decode;
  }

  /** The fields whose columns the deletion of the rows must return. */
  get columns(): readonly ModelField[] {
    return this.#resource.isUnpublished ? [] : columnsOf(this.#resource);
  }

  /** @param rows of `deleteTexts` */
  addTexts(rows: readonly Row[]): void {
    for (const [id, language, ...texts] of rows)
      for (const [index, field] of this.#resource.translations.entries())
        if (texts[index] !== null) this.#of(id as Value).set(textKey(field, language as string), texts[index] as Value);
  }

  /** @param rows of `removePairsFrom` */
  addSets({ name }: ModelField, rows: readonly Row[]): void {
    for (const [id, linked] of rows) {
      const own = this.#of(id as Value);
      own.set(name, [...((own.get(name) as Value[] | undefined) ?? []), linked as Value]);
    }
  }

  /** All values of a record, with those of its row. @param raw in the order of `columns` */
  of(id: Value, raw: Row): ReadonlyMap<FieldKey, Value> {
    const values = new Map<FieldKey, Value>();
    for (const [index, { name, storage }] of this.columns.entries()) {
      const value = raw[index] as Value;
      const type = storage.in === 'column' ? storage.type : undefined;
      values.set(name, value === null || type === undefined ? value : this.#decode[type](value as never));
    }
    const others = this.#others.get(id);
    for (const field of auditedFields(this.#resource))
      if (field.storage.in === 'links')
        values.set(field.name, sortedSet((others?.get(field.name) as Value[] | undefined) ?? []));
    for (const [key, value] of others ?? []) if (!values.has(key)) values.set(key, value);
    return values;
  }

  #of(id: Value): Map<FieldKey, Value> {
    const own = this.#others.get(id) ?? new Map<FieldKey, Value>();
    this.#others.set(id, own);
    return own;
  }
}

function columnsOf(resource: ModelResource): ModelField[] {
  return auditedFields(resource).filter(({ storage }) => storage.in === 'column' || storage.in === 'link');
}
