/** The dialog of a bulk change: inputs, then a preview with counts, then the button that applies it. */
import { Alert, Box, Button, Dialog, DialogActions, DialogContent, DialogTitle, Typography } from '@mui/material';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useListContext, useNotify, useRefresh, useTranslate } from 'react-admin';
import { useErrorMessage } from '../../utils/error-messages.ts';
import { apply, type Outcome, type PlannedBatch, type PlannedLine, preview } from './bulk-change.ts';

interface Props {
  /** Message key. */
  readonly title: string;
  /** Key of the message that offers to undo the change. */
  readonly undoMessage: string;
  readonly ids: readonly number[];
  /** Whether the inputs are complete. */
  readonly isReady: boolean;
  /** The inputs as text: a preview of other inputs is out of date. */
  readonly inputs: string;
  /** Shows what the change does to single records. */
  detailsOf?(changed: readonly PlannedLine[]): ReactNode;
  plan(): Promise<readonly PlannedBatch[]>;
  onClose(): void;
  readonly children: ReactNode;
}

interface Previewed {
  readonly inputs: string;
  readonly batches: readonly PlannedBatch[];
  readonly outcome: Outcome;
}

/** Reasons that are shown; the rest is counted. */
const PROBLEMS_MAX = 10;

export function ChangeDialog({ title, undoMessage, ids, isReady, inputs, detailsOf, plan, onClose, children }: Props) {
  const [lastPreview, setPreviewed] = useState<Previewed>();
  const previewed = lastPreview?.inputs === inputs ? lastPreview : undefined;
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const { onUnselectItems } = useListContext();
  const translate = useTranslate();
  const notify = useNotify();
  const refresh = useRefresh();
  const errorMessage = useErrorMessage();

  async function run(action: () => Promise<void>): Promise<void> {
    setBusy(true);
    setProblem(undefined);
    await action().catch((error: unknown) => setProblem(errorMessage(error)));
    setBusy(false);
  }

  const showPreview = (): Promise<void> =>
    run(async () => {
      const batches = await plan();
      setPreviewed({ inputs, batches, outcome: await preview(batches, ids.length) });
    });

  const applyChange = ({ batches }: Previewed): Promise<void> =>
    run(async () => {
      const { problems } = await apply(batches, ids.length, undoMessage);
      refresh();
      if (problems.length > 0)
        notify(problems.join('\n'), { type: 'warning', multiLine: true, autoHideDuration: 20_000 });
      onUnselectItems();
      onClose();
    });

  function submit(event: FormEvent): void {
    event.preventDefault();
    event.stopPropagation();
    if (isReady) void showPreview();
  }

  const canApply = previewed && previewed.outcome.products + previewed.outcome.variants > 0;
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="bulk-change">
      <form onSubmit={submit} noValidate style={{ display: 'contents' }}>
        <DialogTitle id="bulk-change">{translate(title)}</DialogTitle>
        <DialogContent>
          {children}
          <Box role="status" sx={{ mt: 1 }}>
            {previewed && <OutcomeText outcome={previewed.outcome} />}
          </Box>
          {previewed && previewed.outcome.changed.length > 0 && detailsOf?.(previewed.outcome.changed)}
          {problem !== undefined && <Alert severity="error">{problem}</Alert>}
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{translate('button.cancel')}</Button>
          <Button
            type="submit"
            variant={canApply ? 'outlined' : 'contained'}
            loading={isBusy && !previewed}
            disabled={!isReady}
          >
            {translate('bulk.preview')}
          </Button>
          <Button
            variant="contained"
            loading={isBusy && previewed !== undefined}
            disabled={!canApply}
            onClick={() => previewed && void applyChange(previewed)}
          >
            {translate('bulk.apply')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function OutcomeText({ outcome: { products, variants, unchanged, problems } }: { outcome: Outcome }) {
  const translate = useTranslate();
  return (
    <>
      <Typography sx={{ fontWeight: 600 }}>{translate('bulk.changes', { smart_count: products })}</Typography>
      {variants > 0 && <Typography>{translate('bulk.changesVariants', { smart_count: variants })}</Typography>}
      {unchanged > 0 && (
        <Typography color="textSecondary">{translate('bulk.unchanged', { smart_count: unchanged })}</Typography>
      )}
      {problems.length > 0 && (
        <Alert severity="warning" sx={{ mt: 1 }}>
          {translate('bulk.rejected', { smart_count: problems.length })}
          {problems.slice(0, PROBLEMS_MAX).map((problem) => (
            <Box key={problem}>{problem}</Box>
          ))}
        </Alert>
      )}
    </>
  );
}
