/**
 * Shows both versions of a record that someone else changed during an edit, field by field. A field that only one side changed is
 * preselected.
 */
import {
  Box,
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogContentText,
  DialogTitle,
  FormControlLabel,
  Radio,
  RadioGroup,
  Typography,
} from '@mui/material';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { changedFields, isSame, type Values } from '../api/record-diff.ts';

export interface Conflict {
  readonly before: Values;
  readonly mine: Values;
  readonly theirs: Values;
}

interface Props {
  readonly conflict: Conflict;
  labelOf(field: string): string;
  /** Describes a value that is not its own text, such as the id of a linked record; undefined for other fields. */
  textOf?: ((field: string, value: unknown) => string | undefined) | undefined;
  /** @param changes relative to the version in the store */
  onSave(changes: Values): void;
  onBack(): void;
}

export function ConflictDialog({ conflict, labelOf, textOf, onSave, onBack }: Props) {
  const { before, mine, theirs } = conflict;
  const translate = useTranslate();
  const own = changedFields(before, mine);
  const others = changedFields(before, theirs);
  const fields = [...new Set([...Object.keys(own), ...Object.keys(others)])];
  const [chosen, setChosen] = useState<Readonly<Record<string, 'mine' | 'theirs'>>>({});
  const shown = (field: string, value: unknown): unknown => textOf?.(field, value) ?? value;
  const sideOf = (field: string) => chosen[field] ?? (field in own && !(field in others) ? 'mine' : 'theirs');

  function save(): void {
    const changed = fields.filter((field) => sideOf(field) === 'mine' && !isSame(mine[field], theirs[field]));
    onSave(Object.fromEntries(changed.map((field) => [field, mine[field]])));
  }

  return (
    <Dialog open onClose={onBack} maxWidth="md" fullWidth aria-labelledby="conflict">
      <DialogTitle id="conflict">{translate('conflict.title')}</DialogTitle>
      <DialogContent>
        <DialogContentText sx={{ mb: 2 }}>{translate('conflict.help')}</DialogContentText>
        {fields.map((field) => (
          <Box
            key={field}
            component="fieldset"
            sx={{ border: 1, borderColor: 'divider', borderRadius: 1, mb: 1.5, minWidth: 0 }}
          >
            <Typography component="legend" sx={{ px: 0.5, fontWeight: 600 }}>
              {labelOf(field)}
            </Typography>
            <Typography variant="body2" color="textSecondary">
              {translate('conflict.before')}: <FieldValue value={shown(field, before[field])} />
            </Typography>
            <RadioGroup
              value={sideOf(field)}
              onChange={(_event, side) => setChosen({ ...chosen, [field]: side as 'mine' | 'theirs' })}
            >
              {(['mine', 'theirs'] as const).map((side) => (
                <FormControlLabel
                  key={side}
                  value={side}
                  control={<Radio size="small" />}
                  label={
                    <>
                      {translate(`conflict.side.${side}`)}:{' '}
                      <FieldValue value={shown(field, (side === 'mine' ? mine : theirs)[field])} />
                    </>
                  }
                />
              ))}
            </RadioGroup>
          </Box>
        ))}
      </DialogContent>
      <DialogActions>
        <Button onClick={onBack}>{translate('conflict.back')}</Button>
        <Button variant="contained" onClick={save}>
          {translate('conflict.save')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function FieldValue({ value }: { value: unknown }) {
  const translate = useTranslate();
  const text =
    typeof value === 'boolean'
      ? translate(value ? 'state.yes' : 'state.no')
      : Array.isArray(value)
        ? value.join(', ')
        : String(value ?? '');
  return (
    <Box component="span" sx={{ fontWeight: 600, overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
      {text === '' ? '–' : text}
    </Box>
  );
}
