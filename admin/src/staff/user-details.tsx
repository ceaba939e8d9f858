/** Name, e-mail address, roles and language of a person, and the form that changes them. */
import { Button, Stack } from '@mui/material';
import { useQueryClient } from '@tanstack/react-query';
import type { UserPatch } from 'purveyor/client';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { reloadSession } from '../api/auth-provider.ts';
import { store } from '../api/client.ts';
import { Section } from '../components/section.tsx';
import { RecordDialog } from '../forms/record-dialog.tsx';
import type { Version } from '../forms/use-save-record.tsx';
import { LOCALES } from '../i18n/messages.ts';
import { useFormat } from '../utils/format.ts';
import { DetailsList } from './details-list.tsx';
import { useRoleName } from './roles.ts';
import { useExplained } from './use-explained.ts';
import { UserInputs } from './user-inputs.tsx';
import type { UserSectionProps } from './users-common.ts';

export function UserDetails({ user, onDone }: UserSectionProps) {
  const [isEditing, setEditing] = useState(false);
  const translate = useTranslate();
  const format = useFormat();
  const roleName = useRoleName();
  return (
    <Section title="staff.details">
      <DetailsList
        details={[
          [translate('field.name'), user.name],
          [translate('session.email'), user.email],
          [translate('staff.tab.roles'), user.role_ids.map(roleName).join(', ')],
          [translate('staff.language'), languageName(user.language) ?? translate('staff.browserLanguage')],
          [translate('staff.created'), format.date(user.created_at)],
        ]}
      />
      <Stack direction="row" sx={{ mt: 2 }}>
        <Button variant="outlined" onClick={() => setEditing(true)}>
          {translate('staff.edit')}
        </Button>
      </Stack>
      {isEditing && <UserDialog user={user} onDone={onDone} onClose={() => setEditing(false)} />}
    </Section>
  );
}

function languageName(code: string): string | undefined {
  return LOCALES.find(({ locale }) => locale === code)?.name;
}

const LABELS: Readonly<Record<string, string>> = {
  email: 'session.email',
  role_ids: 'staff.tab.roles',
  language: 'staff.language',
};

function UserDialog({ user: { id }, onDone, onClose }: UserSectionProps & { onClose(): void }) {
  const translate = useTranslate();
  const explained = useExplained();
  const roleName = useRoleName();
  const queries = useQueryClient();

  async function read(): Promise<Version> {
    const { data, etag } = await store.get('/users/{id}', { id });
    const { name, email, role_ids, language } = data;
    return { values: { name, email, role_ids, language }, etag: etag! };
  }

  return (
    <RecordDialog
      title={translate('staff.edit')}
      queryKey={['user', id]}
      emptyValues={{ name: '', email: '', role_ids: [], language: '' }}
      labelOf={(field) => LABELS[field] && translate(LABELS[field])}
      textOf={(field, value) => (field === 'role_ids' ? (value as number[]).map(roleName).join(', ') : undefined)}
      read={read}
      write={(changed, ifMatch) =>
        explained(
          () => store.patch('/users/{id}', { id }, changed as UserPatch, { ifMatch }),
          translate('staff.lastOwner'),
        )
      }
      onClose={onClose}
      onDone={async () => {
        // It may be the person who is signed in.
        await reloadSession();
        await queries.invalidateQueries({ queryKey: ['auth'] });
        await onDone();
      }}
    >
      <UserInputs />
    </RecordDialog>
  );
}
