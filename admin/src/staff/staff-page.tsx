/** The people who work with the store, and their roles. */
import { Alert } from '@mui/material';
import { lazy } from 'react';
import { useTranslate } from 'react-admin';
import { grants } from '../api/access.ts';
import { type PageTab, TabbedPage } from '../components/tabbed-page.tsx';
import { useAccess } from '../utils/use-may.tsx';

const Users = lazy(() => import('./users.tsx'));
const RoleList = lazy(() => import('./role-list.tsx'));

const TABS: readonly (PageTab & Required<Pick<PageTab, 'scope'>>)[] = [
  { name: 'users', content: <Users />, family: 'users', scope: 'users:manage' },
  { name: 'roles', content: <RoleList />, family: 'roles', scope: 'roles:manage' },
];

export default function StaffPage() {
  const access = useAccess();
  const translate = useTranslate();
  if (!access) return null;
  const tabs = TABS.filter(({ scope }) => grants(access, scope));
  if (tabs.length === 0) return <Alert severity="info">{translate('staff.mayNotSee')}</Alert>;
  return <TabbedPage page="staff" labelOf={(name) => `staff.tab.${name}`} tabs={tabs} />;
}
