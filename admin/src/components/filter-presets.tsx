/** Chips that set frequently used filters of a list, and those that the user has saved. */
import ClearIcon from '@mui/icons-material/FilterAltOffOutlined';
import { Button, Chip, Stack } from '@mui/material';
import { useListContext, useTranslate } from 'react-admin';
import { filterOf } from '../api/data-provider.ts';
import { isSame, type Values } from '../api/record-diff.ts';
import { SavedViews } from './saved-views.tsx';

interface Props {
  /** Message key of the accessible name of the group. */
  readonly label: string;
  /** Message key and filters of each preset. */
  readonly presets: readonly (readonly [label: string, filter: Values])[];
  /** The screen whose saved views follow the presets. */
  readonly screen: string;
}

export function FilterPresets({ label, presets, screen }: Props) {
  const { filterValues, setFilters } = useListContext();
  const translate = useTranslate();
  const isFiltered = Object.keys(filterOf(filterValues)).length > 0;
  return (
    <Stack
      direction="row"
      spacing={1}
      useFlexGap
      sx={{ p: 1, flexWrap: 'wrap' }}
      role="group"
      aria-label={translate(label)}
    >
      {presets.map(([name, filter]) => {
        const isActive = isSame(filterOf(filterValues), filter);
        return (
          <Chip
            key={name}
            label={translate(name)}
            color={isActive ? 'primary' : 'default'}
            variant={isActive ? 'filled' : 'outlined'}
            aria-pressed={isActive}
            onClick={() => setFilters(filter)}
          />
        );
      })}
      <SavedViews screen={screen} />
      {isFiltered && (
        <Button size="small" startIcon={<ClearIcon />} onClick={() => setFilters({}, {})}>
          {translate('list.clearFilters')}
        </Button>
      )}
    </Stack>
  );
}
