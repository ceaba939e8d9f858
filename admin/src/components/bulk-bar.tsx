/** The actions for the selected records of a list, above it. */
import CloseIcon from '@mui/icons-material/Close';
import { Button, IconButton, Paper, Stack, Typography } from '@mui/material';
import type { PathOf } from 'purveyor/client';
import type { ReactNode } from 'react';
import { useListContext, useTranslate } from 'react-admin';
import { filterOf } from '../api/data-provider.ts';
import { readAll } from '../api/runtime-requests.ts';
import { useAction } from '../utils/use-action.ts';

export function BulkBar({ path, children }: { path: PathOf<'list'>; children: ReactNode }) {
  const { selectedIds, onSelect, onUnselectItems, data = [], total = 0, filterValues } = useListContext();
  const translate = useTranslate();
  const action = useAction(null);
  if (selectedIds.length === 0) return null;
  const isPageSelected = data.length > 0 && data.every(({ id }) => selectedIds.includes(id));

  /** Selects the records of the other pages too. */
  async function selectEverything(): Promise<void> {
    await action.run(async () => {
      const records = await readAll(path, {}, { ...filterOf(filterValues), fields: 'id' });
      onSelect(records.map((record) => (record as { id: number }).id));
    });
  }

  return (
    <Paper
      role="toolbar"
      aria-label={translate('list.selection')}
      square
      sx={({ palette }) => ({
        ...{ position: 'sticky', top: { xs: 56, sm: 48 }, zIndex: 4, px: 1, py: 0.5, bgcolor: 'background.paper' },
        // The color is transparent, and rows scroll below the bar.
        backgroundImage: `linear-gradient(${palette.action.selected}, ${palette.action.selected})`,
      })}
    >
      <Stack direction="row" useFlexGap spacing={0.5} sx={{ alignItems: 'center', flexWrap: 'wrap' }}>
        <IconButton size="small" onClick={() => onUnselectItems()} aria-label={translate('ra.action.unselect')}>
          <CloseIcon fontSize="small" />
        </IconButton>
        <Typography role="status" sx={{ mr: 1 }}>
          {translate('list.selected', { smart_count: selectedIds.length })}
        </Typography>
        {isPageSelected && selectedIds.length < total && (
          <Button size="small" loading={action.isBusy} onClick={() => void selectEverything()}>
            {translate('list.selectEverything', { smart_count: total })}
          </Button>
        )}
        {children}
      </Stack>
    </Paper>
  );
}
