/** Erases a person's data: shows before which records are deleted, cleared and kept, and afterwards what was done. */
import {
  Alert,
  Box,
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogContentText,
  DialogTitle,
  Typography,
} from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { ErasureOutput, PersonOutput } from 'purveyor/client';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { store } from '../api/client.ts';
import { useSubmit } from '../forms/use-submit.ts';
import { useFormat } from '../utils/format.ts';
import { type ErasurePlan, erasurePlan } from './erasure-plan.ts';

interface Props {
  /** The person's e-mail address. */
  readonly who: string;
  /** The export of the person's data. */
  readonly records: PersonOutput['records'];
  erase(): Promise<ErasureOutput>;
  onClose(): void;
  /** Called when the user closes the dialog after the erasure. */
  onErased(): void;
}

export function EraseDialog({ who, records, erase, onClose, onErased }: Props) {
  const [result, setResult] = useState<ErasureOutput>();
  const translate = useTranslate();
  const form = useSubmit([], async () => setResult(await erase()));
  const close = result ? onErased : onClose;
  return (
    <Dialog open onClose={close} fullWidth maxWidth="sm" aria-labelledby="erase">
      <form onSubmit={(event) => void form.submit(event)} noValidate>
        <DialogTitle id="erase" sx={{ overflowWrap: 'anywhere' }}>
          {translate(result ? 'erase.done' : 'erase.title', { who })}
        </DialogTitle>
        <DialogContent>
          {result ? <ErasureResult result={result} /> : <PlannedErasure plan={erasurePlan(records)} />}
          {form.problem !== undefined && <Alert severity="error">{form.problem}</Alert>}
        </DialogContent>
        <DialogActions>
          <Button onClick={close}>{translate(result ? 'button.close' : 'button.cancel')}</Button>
          {!result && (
            <Button type="submit" variant="contained" color="error" loading={form.isBusy}>
              {translate('erase.confirm')}
            </Button>
          )}
        </DialogActions>
      </form>
    </Dialog>
  );
}

function PlannedErasure({ plan }: { plan: ErasurePlan }) {
  const translate = useTranslate();
  const { data } = useQuery({ queryKey: ['store'], queryFn: async () => (await store.get('/store')).data });
  const years = data?.invoice_keep_years ?? '…';
  return (
    <>
      {(['removed', 'emptied', 'retained'] as const).map(
        (group) =>
          plan[group].length > 0 && (
            <Lines
              key={group}
              title={`erase.${group}`}
              lines={plan[group].map(({ key, count }) => translate(key, { smart_count: count, years }))}
            />
          ),
      )}
      <DialogContentText>{translate('erase.elsewhere')}</DialogContentText>
      <Alert severity="warning" sx={{ mt: 2 }}>
        {translate('erase.final')}
      </Alert>
    </>
  );
}

function ErasureResult({ result: { erased, retained } }: { result: ErasureOutput }) {
  const translate = useTranslate();
  const format = useFormat();
  const line = (resource: string, count: number, action: string) =>
    `${translate(`resource.${resource}`)}: ${count}, ${action}`;
  return (
    <>
      <Lines
        title="erase.done.erased"
        lines={erased.map(({ resource, count, fields }) =>
          line(resource, count, translate(fields === null ? 'erase.isRemoved' : 'erase.isEmptied')),
        )}
      />
      {retained.length > 0 && (
        <Lines
          title="erase.done.retained"
          lines={retained.map(({ resource, count, until }) =>
            line(
              resource,
              count,
              until === null
                ? translate('erase.isAnonymized')
                : translate('erase.retainedUntil', { date: format.date(until) }),
            ),
          )}
        />
      )}
    </>
  );
}

function Lines({ title, lines }: { title: string; lines: readonly string[] }) {
  const translate = useTranslate();
  return (
    <Box sx={{ mb: 2 }}>
      <Typography component="h3" sx={{ fontWeight: 600 }}>
        {translate(title)}
      </Typography>
      <Box component="ul" sx={{ m: 0, pl: 2.5 }}>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </Box>
    </Box>
  );
}
