/** Asks for a passkey, and sends it. */
import { Button } from '@mui/material';
import { StoreProblem } from 'purveyor/client';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { askForPasskey, type PasskeyUse, passkeyMessage } from '../api/passkeys.ts';
import { useErrorMessage } from '../utils/error-messages.ts';

interface Props {
  /** Message key. */
  readonly label: string;
  readonly use: PasskeyUse;
  readonly ticket?: string;
  /** Message key for a passkey that the store does not accept. */
  readonly rejected?: string;
  send(passkey: object): Promise<unknown>;
  /** @param isRejected whether the store has rejected the passkey or the ticket */
  onProblem(problem: string | undefined, isRejected: boolean): void;
}

export function PasskeyButton({ label, use, ticket, rejected = 'passkey.rejected', send, onProblem }: Props) {
  const [isBusy, setBusy] = useState(false);
  const translate = useTranslate();
  const errorMessage = useErrorMessage();

  async function ask(): Promise<void> {
    setBusy(true);
    onProblem(undefined, false);
    try {
      await send(await askForPasskey(use, ticket));
    } catch (error) {
      setBusy(false);
      const known =
        passkeyMessage(error) ?? (error instanceof StoreProblem && error.status === 401 ? rejected : undefined);
      onProblem(known === undefined ? errorMessage(error) : translate(known), known === rejected);
    }
  }

  return (
    <Button variant="outlined" fullWidth loading={isBusy} onClick={() => void ask()}>
      {translate(label)}
    </Button>
  );
}
