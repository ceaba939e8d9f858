/** The settings, one tab each. */
import { Box, Card, Tab, Tabs } from '@mui/material';
import { lazy, type ReactNode, Suspense } from 'react';
import { Title, useTranslate } from 'react-admin';
import { useNavigate, useParams } from 'react-router-dom';
import { grants, type Scope } from '../api/access.ts';
import { LoadingSkeleton } from '../components/loading.tsx';
import { ScopeFamily, useAccess } from '../utils/use-may.tsx';
import { WRAPPED_TABS } from '../utils/wrapped-tabs.ts';

const ApiKeys = lazy(() => import('./api-keys.tsx'));
const StoreSettings = lazy(() => import('./store-settings.tsx'));
const Webhooks = lazy(() => import('./webhooks.tsx'));
const Languages = lazy(() => import('./languages.tsx'));
const NameTable = lazy(() => import('./name-table.tsx'));
const AttributeSettings = lazy(() => import('./attribute-settings.tsx'));
const ProductTabs = lazy(() => import('./product-tabs.tsx'));
const Statuses = lazy(() => import('./statuses.tsx'));

interface SettingsTab {
  readonly content: ReactNode;
  /** The scope without which the tab is not shown. */
  readonly scope?: Scope;
  /** The family of the records that the tab changes. */
  readonly family: string;
}

const TABS = {
  store: { content: <StoreSettings />, family: 'store' },
  keys: { content: <ApiKeys />, family: 'keys' },
  webhooks: { content: <Webhooks />, family: 'webhooks', scope: 'webhooks:read' },
  languages: { content: <Languages />, family: 'languages', scope: 'languages:read' },
  tax_classes: { content: <NameTable key="tax_classes" resource="tax_classes" />, family: 'tax_classes' },
  memberships: { content: <NameTable key="memberships" resource="memberships" />, family: 'memberships' },
  product_classes: { content: <NameTable key="classes" resource="product_classes" />, family: 'product_classes' },
  attributes: { content: <AttributeSettings />, family: 'attributes', scope: 'attributes:read' },
  product_tabs: { content: <ProductTabs />, family: 'custom_product_tabs', scope: 'custom_product_tabs:read' },
  tags: { content: <NameTable key="tags" resource="tags" />, family: 'tags' },
  statuses: { content: <Statuses />, family: 'payment_statuses' },
} satisfies Record<string, SettingsTab>;

export default function Settings() {
  const { part = 'store' } = useParams();
  const tab = part in TABS ? (part as keyof typeof TABS) : 'store';
  const access = useAccess();
  const shown = (Object.entries(TABS) as [keyof typeof TABS, SettingsTab][]).filter(
    ([name, { scope }]) => name === tab || scope === undefined || !access || grants(access, scope),
  );
  const translate = useTranslate();
  const navigate = useNavigate();
  return (
    <>
      <Title title={translate('menu.settings')} />
      <Card variant="outlined" sx={{ mt: 1 }}>
        <Tabs
          value={tab}
          onChange={(_event, name) => navigate(`/settings/${name}`)}
          aria-label={translate('menu.settings')}
          sx={WRAPPED_TABS}
        >
          {shown.map(([name]) => (
            <Tab
              key={name}
              value={name}
              id={`tab-${name}`}
              aria-controls={name === tab ? `panel-${name}` : undefined}
              label={translate(`settings.tab.${name}`)}
            />
          ))}
        </Tabs>
        <Box role="tabpanel" id={`panel-${tab}`} aria-labelledby={`tab-${tab}`} sx={{ p: { xs: 1.5, sm: 3 } }}>
          <ScopeFamily name={TABS[tab].family}>
            <Suspense fallback={<LoadingSkeleton />}>{TABS[tab].content}</Suspense>
          </ScopeFamily>
        </Box>
      </Card>
    </>
  );
}
