/** The e-mails that the store sends, and their texts. */
import { Alert } from '@mui/material';
import { lazy } from 'react';
import { useTranslate } from 'react-admin';
import { grants } from '../api/access.ts';
import { type PageTab, TabbedPage } from '../components/tabbed-page.tsx';
import { useAccess } from '../utils/use-may.tsx';

const Outbox = lazy(() => import('./outbox.tsx'));
const Templates = lazy(() => import('./templates.tsx'));

const TABS: readonly (PageTab & Required<Pick<PageTab, 'scope'>>)[] = [
  { name: 'outbox', content: <Outbox />, family: 'mails', scope: 'mails:read' },
  { name: 'templates', content: <Templates />, family: 'mail_templates', scope: 'mail_templates:read' },
];

export default function MailsPage() {
  const access = useAccess();
  const translate = useTranslate();
  if (!access) return null;
  const tabs = TABS.filter(({ scope }) => grants(access, scope));
  if (tabs.length === 0) return <Alert severity="info">{translate('mails.mayNotSee')}</Alert>;
  return <TabbedPage page="mails" labelOf={(name) => `mails.tab.${name}`} tabs={tabs} />;
}
