/** What a row of a product CSV file changes, for the preview of an import. */
import { nameMatch } from '../../../engine/text-forms.ts';
import type { ApiRecord } from '../../api/store-api.ts';
import { IMAGES_COLUMN, PRODUCT_COLUMNS, productCell } from './columns.ts';
import { isSameImage } from './images.ts';

export interface CsvChange {
  readonly column: string;
  /** The stored value as text; empty for a new record. */
  readonly before: string;
  readonly after: string;
  /** Number of stored images that the record loses. */
  readonly imagesRemoved?: number;
}

type Input = Readonly<Record<string, unknown>>;

/**
 * Compares the input of a row with the stored record. Values with the same meaning are not a change.
 *
 * @param stored undefined for a new record, whose changes are the cells that are not empty
 */
export function changesOfFields(stored: ApiRecord | undefined, input: Input): CsvChange[] {
  return Object.entries(withAutomaticTexts(input)).flatMap(([column, value]) => {
    const before = stored ? storedText(column, stored) : '';
    const after = textOfInput(value);
    return isSame(column, before, after) ? [] : [{ column, before, after }];
  });
}

/** @param before addresses in order */
export function changeOfImages(before: readonly string[], after: readonly string[]): CsvChange {
  const left = [...after];
  const removed = before.filter((stored) => {
    const index = left.findIndex((address) => isSameImage(stored, address));
    if (index !== -1) left.splice(index, 1);
    return index === -1;
  });
  return {
    column: IMAGES_COLUMN,
    before: before.join(SEPARATOR),
    after: after.join(SEPARATOR),
    imagesRemoved: removed.length,
  };
}

const SEPARATOR = ', ';

/** Leaves out the types of texts, which are not stored: the type `A` empties the text. */
function withAutomaticTexts(input: Input): Input {
  const fields = Object.entries(input).filter(
    ([column]) => !column.endsWith('meta_description_type') && !column.endsWith('og_meta_tags_type'),
  );
  const automatic = ['meta_description', 'og_meta_tags'].filter((column) => input[`${column}_type`] === 'A');
  return { ...Object.fromEntries(fields), ...Object.fromEntries(automatic.map((column) => [column, ''])) };
}

function storedText(column: string, stored: ApiRecord): string {
  const value = stored[column];
  switch (PRODUCT_COLUMNS[column]!) {
    case 'names':
      return (value as readonly { readonly name: string }[]).map(({ name }) => name).join(SEPARATOR);
    case 'ids':
      return (value as readonly number[]).join(SEPARATOR);
    case 'name':
      return (value as { readonly name: string } | null)?.name ?? '';
    case 'text':
      // A generated text counts as empty.
      return productCell(column, stored) === '' ? '' : (value as string);
    default:
      return textOfInput(value);
  }
}

function textOfInput(value: unknown): string {
  return Array.isArray(value) ? value.join(SEPARATOR) : String(value ?? '');
}

function isSame(column: string, before: string, after: string): boolean {
  if (before === after) return true;
  const kind = PRODUCT_COLUMNS[column]!;
  if (kind === 'date') return Date.parse(before) === Date.parse(after);
  if (kind === 'name') return nameMatch(before) === nameMatch(after);
  if (kind !== 'names' && kind !== 'ids') return false;
  const sorted = (text: string): string => text.split(SEPARATOR).map(nameMatch).sort().join(SEPARATOR);
  return sorted(before) === sorted(after);
}

const SHOWN_LENGTH_MAX = 80;
/** Characters shown before the first difference of long texts. */
const CONTEXT_LENGTH = 20;

/** Shortens both texts of a change to the part around their first difference. */
export function shortChange({ column, before, after }: CsvChange): CsvChange {
  if (before.length <= SHOWN_LENGTH_MAX && after.length <= SHOWN_LENGTH_MAX) return { column, before, after };
  let same = 0;
  while (same < before.length && before[same] === after[same]) same += 1;
  const start = same <= SHOWN_LENGTH_MAX / 2 ? 0 : same - CONTEXT_LENGTH;
  const part = (text: string): string => {
    const end = start + SHOWN_LENGTH_MAX;
    return `${start > 0 && text !== '' ? '…' : ''}${text.slice(start, end)}${text.length > end ? '…' : ''}`;
  };
  return { column, before: part(before), after: part(after) };
}
