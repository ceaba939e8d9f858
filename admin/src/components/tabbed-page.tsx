/** A page of tabs, each with an address of its own and loaded when it is opened. */
import { Box, Card, Tab, Tabs } from '@mui/material';
import { type ReactNode, Suspense } from 'react';
import { Title, useTranslate } from 'react-admin';
import { useNavigate, useParams } from 'react-router-dom';
import { grants, type Scope } from '../api/access.ts';
import { ScopeFamily, useAccess } from '../utils/use-may.tsx';
import { WRAPPED_TABS } from '../utils/wrapped-tabs.ts';
import { LoadingSkeleton } from './loading.tsx';

export interface PageTab {
  /** Part of the address. */
  readonly name: string;
  readonly content: ReactNode;
  /** The scope without which the tab is not shown. */
  readonly scope?: Scope;
  /** The family of the records that the tab changes. */
  readonly family: string;
}

interface Props {
  /** Part of the addresses and of the title's message key: the page `taxes` is at `/taxes`, its title is `menu.taxes`. */
  readonly page: string;
  /** Returns the message key of a tab's label. */
  labelOf(name: string): string;
  /** The first one is shown unless the address names another. */
  readonly tabs: readonly PageTab[];
}

export function TabbedPage({ page, labelOf, tabs }: Props) {
  const { part } = useParams();
  const current = tabs.find(({ name }) => name === part) ?? tabs[0]!;
  const access = useAccess();
  const shown = tabs.filter((tab) => tab === current || !tab.scope || !access || grants(access, tab.scope));
  const translate = useTranslate();
  const navigate = useNavigate();
  return (
    <>
      <Title title={translate(`menu.${page}`)} />
      <Card variant="outlined" sx={{ mt: 1 }}>
        <Tabs
          value={current.name}
          onChange={(_event, name) => navigate(`/${page}/${name}`)}
          aria-label={translate(`menu.${page}`)}
          sx={WRAPPED_TABS}
        >
          {shown.map((tab) => (
            <Tab
              key={tab.name}
              value={tab.name}
              id={`tab-${tab.name}`}
              aria-controls={tab === current ? `panel-${tab.name}` : undefined}
              label={translate(labelOf(tab.name))}
            />
          ))}
        </Tabs>
        <Box
          role="tabpanel"
          id={`panel-${current.name}`}
          aria-labelledby={`tab-${current.name}`}
          sx={{ p: { xs: 1.5, sm: 3 } }}
        >
          <ScopeFamily name={current.family}>
            <Suspense fallback={<LoadingSkeleton />}>{current.content}</Suspense>
          </ScopeFamily>
        </Box>
      </Card>
    </>
  );
}
