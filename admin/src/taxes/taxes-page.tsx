/** Taxes: rates, zones, settings, and a tester that explains what a buyer pays. */
import { Box, Card, Tab, Tabs } from '@mui/material';
import { lazy, type ReactNode, Suspense } from 'react';
import { Title, useTranslate } from 'react-admin';
import { useNavigate, useParams } from 'react-router-dom';
import { grants, type Scope } from '../api/access.ts';
import { LoadingSkeleton } from '../components/loading.tsx';
import { ScopeFamily, useAccess } from '../utils/use-may.tsx';
import { WRAPPED_TABS } from '../utils/wrapped-tabs.ts';

const Rates = lazy(() => import('./rates.tsx'));
const Zones = lazy(() => import('./zones.tsx'));
const TaxSettings = lazy(() => import('./tax-settings.tsx'));
const Tester = lazy(() => import('./tester.tsx'));

interface TaxesTab {
  readonly content: ReactNode;
  /** The scope without which the tab is not shown. */
  readonly scope: Scope;
  /** The family of the records that the tab changes. */
  readonly family: string;
}

const TABS = {
  rates: { content: <Rates />, family: 'tax_rates', scope: 'tax_rates:read' },
  zones: { content: <Zones />, family: 'zones', scope: 'zones:read' },
  settings: { content: <TaxSettings />, family: 'tax_settings', scope: 'tax_settings:read' },
  tester: { content: <Tester />, family: 'products', scope: 'products:read' },
} satisfies Record<string, TaxesTab>;

export default function Taxes() {
  const { part = 'rates' } = useParams();
  const tab = part in TABS ? (part as keyof typeof TABS) : 'rates';
  const access = useAccess();
  const shown = (Object.entries(TABS) as [keyof typeof TABS, TaxesTab][]).filter(
    ([name, { scope }]) => name === tab || !access || grants(access, scope),
  );
  const translate = useTranslate();
  const navigate = useNavigate();
  return (
    <>
      <Title title={translate('menu.taxes')} />
      <Card variant="outlined" sx={{ mt: 1 }}>
        <Tabs
          value={tab}
          onChange={(_event, name) => navigate(`/taxes/${name}`)}
          aria-label={translate('menu.taxes')}
          sx={WRAPPED_TABS}
        >
          {shown.map(([name]) => (
            <Tab
              key={name}
              value={name}
              id={`tab-${name}`}
              aria-controls={name === tab ? `panel-${name}` : undefined}
              label={translate(`taxes.tab.${name}`)}
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
