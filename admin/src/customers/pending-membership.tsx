/** A membership that the customer has asked for: granted or declined at once. */
import { Alert, Button } from '@mui/material';
import type { ProfileOutput } from 'purveyor/client';
import { useGetOne, useTranslate } from 'react-admin';
import { useMayWrite } from '../parts/layout.tsx';
import { changeOne } from '../parts/number-cell.tsx';
import { useAct } from '../parts/use-act.ts';
import { PATH } from './customer-form.ts';

const CHANGED = ['membership_id', 'pending_membership_id'];

interface Props {
  readonly profile: ProfileOutput;
  /** Called with the fields that were changed. */
  onDone(changed: readonly string[]): Promise<void>;
}

export function PendingMembership({ profile: { id, pending_membership_id: asked }, onDone }: Props) {
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const act = useAct();
  const { data: membership } = useGetOne('memberships', { id: asked ?? 0 }, { enabled: asked !== null });
  if (asked === null) return null;

  async function settle(also: object): Promise<void> {
    await act.run(async () => {
      const { isDone } = await changeOne(PATH, { profile_id: id }, 'pending_membership_id', asked, null, also);
      if (!isDone) throw new Error(translate('customers.requestConflict'));
    });
    await onDone(CHANGED);
  }

  return (
    <Alert
      severity="info"
      action={
        mayWrite && (
          <>
            <Button color="inherit" disabled={act.isBusy} onClick={() => void settle({ membership_id: asked })}>
              {translate('customers.grant')}
            </Button>
            <Button color="inherit" disabled={act.isBusy} onClick={() => void settle({})}>
              {translate('customers.decline')}
            </Button>
          </>
        )
      }
    >
      {translate('customers.membershipRequest', { name: membership?.name ?? asked })}
    </Alert>
  );
}
