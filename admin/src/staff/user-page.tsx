/** The account of a person: each section of it is saved on its own. */
import { Alert, Chip, Stack } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { Title, useTranslate } from 'react-admin';
import { useParams } from 'react-router-dom';
import { store } from '../api/client.ts';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { RecordToolbar } from '../components/record-toolbar.tsx';
import { useMay } from '../utils/use-may.tsx';
import { SessionsSection } from './sessions-section.tsx';
import { UserAccess } from './user-access.tsx';
import { UserDetails } from './user-details.tsx';
import { USERS_KEY, type UserSectionProps, useOwnUserId } from './users-common.ts';

export default function UserPage() {
  const id = Number(useParams().id);
  const mayManage = useMay('users:manage');
  const translate = useTranslate();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [...USERS_KEY, id],
    queryFn: async () => (await store.get('/users/{id}', { id })).data,
    enabled: mayManage,
  });
  if (!mayManage) return <Alert severity="info">{translate('staff.mayNotSee')}</Alert>;
  if (error) return <LoadError title="menu.staff" error={error} onRetry={() => void refetch()} />;
  if (isPending) return <LoadingSkeleton />;
  return <Sections key={id} user={data} onDone={refetch} />;
}

function Sections({ user, onDone }: UserSectionProps) {
  const translate = useTranslate();
  const isOwn = useOwnUserId() === user.id;
  return (
    <>
      <Title title={user.name} />
      <RecordToolbar resource="users" back={{ to: '/staff/users', label: 'button.backToList' }}>
        {isOwn && <Chip variant="outlined" label={translate('staff.you')} />}
      </RecordToolbar>
      <Stack spacing={2} sx={{ maxWidth: 900 }}>
        <UserDetails user={user} onDone={onDone} />
        <UserAccess user={user} onDone={onDone} isOwn={isOwn} />
        <UserSessions id={user.id} />
      </Stack>
    </>
  );
}

function UserSessions({ id }: { id: number }) {
  const translate = useTranslate();
  return (
    <SessionsSection
      queryKey={[...USERS_KEY, id, 'sessions']}
      endAllLabel={translate('staff.endAll')}
      read={async () => (await store.get('/users/{id}/sessions', { id })).data}
      end={(session_id) => store.delete('/users/{id}/sessions/{session_id}', { id, session_id })}
      endAll={() => store.delete('/users/{id}/sessions', { id })}
    />
  );
}
