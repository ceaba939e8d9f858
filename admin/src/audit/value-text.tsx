/** A value of an entry, as a shop owner reads it. */
import { Box, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import { useTranslate } from 'react-admin';
import { plainText } from '../forms/html-text.ts';
import { type Format, useFormat } from '../utils/format.ts';
import { useStoreInfo } from '../utils/use-store-info.ts';
import { isEmpty } from './entries.ts';
import { useFieldLabels } from './field-labels.ts';
import type { FoundName, RecordKey } from './use-names.ts';
import { choiceKey, HTML_FIELDS, isMoney, linkedCollection } from './value-forms.ts';

export interface ValueOf {
  readonly resource: string;
  readonly field: string;
  readonly value: unknown;
  /** Whether to show HTML as it is: the words of both values are the same. */
  readonly isSource?: boolean;
}

interface Context {
  readonly translate: ReturnType<typeof useTranslate>;
  readonly format: Format;
  readonly currency: string | undefined;
  labelOf(resource: string, field: string): string;
  nameOf(record: RecordKey): FoundName;
}

interface Props extends ValueOf {
  nameOf(record: RecordKey): FoundName;
}

export function ValueText({ nameOf, ...shown }: Props) {
  const translate = useTranslate();
  const format = useFormat();
  const labels = useFieldLabels();
  const currency = useStoreInfo()?.currency;
  if (isErased(shown.value)) return <Hidden>{translate('audit.erased')}</Hidden>;
  const text = textOf(shown, { translate, format, currency, nameOf, labelOf: labels.field });
  return <Box sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{text === '' ? '–' : text}</Box>;
}

/** Words about a value that is not shown. */
export function Hidden({ children }: { children: ReactNode }) {
  return (
    <Typography component="span" variant="inherit" color="textSecondary" sx={{ fontStyle: 'italic' }}>
      {children}
    </Typography>
  );
}

const isErased = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'erased' in value && value.erased === true;

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

function textOf(shown: ValueOf, context: Context): string {
  const { resource, field, value, isSource = false } = shown;
  if (isEmpty(value)) return '';
  if (Array.isArray(value)) return listText(shown, value, context);
  const choice = choiceKey(resource, field, value);
  if (choice !== undefined) return context.translate(choice, { _: `${value}` });
  if (typeof value === 'boolean') return context.translate(value ? 'state.yes' : 'state.no');
  if (typeof value === 'object') return objectText(resource, value as object, context);
  const linked = linkedText(field, value, context);
  if (linked !== undefined) return linked;
  if (typeof value === 'number') return numberText(resource, field, value, context);
  const text = String(value);
  if (TIMESTAMP.test(text)) return context.format.dateTime(text);
  return HTML_FIELDS.has(field) && !isSource ? plainText(text) : text;
}

function numberText(resource: string, field: string, value: number, { format, currency }: Context): string {
  return isMoney(resource, field) ? format.money(value, currency) : format.number(value);
}

/** Returns the name of a linked record; its number if it was deleted or has no name; undefined for other fields. */
function linkedText(field: string, value: unknown, { nameOf }: Context): string | undefined {
  const collection = linkedCollection(field);
  if (collection === undefined || !/^\d+$/.test(String(value))) return undefined;
  return nameOf({ collection, id: String(value) }).name ?? `${value}`;
}

function listText(shown: ValueOf, values: readonly unknown[], context: Context): string {
  const texts = values.map((value) => textOf({ ...shown, value }, context));
  return texts.join(values.some((value) => typeof value === 'object') ? '\n' : ', ');
}

/** Members as `Street: High Street 1`, each on a line of its own. */
function objectText(resource: string, value: object, context: Context): string {
  const members = Object.entries(value).filter(([, member]) => !isEmpty(member));
  return members
    .map(([name, member]) => {
      const label = context.labelOf(resource, name);
      return `${label}: ${isErased(member) ? context.translate('audit.erased') : textOf({ resource, field: name, value: member }, context)}`;
    })
    .join('\n');
}
