/** The roles of staff: those of every store, which cannot be changed, and the store’s own. */
import EditIcon from '@mui/icons-material/EditOutlined';
import { Alert, Box, Button, Card, Chip, IconButton, Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { Role } from 'purveyor/client';
import { useState } from 'react';
import { Link, useTranslate } from 'react-admin';
import { store } from '../api/client.ts';
import { readAll } from '../api/runtime-requests.ts';
import { DeleteButton } from '../components/delete-button.tsx';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { useAction } from '../utils/use-action.ts';
import { useMay } from '../utils/use-may.tsx';
import { RightsText } from './rights-text.tsx';
import { RoleDialog } from './role-dialog.tsx';
import { useRoleName, useRoles } from './roles.ts';
import { useExplained } from './use-explained.ts';
import { USERS_KEY, userPath } from './users-common.ts';

export default function RoleList() {
  const [edited, setEdited] = useState<Role | 'new'>();
  const translate = useTranslate();
  const roles = useRoles();
  if (roles.error) return <LoadError error={roles.error} onRetry={() => void roles.refetch()} />;
  return (
    <Stack spacing={2}>
      <Typography color="textSecondary" sx={{ maxWidth: '80ch' }}>
        {translate('staff.roleListHelp')}
      </Typography>
      <Box>
        <Button variant="contained" onClick={() => setEdited('new')}>
          {translate('staff.newRole')}
        </Button>
      </Box>
      {roles.isPending ? (
        <LoadingSkeleton />
      ) : (
        <Stack
          component="ul"
          spacing={2}
          sx={{ listStyle: 'none', m: 0, p: 0 }}
          aria-label={translate('staff.tab.roles')}
        >
          {roles.data.map((role) => (
            <RoleCard key={role.id} role={role} onEdit={() => setEdited(role)} onDone={roles.refetch} />
          ))}
        </Stack>
      )}
      {edited && (
        <RoleDialog
          {...(edited === 'new' ? {} : { id: edited.id })}
          onClose={() => setEdited(undefined)}
          onDone={roles.refetch}
        />
      )}
    </Stack>
  );
}

interface CardProps {
  readonly role: Role;
  onEdit(): void;
  onDone(): Promise<unknown>;
}

function RoleCard({ role, onEdit, onDone }: CardProps) {
  const { id, preset } = role;
  const [isInUse, setInUse] = useState(false);
  const translate = useTranslate();
  const name = useRoleName()(id);
  const action = useAction();
  const explained = useExplained();

  async function remove(): Promise<void> {
    setInUse(false);
    await action.run(async () => {
      const inUse = translate('staff.roleInUse', { name });
      await explained(() => store.delete('/roles/{id}', { id }), inUse).catch((error: Error) => {
        setInUse(error.message === inUse);
        throw error;
      });
    });
    await onDone();
  }

  return (
    <Card variant="outlined" component="li" sx={{ p: 2, minWidth: 0 }}>
      <Stack direction="row" spacing={1} sx={{ alignItems: 'center', mb: 1 }}>
        <Typography variant="h6" component="h2" sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
          {name}
        </Typography>
        {preset ? (
          <Chip size="small" variant="outlined" label={translate('staff.presetRole')} />
        ) : (
          <>
            <IconButton size="small" onClick={onEdit} aria-label={`${translate('button.edit')}: ${name}`}>
              <EditIcon fontSize="small" />
            </IconButton>
            <DeleteButton name={name} confirmation="staff.deleteRoleHelp" isAllowed onConfirmed={remove} />
          </>
        )}
      </Stack>
      {preset && (
        <Typography color="textSecondary" sx={{ mb: 1 }}>
          {translate(`staff.presetHelp.${id}`)}
        </Typography>
      )}
      {isInUse && <UsersOfRole id={id} name={name} />}
      <RightsText role={role} />
    </Card>
  );
}

/** Why a role cannot be deleted, with the people who have it. */
function UsersOfRole({ id, name }: { id: number; name: string }) {
  const translate = useTranslate();
  const { data = [] } = useQuery({
    queryKey: USERS_KEY,
    queryFn: () => readAll('/users'),
    enabled: useMay('users:manage'),
  });
  return (
    <Alert severity="warning" sx={{ mb: 1 }}>
      {translate('staff.roleInUse', { name })}
      <Box component="ul" sx={{ m: 0, pl: 2.5 }}>
        {data
          .filter(({ role_ids }) => role_ids.includes(id))
          .map((user) => (
            <li key={user.id}>
              <Link to={userPath(user.id)} color="inherit" underline="always">
                {user.name}
              </Link>
            </li>
          ))}
      </Box>
    </Alert>
  );
}
