/** A list on narrow screens: a card for each record, with a checkbox if records can be selected. */
import { Box, Card, Checkbox, FormControlLabel, Stack, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import { Link, type RaRecord, useListContext, useTranslate } from 'react-admin';
import { NoResults } from './no-results.tsx';

interface Props<T extends RaRecord> {
  nameOf(record: T): string;
  pathOf(record: T): string;
  readonly canSelect?: boolean;
  /** @param link the record's name as a link; the whole card opens the record */
  children(record: T, link: ReactNode): ReactNode;
}

export function CardList<T extends RaRecord>({ nameOf, pathOf, canSelect = false, children }: Props<T>) {
  const { data = [], isPending, total, selectedIds, onSelect, onToggleItem } = useListContext<T>();
  const translate = useTranslate();
  if (isPending) return <Typography sx={{ p: 3 }}>{translate('state.loading')}</Typography>;
  if (total === 0) return <NoResults />;
  const ids = data.map(({ id }) => id);
  const isPageSelected = ids.every((id) => selectedIds.includes(id));
  return (
    <>
      {canSelect && (
        <FormControlLabel
          sx={{ px: 2, pt: 1 }}
          label={translate('ra.action.select_all')}
          control={
            <Checkbox
              size="small"
              checked={isPageSelected}
              indeterminate={!isPageSelected && selectedIds.length > 0}
              onChange={(_event, isSet) =>
                onSelect(isSet ? [...new Set([...selectedIds, ...ids])] : selectedIds.filter((id) => !ids.includes(id)))
              }
            />
          }
        />
      )}
      <Stack component="ul" spacing={1} sx={{ listStyle: 'none', m: 0, p: 1 }}>
        {data.map((record) => (
          <Card
            key={record.id}
            component="li"
            variant="outlined"
            sx={{ display: 'flex', alignItems: 'flex-start', position: 'relative' }}
          >
            {canSelect && (
              <Checkbox
                size="small"
                checked={selectedIds.includes(record.id)}
                onChange={() => onToggleItem(record.id)}
                slotProps={{ input: { 'aria-label': translate('list.select', { name: nameOf(record) }) } }}
                sx={{ mt: 0.5, zIndex: 1 }}
              />
            )}
            <Box sx={{ flex: 1, minWidth: 0, p: 1.5 }}>
              {children(
                record,
                <Link to={pathOf(record)} sx={CARD_LINK}>
                  {nameOf(record)}
                </Link>,
              )}
            </Box>
          </Card>
        ))}
      </Stack>
    </>
  );
}

const CARD_LINK = {
  ...{ color: 'text.primary', textDecoration: 'none', fontWeight: 600, overflowWrap: 'anywhere' },
  '&::after': { content: '""', position: 'absolute', inset: 0 },
} as const;
