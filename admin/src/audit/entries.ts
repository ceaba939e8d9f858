/** Entries of the audit (access.md §4), which this page calls activity and history. */
import type { AuditEntry } from 'purveyor/client';

/** The values of a field before and after a change. A secret has neither: its values are never recorded. */
export interface Change {
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Returns the changed fields by their names: those of the record first, then those of its parts. */
export function changesOf({ changes }: AuditEntry): readonly (readonly [name: string, change: Change])[] {
  const all = Object.entries(changes as Readonly<Record<string, Change | number>>).filter(isChange);
  const isPart = ([name]: readonly [string, Change]): boolean => name.includes('[');
  return [...all.filter((one) => !isPart(one)), ...all.filter(isPart)];
}

/** Entries of sign-ins have a number of them instead. */
const isChange = (entry: readonly [name: string, change: Change | number]): entry is [string, Change] =>
  typeof entry[1] === 'object';

/** The actions of entries without changed fields. */
export const ACTIONS_WITHOUT_FIELDS: readonly AuditEntry['action'][] = [
  'sign_in',
  'sign_in_failed',
  'sign_out',
  'export',
];

/** Whether a value says nothing: a new record has many such fields. */
export function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

/**
 * What a name in `changes` consists of: `images[12].alt` is a field of a part, `name.de` a text in a language. The name of a whole part
 * is `images[12]`, with an empty field.
 */
export interface ChangedField {
  readonly field: string;
  readonly language?: string;
  readonly part?: { readonly name: string; readonly id: string };
}

const PART = /^(\w+)\[([^\]]+)\](?:\.(.+))?$/;

export function parseField(written: string): ChangedField {
  const [, name, id, inPart] = PART.exec(written) ?? [];
  const [field, language] = (name === undefined ? written : (inPart ?? '')).split('.');
  return {
    field: field!,
    ...(language === undefined ? {} : { language }),
    ...(name === undefined ? {} : { part: { name, id: id! } }),
  };
}
