/** The fields of an entry with their values before and after the change. */
import { Typography } from '@mui/material';
import type { AuditEntry } from 'purveyor/client';
import type { ReactNode } from 'react';
import { useTranslate } from 'react-admin';
import { type Column, ResponsiveTable } from '../components/responsive-table.tsx';
import { plainText } from '../forms/html-text.ts';
import { type Change, changesOf, isEmpty, parseField } from './entries.ts';
import { partResource, useFieldLabels } from './field-labels.ts';
import { type RecordKey, useNames } from './use-names.ts';
import { HTML_FIELDS, linkedCollection } from './value-forms.ts';
import { Hidden, ValueText } from './value-text.tsx';

interface Row {
  readonly written: string;
  readonly change: Change;
}

type Side = 'before' | 'after';

interface Props {
  readonly entry: Pick<AuditEntry, 'action' | 'resource' | 'changes'>;
  /** Message keys of the columns, if they are not `audit.before` and `audit.after`. */
  readonly labels?: Readonly<Record<Side, string>>;
}

export function ChangesTable({ entry, labels }: Props) {
  const translate = useTranslate();
  const fields = useFieldLabels();
  const resource = entry.resource ?? '';
  const rows = rowsOf(entry as AuditEntry);
  const nameOf = useNames(rows.flatMap(linksIn));
  if (rows.length === 0) return <Typography color="textSecondary">{translate('audit.noChanges')}</Typography>;

  const cell = (side: Side) =>
    function ValueCell({ written, change }: Row): ReactNode {
      if (isSecret(change)) return side === 'after' ? <Hidden>{translate('audit.secret')}</Hidden> : '–';
      const { field, part } = parseField(written);
      return (
        <ValueText
          resource={part ? partResource(resource, part.name) : resource}
          field={field}
          value={change[side]}
          isSource={hasSameWords(field, change)}
          nameOf={nameOf}
        />
      );
    };
  const column = (side: Side): Column<Row> => ({
    label: translate(labels?.[side] ?? `audit.${side}`),
    cell: cell(side),
  });
  const sides = { created: ['after'], deleted: ['before'] } as Readonly<Record<string, readonly Side[]>>;
  return (
    <ResponsiveTable
      label={translate('audit.changes')}
      columns={[
        { label: translate('audit.field'), cell: ({ written }) => fields.label(resource, written) },
        ...(sides[entry.action] ?? (['before', 'after'] as const)).map(column),
      ]}
      rows={rows}
      keyOf={({ written }) => written}
    />
  );
}

/** Leaves out the fields that a new or deleted record has, but are empty. */
function rowsOf(entry: AuditEntry): readonly Row[] {
  return changesOf(entry)
    .map(([written, change]) => ({ written, change }))
    .filter(({ change }) => isSecret(change) || !isEmpty(change.before) || !isEmpty(change.after));
}

const isSecret = (change: Change): boolean => 'changed' in change;

function hasSameWords(field: string, { before, after }: Change): boolean {
  if (!HTML_FIELDS.has(field) || typeof before !== 'string' || typeof after !== 'string') return false;
  return plainText(before) === plainText(after);
}

function linksIn({ written, change }: Row): RecordKey[] {
  const collection = linkedCollection(parseField(written).field);
  if (collection === undefined) return [];
  return [change.before, change.after].flat().flatMap((id) => (isEmpty(id) ? [] : [{ collection, id: String(id) }]));
}
