/** Creates an account and an invitation. */
import type { UserCreate, UserLink } from 'purveyor/client';
import { useNotify, useTranslate } from 'react-admin';
import { store } from '../api/client.ts';
import { RecordDialog } from '../forms/record-dialog.tsx';
import { useErrorMessage } from '../utils/error-messages.ts';
import { useExplained } from './use-explained.ts';
import { UserInputs } from './user-inputs.tsx';

const NEW_USER = { name: '', email: '', role_ids: [], language: '' };

interface Props {
  onClose(): void;
  /** Called with the invitation. It is not called if the account was created, but no invitation. */
  onInvited(name: string, link: UserLink): void;
  onDone(): Promise<unknown>;
}

export function NewUserDialog({ onClose, onInvited, onDone }: Props) {
  const translate = useTranslate();
  const explained = useExplained();
  const notify = useNotify();
  const errorMessage = useErrorMessage();

  async function create(values: UserCreate): Promise<void> {
    const { id } = (await explained(() => store.post('/users', values))).data;
    try {
      onInvited(values.name, (await store.post('/users/{id}/invite', { id }, {})).data);
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
        create({ ...NEW_USER, ...values, language: values.language ?? '' } as unknown as UserCreate)
      }
      saveLabel={translate('staff.createInvitation')}
      onClose={onClose}
      onDone={onDone}
    >
      <UserInputs />
    </RecordDialog>
  );
}
