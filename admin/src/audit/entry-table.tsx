/** Entries as a table: when, who and what. */
import { Box, Button, Typography } from '@mui/material';
import type { AuditEntry } from 'purveyor/client';
import { useTranslate } from 'react-admin';
import { type Column, ResponsiveTable } from '../components/responsive-table.tsx';
import { useFormat } from '../utils/format.ts';
import { useActorName } from './actors.ts';
import { mainRecord } from './record-paths.ts';
import { Sentence, useKind } from './sentence.tsx';
import { useNames } from './use-names.ts';

interface Props {
  readonly label: string;
  readonly entries: readonly AuditEntry[];
  /** Whether all entries are about the record of the page. */
  readonly isOwnPage?: boolean;
  onOpen(entry: AuditEntry): void;
}

export function EntryTable({ label, entries, isOwnPage = false, onOpen }: Props) {
  const translate = useTranslate();
  const format = useFormat();
  const actorName = useActorName();
  const kindOf = useKind();
  const nameOf = useNames(isOwnPage ? [] : entries.flatMap(({ path }) => (path === null ? [] : [mainRecord(path)])));
  const columns: readonly Column<AuditEntry>[] = [
    { label: translate('audit.when'), cell: ({ date }) => <Words>{format.dateTime(date)}</Words> },
    { label: translate('audit.who'), cell: ({ actor }) => <Words>{actorName(actor)}</Words> },
    {
      label: translate('audit.what'),
      cell: (entry) => (
        <>
          <Sentence entry={entry} nameOf={nameOf} isOwnPage={isOwnPage} />
          {!isOwnPage && isNamed(entry) && (
            <Typography variant="body2" color="textSecondary">
              {kindOf(entry.resource)}
            </Typography>
          )}
        </>
      ),
    },
    {
      label: translate('list.actions'),
      isRight: true,
      cell: (entry) => (
        <Button size="small" onClick={() => onOpen(entry)}>
          {translate('audit.details')}
        </Button>
      ),
    },
  ];
  return <ResponsiveTable label={label} columns={columns} rows={entries} keyOf={({ id }) => id} />;
}

/** A text that is broken between words, so that its column is not narrower than they are. */
function Words({ children }: { children: string }) {
  return (
    <Box component="span" sx={{ overflowWrap: 'break-word' }}>
      {children}
    </Box>
  );
}

/** Whether the sentence has a name that does not say what kind of record it is. */
function isNamed({ path }: AuditEntry): boolean {
  if (path === null) return false;
  const { id, isOwner } = mainRecord(path);
  return id !== '' && !isOwner;
}
