/** Erases a person: says before which records go, which are emptied and which stay; and after it what was done. */
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
import { useWriter } from '../parts/money.ts';
import { useSending } from '../parts/use-sending.ts';
import { store } from '../store/client.ts';
import { type Plan, planOf } from './erasure.ts';

interface Props {
  /** The person's e-mail address. */
  readonly who: string;
  /** All that is known of the person. */
  readonly records: PersonOutput['records'];
  erase(): Promise<ErasureOutput>;
  onClose(): void;
  /** Called when the person has read the outcome. */
  onErased(): void;
}

export function EraseDialog({ who, records, erase, onClose, onErased }: Props) {
  const [outcome, setOutcome] = useState<ErasureOutput>();
  const translate = useTranslate();
  const sending = useSending([], async () => setOutcome(await erase()));
  const leave = outcome ? onErased : onClose;
  return (
    <Dialog open onClose={leave} fullWidth maxWidth="sm" aria-labelledby="erase">
      <form onSubmit={(event) => void sending.submit(event)} noValidate>
        <DialogTitle id="erase" sx={{ overflowWrap: 'anywhere' }}>
          {translate(outcome ? 'erase.done' : 'erase.title', { who })}
        </DialogTitle>
        <DialogContent>
          {outcome ? <Outcome outcome={outcome} /> : <Planned plan={planOf(records)} />}
          {sending.problem !== undefined && <Alert severity="error">{sending.problem}</Alert>}
        </DialogContent>
        <DialogActions>
          <Button onClick={leave}>{translate(outcome ? 'button.close' : 'button.cancel')}</Button>
          {!outcome && (
            <Button type="submit" variant="contained" color="error" loading={sending.isBusy}>
              {translate('erase.confirm')}
            </Button>
          )}
        </DialogActions>
      </form>
    </Dialog>
  );
}

function Planned({ plan }: { plan: Plan }) {
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

function Outcome({ outcome: { erased, retained } }: { outcome: ErasureOutput }) {
  const translate = useTranslate();
  const writer = useWriter();
  const line = (resource: string, count: number, fate: string) =>
    `${translate(`resource.${resource}`)}: ${count}, ${fate}`;
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
                : translate('erase.retainedUntil', { date: writer.day(until) }),
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
