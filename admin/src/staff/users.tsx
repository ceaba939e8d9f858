/** The list of people with an account. */
import { Box, Button, Chip, Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { User, UserLink } from 'purveyor/client';
import { useState } from 'react';
import { Link, useTranslate } from 'react-admin';
import { readAll } from '../api/runtime-requests.ts';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { type Column, ResponsiveTable } from '../components/responsive-table.tsx';
import { useFormat } from '../utils/format.ts';
import { LinkNotice } from './link-notice.tsx';
import { NewUserDialog } from './new-user-dialog.tsx';
import { useRoleName } from './roles.ts';
import { UserStatus } from './user-status.tsx';
import { USERS_KEY, useOwnUserId, userPath } from './users-common.ts';

export default function Users() {
  const [isCreating, setCreating] = useState(false);
  const [invited, setInvited] = useState<{ name: string; link: UserLink }>();
  const translate = useTranslate();
  const { data, error, isPending, refetch } = useQuery({ queryKey: USERS_KEY, queryFn: () => readAll('/users') });
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  return (
    <Stack spacing={2}>
      <Typography color="textSecondary" sx={{ maxWidth: '80ch' }}>
        {translate(data?.length === 0 ? 'staff.noUsers' : 'staff.usersHelp')}
      </Typography>
      <Box>
        <Button variant="contained" onClick={() => setCreating(true)}>
          {translate('staff.invite')}
        </Button>
      </Box>
      {invited && <LinkNotice {...invited} kind="invite" onClose={() => setInvited(undefined)} />}
      {isPending ? <LoadingSkeleton /> : data.length > 0 && <UserTable users={data} />}
      {isCreating && (
        <NewUserDialog
          onClose={() => setCreating(false)}
          onInvited={(name, link) => setInvited({ name, link })}
          onDone={refetch}
        />
      )}
    </Stack>
  );
}

function UserTable({ users }: { users: readonly User[] }) {
  const translate = useTranslate();
  const format = useFormat();
  const roleName = useRoleName();
  const ownId = useOwnUserId();
  const columns: readonly Column<User>[] = [
    {
      label: translate('field.name'),
      cell: ({ id, name }) => (
        <>
          <Link to={userPath(id)}>{name}</Link>{' '}
          {id === ownId && <Chip size="small" variant="outlined" label={translate('staff.you')} />}
        </>
      ),
    },
    { label: translate('session.email'), cell: ({ email }) => email },
    { label: translate('staff.tab.roles'), cell: ({ role_ids }) => role_ids.map(roleName).join(', ') },
    { label: translate('field.status'), cell: ({ status }) => <UserStatus status={status} /> },
    { label: translate('staff.lastSignIn'), cell: (user) => format.dateTime(user.last_sign_in_at) },
  ];
  return <ResponsiveTable label={translate('staff.tab.users')} columns={columns} rows={users} keyOf={({ id }) => id} />;
}
