/** The first and the last day of a discount, each with an optional time, in the time zone of the store. */
import { Box, FormHelperText, TextField, Typography } from '@mui/material';
import { useState } from 'react';
import { useInput, useTranslate } from 'react-admin';
import { useStoreInfo } from '../utils/use-store-info.ts';
import { type Bound, joinBound, splitBound } from './period.ts';

export function PeriodInput() {
  const translate = useTranslate();
  const zone = useStoreInfo()?.time_zone ?? '';
  return (
    <Box sx={{ gridColumn: '1 / -1' }}>
      <Box
        sx={{
          ...{ display: 'grid', columnGap: 3, rowGap: 1 },
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' },
        }}
      >
        <BoundInput source="date_range_begin" dayLabel="discounts.firstDay" timeLabel="discounts.startTime" />
        <BoundInput source="date_range_end" dayLabel="discounts.lastDay" timeLabel="discounts.endTime" isEnd />
      </Box>
      <Typography variant="caption" color="textSecondary" component="p" sx={{ m: 0 }}>
        {translate('discounts.periodHelp', { zone })}
      </Typography>
    </Box>
  );
}

interface Props {
  readonly source: string;
  /** Message keys. */
  readonly dayLabel: string;
  readonly timeLabel: string;
  readonly isEnd?: boolean;
}

function BoundInput({ source, dayLabel, timeLabel, isEnd = false }: Props) {
  const { field, fieldState } = useInput<string | null>({ source });
  const [typed, setTyped] = useState(() => splitBound(field.value ?? null, isEnd));
  const translate = useTranslate();
  const problem = fieldState.error?.message;

  function change(bound: Bound): void {
    setTyped(bound);
    field.onChange(joinBound(bound, isEnd));
  }

  return (
    <Box>
      <Box sx={{ display: 'grid', gap: 1, gridTemplateColumns: 'repeat(2, minmax(0, 1fr))' }}>
        <TextField
          type="date"
          label={translate(dayLabel)}
          value={typed.day}
          onChange={({ target }) => change({ ...typed, day: target.value })}
          onBlur={field.onBlur}
          error={problem !== undefined}
          slotProps={{ inputLabel: { shrink: true }, htmlInput: { 'data-source': source } }}
        />
        <TextField
          type="time"
          label={translate(timeLabel)}
          value={typed.time}
          disabled={typed.day === ''}
          onChange={({ target }) => change({ ...typed, time: target.value })}
          onBlur={field.onBlur}
          error={problem !== undefined}
          slotProps={{ inputLabel: { shrink: true } }}
        />
      </Box>
      {problem !== undefined && (
        <FormHelperText error role="alert" sx={{ mx: 1.75 }}>
          {problem}
        </FormHelperText>
      )}
    </Box>
  );
}
