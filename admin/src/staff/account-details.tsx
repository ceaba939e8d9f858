/** The name and the language of the person who is signed in. */
import { Button } from '@mui/material';
import { useQueryClient } from '@tanstack/react-query';
import type { OwnUser, OwnUserPatch } from 'purveyor/client';
import { Form, useLocaleState, useTranslate } from 'react-admin';
import { reloadSession } from '../api/auth-provider.ts';
import { store } from '../api/client.ts';
import { Section } from '../components/section.tsx';
import { PlainTextInput } from '../forms/inputs.tsx';
import { useSaveRecord, type Version } from '../forms/use-save-record.tsx';
import { localeFor } from '../i18n/messages.ts';
import { DetailsList } from './details-list.tsx';
import { useRoleName } from './roles.ts';
import { LanguageInput } from './user-inputs.tsx';

interface LoadedAccount {
  readonly user: OwnUser;
  /** What the form changes. */
  readonly version: Version;
}

export async function readAccount(): Promise<LoadedAccount> {
  const { data, etag } = await store.get('/users/me');
  return { user: data, version: { values: { name: data.name, language: data.language }, etag: etag! } };
}

interface Props {
  readonly account: LoadedAccount;
  onDone(): Promise<unknown>;
}

export function AccountDetails({ account: { user, version }, onDone }: Props) {
  const translate = useTranslate();
  const roleName = useRoleName();
  const queries = useQueryClient();
  const [, setLocale] = useLocaleState();
  const saving = useSaveRecord({
    original: version,
    emptyValues: { name: '', language: '' },
    labelOf: (field) => (field === 'language' ? translate('staff.language') : undefined),
    read: async () => (await readAccount()).version,
    async write(changed, ifMatch) {
      const { data } = await store.patch('/users/me', changed as OwnUserPatch, { ifMatch });
      if ('language' in changed) setLocale(localeFor(data.language));
    },
    async onDone() {
      await reloadSession();
      await queries.invalidateQueries({ queryKey: ['auth'] });
      await onDone();
    },
  });
  return (
    <Section title="staff.details">
      <DetailsList
        details={[
          [translate('session.email'), user.email],
          [translate('staff.tab.roles'), user.role_ids.map(roleName).join(', ')],
        ]}
      />
      <Form record={version.values} onSubmit={saving.submit} noValidate>
        <PlainTextInput source="name" help="staff.nameHelp" required />
        <LanguageInput />
        <Button type="submit" variant="contained" loading={saving.isBusy} sx={{ mt: 1 }}>
          {translate('button.save')}
        </Button>
      </Form>
      {saving.dialog}
    </Section>
  );
}
