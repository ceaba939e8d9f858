/** The column values of a record, including the forms by which texts are sorted, searched and compared. */
import type { ModelResource } from '../model/model.ts';
import { fileColumn, keyColumn, matchColumn, textColumns } from '../model/tables.ts';
import type { ColumnType, Value } from '../ports.ts';
import { columnType } from '../sql/source.ts';
import { looseMatch, searchKeyOf, TEXT_FORMS } from '../text-forms.ts';

/** A column to write. Its bind parameter has the same name. */
export interface Assignment {
  readonly column: string;
  readonly type: ColumnType;
}

/** A column and its value. */
export interface Filled extends Assignment {
  readonly value: Value;
}

/** The columns of these fields in the resource's own table. */
export function columnsOf(resource: ModelResource, values: Readonly<Record<string, Value>>): Filled[] {
  const columns: Filled[] = [];
  for (const field of resource.fields.values()) {
    const value = values[field.name];
    const { storage, column } = field;
    // The database assigns integer identifiers.
    if (value === undefined || (field.isIdentifier && resource.identifier.kind === 'integer')) continue;
    if (storage.in !== 'link' && storage.in !== 'column') continue;
    columns.push({ column, type: columnType(field), value });
    const { searchable, searchedMembers, distinct, fileIn } = field.field;
    if (searchable)
      columns.push({ column: keyColumn(field), type: 'text', value: searchKeyOf(value, searchedMembers) });
    if (distinct)
      columns.push({
        column: matchColumn(field),
        type: 'text',
        value: value === null ? null : looseMatch(value as string),
      });
    if (fileIn) columns.push({ column: fileColumn(field), type: 'text', value: fileIn(value) });
  }
  return columns;
}

/** The columns of the given texts. With `absent`, columns of other texts are included with that value. */
export function textsOf(resource: ModelResource, values: Readonly<Record<string, Value>>, absent?: null): Filled[] {
  return resource.translations.flatMap((field) => {
    const text = values[field.name];
    if (typeof text !== 'string' && absent === undefined) return [];
    return textColumns(field).map(({ column, kind }): Filled => {
      const value = typeof text !== 'string' ? null : kind === 'text' ? text : TEXT_FORMS[kind](text);
      return { column, type: 'text', value };
    });
  });
}

export function paramsOf(columns: readonly Filled[]): Record<string, Value> {
  return Object.fromEntries(columns.map(({ column, value }) => [column, value]));
}
