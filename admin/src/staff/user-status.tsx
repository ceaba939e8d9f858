import { Chip } from '@mui/material';
import type { User } from 'purveyor/client';
import { useTranslate } from 'react-admin';

const COLORS = { active: 'success', invited: 'info', disabled: 'default' } as const;

export function UserStatus({ status }: Pick<User, 'status'>) {
  const translate = useTranslate();
  return <Chip size="small" variant="outlined" color={COLORS[status]} label={translate(`staff.status.${status}`)} />;
}
