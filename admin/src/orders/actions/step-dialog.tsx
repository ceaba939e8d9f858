/** The frame of a dialog that changes an order. It sends a request only after its button is pressed. */
import { Alert, Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material';
import type { FormEvent, ReactNode } from 'react';
import { useTranslate } from 'react-admin';
import type { Step } from './use-settle.ts';

interface Props {
  /** Message keys of the title and of the button. */
  readonly title: string;
  readonly confirm: string;
  readonly step: Step;
  readonly isDisabled?: boolean;
  readonly isDestructive?: boolean;
  readonly maxWidth?: 'sm' | 'md';
  onConfirm(): void;
  onClose(): void;
  readonly children: ReactNode;
}

export function StepDialog(props: Props) {
  const { title, confirm, step, isDisabled = false, isDestructive = false, onConfirm, onClose, children } = props;
  const translate = useTranslate();

  function submit(event: FormEvent): void {
    event.preventDefault();
    // React events of a dialog bubble to the form that renders it.
    event.stopPropagation();
    onConfirm();
  }

  return (
    <Dialog open onClose={onClose} fullWidth maxWidth={props.maxWidth ?? 'sm'} aria-labelledby="order-step">
      <form onSubmit={submit} noValidate style={{ display: 'contents' }}>
        <DialogTitle id="order-step">{translate(title)}</DialogTitle>
        <DialogContent>
          {children}
          {step.problem !== undefined && (
            <Alert severity="error" sx={{ mt: 1 }}>
              {translate(step.problem, { _: step.problem })}
            </Alert>
          )}
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{translate('button.close')}</Button>
          <Button
            type="submit"
            variant="contained"
            color={isDestructive ? 'error' : 'primary'}
            loading={step.isBusy}
            disabled={isDisabled}
          >
            {translate(confirm)}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
