/** Taxes: rates, zones, settings, and a tester that explains what a buyer pays. */
import { lazy } from 'react';
import { type PageTab, TabbedPage } from '../components/tabbed-page.tsx';

const Rates = lazy(() => import('./rates.tsx'));
const Zones = lazy(() => import('./zones.tsx'));
const TaxSettings = lazy(() => import('./tax-settings.tsx'));
const Tester = lazy(() => import('./tester.tsx'));

const TABS: readonly PageTab[] = [
  { name: 'rates', content: <Rates />, family: 'tax_rates', scope: 'tax_rates:read' },
  { name: 'zones', content: <Zones />, family: 'zones', scope: 'zones:read' },
  { name: 'settings', content: <TaxSettings />, family: 'tax_settings', scope: 'tax_settings:read' },
  { name: 'tester', content: <Tester />, family: 'products', scope: 'products:read' },
];

export default function Taxes() {
  return <TabbedPage page="taxes" labelOf={(name) => `taxes.tab.${name}`} tabs={TABS} />;
}
