/** Creates an account and an invitation. */
import type { UserCreate, UserLink } from 'purveyor/client';
import { BooleanInput, useNotify, useTranslate } from 'react-admin';
import { offersPasswordReset, store } from '../api/client.ts';
import { RecordDialog } from '../forms/record-dialog.tsx';
import { useErrorMessage } from '../utils/error-messages.ts';
import { useExplained } from './use-explained.ts';
import { UserInputs } from './user-inputs.tsx';

const NEW_USER = { name: '', email: '', role_ids: [], language: '' };

/** @property mail whether the store sends the invitation */
type Sent = UserCreate & { readonly mail?: boolean };

interface Props {
  onClose(): void;
  /** Called with an invitation to send. It is not called if the store sends it, or if it could not be created. */
  onInvited(name: string, link: UserLink): void;
  onDone(): Promise<unknown>;
}

export function NewUserDialog({ onClose, onInvited, onDone }: Props) {
  const translate = useTranslate();
  const explained = useExplained();
  const notify = useNotify();
  const errorMessage = useErrorMessage();

  async function create({ mail = false, ...values }: Sent): Promise<void> {
    const { id } = (await explained(() => store.post('/users', values))).data;
    try {
      const { data } = await store.post('/users/{id}/invite', { id }, { mail });
      if (mail) notify('staff.mailed.invite', { type: 'success' });
      else onInvited(values.name, data);
    } catch (error) {
      notify(errorMessage(error), { type: 'error', autoHideDuration: 10000 });
    }
  }

  return (
    <RecordDialog
      title={translate('staff.invite')}
      queryKey={['new-user']}
      emptyValues={NEW_USER}
      read={async () => ({ values: NEW_USER, etag: '' })}
      write={(_changed, _etag, values) =>
        create({ ...NEW_USER, ...values, language: values.language ?? '' } as unknown as Sent)
      }
      saveLabel={translate('staff.createInvitation')}
      onClose={onClose}
      onDone={onDone}
    >
      <UserInputs />
      {offersPasswordReset() && <BooleanInput source="mail" label="staff.mail.new" helperText={false} />}
    </RecordDialog>
  );
}
