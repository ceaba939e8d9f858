/** The columns of a spreadsheet as checkboxes. A column that is not selected leaves its field. */
import { Box, Button, Checkbox, FormControlLabel, Typography } from '@mui/material';
import { useState } from 'react';
import { useTranslate } from 'react-admin';

interface Props {
  readonly columns: readonly string[];
  readonly without: readonly string[];
  readonly isDisabled: boolean;
  onWithout(columns: readonly string[]): void;
}

/** The columns that an older file sets back: they come first. */
const FIRST = ['amount', 'images'];
const SHOWN_MAX = 8;

export function CsvColumns({ columns, without, isDisabled, onWithout }: Props) {
  const [isOpen, setOpen] = useState(false);
  const translate = useTranslate();
  const sorted = [
    ...FIRST.filter((name) => columns.includes(name)),
    ...columns.filter((name) => !FIRST.includes(name)),
  ];
  const shown = isOpen || sorted.length <= SHOWN_MAX ? sorted : sorted.slice(0, SHOWN_MAX);

  return (
    <Box
      component="fieldset"
      sx={{ border: 1, borderColor: 'divider', borderRadius: 1, m: 0, px: 2, py: 1, minWidth: 0 }}
    >
      <Typography component="legend" sx={{ fontWeight: 600, px: 0.5 }}>
        {translate('csv.columns')}
      </Typography>
      <Typography variant="body2" color="textSecondary">
        {translate('csv.columnsHelp')}
      </Typography>
      <Box
        sx={{ display: 'grid', gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 140px), 1fr))', columnGap: 1 }}
      >
        {shown.map((name) => (
          <FormControlLabel
            key={name}
            disabled={isDisabled}
            control={
              <Checkbox
                size="small"
                checked={!without.includes(name)}
                onChange={(_event, checked) =>
                  onWithout(checked ? without.filter((one) => one !== name) : [...without, name])
                }
              />
            }
            label={translate(`field.${name}`, { _: name })}
          />
        ))}
      </Box>
      {shown.length < sorted.length && (
        <Button size="small" onClick={() => setOpen(true)}>
          {translate('csv.allColumns', { smart_count: sorted.length })}
        </Button>
      )}
    </Box>
  );
}
