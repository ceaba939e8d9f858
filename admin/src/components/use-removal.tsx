/** Deletes a record, and names the records that use it if the store rejects that. */
import { Alert, Box } from '@mui/material';
import { StoreProblem } from 'purveyor/client';
import { type ReactNode, useState } from 'react';
import { Link, useNotify, useTranslate } from 'react-admin';
import { useErrorMessage } from '../utils/error-messages.ts';
import { type RuleLink, rulesIn } from './rule-links.ts';

interface Rejection {
  readonly name: string;
  readonly rules: readonly RuleLink[];
  /** The message of the store, if it names no records that the page knows. */
  readonly message: string;
}

interface Removal {
  /** @returns whether the record was deleted */
  remove(name: string, request: () => Promise<unknown>): Promise<boolean>;
  /** Why the last deletion was rejected. */
  readonly rejection: ReactNode;
}

export function useRemoval(): Removal {
  const [rejected, setRejected] = useState<Rejection>();
  const notify = useNotify();
  const errorMessage = useErrorMessage();
  return {
    async remove(name, request) {
      setRejected(undefined);
      try {
        await request();
        notify('state.saved', { type: 'success', autoHideDuration: 3000 });
        return true;
      } catch (error) {
        if (error instanceof StoreProblem && error.status === 409)
          setRejected({ name, rules: await rulesIn(error.detail), message: error.detail });
        else notify(errorMessage(error), { type: 'error', autoHideDuration: 10000 });
        return false;
      }
    },
    rejection: rejected && <RejectionAlert {...rejected} onClose={() => setRejected(undefined)} />,
  };
}

function RejectionAlert({ name, rules, message, onClose }: Rejection & { onClose(): void }) {
  const translate = useTranslate();
  const more = Number(/ and (\d+) more/.exec(message)?.[1] ?? 0);
  return (
    <Alert severity="error" onClose={onClose}>
      {rules.length === 0 ? message : translate('removal.inUse', { name })}
      {rules.length > 0 && (
        <Box component="ul" sx={{ m: 0, pl: 2.5 }}>
          {rules.map(({ to, kind, name: ofRule }) => (
            <li key={to}>
              <Link to={to} color="inherit" underline="always">
                {ofRule === undefined
                  ? translate(`taxes.rule.${kind}`)
                  : `${translate(`taxes.rule.${kind}`)}: ${ofRule}`}
              </Link>
            </li>
          ))}
          {more > 0 && <li>{translate('removal.andMore', { smart_count: more })}</li>}
        </Box>
      )}
    </Alert>
  );
}
