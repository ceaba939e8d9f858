/** A membership that the customer has requested, to be granted or declined. */
import { Alert, Button } from '@mui/material';
import type { ProfileOutput } from 'purveyor/client';
import { useGetOne, useTranslate } from 'react-admin';
import { updateField } from '../api/runtime-requests.ts';
import { useAction } from '../utils/use-action.ts';
import { useMayWrite } from '../utils/use-may.tsx';
import { PATH } from './customer-form.ts';

const CHANGED_FIELDS = ['membership_id', 'pending_membership_id'];

interface Props {
  readonly profile: ProfileOutput;
  onDone(changedFields: readonly string[]): Promise<void>;
}

export function MembershipRequest({ profile: { id, pending_membership_id: requested }, onDone }: Props) {
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const action = useAction();
  const { data: membership } = useGetOne('memberships', { id: requested ?? 0 }, { enabled: requested !== null });
  if (requested === null) return null;

  async function settle(otherFields: object): Promise<void> {
    await action.run(async () => {
      const { isSaved } = await updateField(
        PATH,
        { profile_id: id },
        'pending_membership_id',
        requested,
        null,
        otherFields,
      );
      if (!isSaved) throw new Error(translate('customers.requestConflict'));
    });
    await onDone(CHANGED_FIELDS);
  }

  return (
    <Alert
      severity="info"
      action={
        mayWrite && (
          <>
            <Button color="inherit" disabled={action.isBusy} onClick={() => void settle({ membership_id: requested })}>
              {translate('customers.grant')}
            </Button>
            <Button color="inherit" disabled={action.isBusy} onClick={() => void settle({})}>
              {translate('customers.decline')}
            </Button>
          </>
        )
      }
    >
      {translate('customers.membershipRequest', { name: membership?.name ?? requested })}
    </Alert>
  );
}
