/** The settings, one tab each. */
import { lazy } from 'react';
import { type PageTab, TabbedPage } from '../components/tabbed-page.tsx';

const ApiKeys = lazy(() => import('./api-keys.tsx'));
const StoreSettings = lazy(() => import('./store-settings.tsx'));
const Webhooks = lazy(() => import('./webhooks.tsx'));
const Languages = lazy(() => import('./languages.tsx'));
const NameTable = lazy(() => import('./name-table.tsx'));
const AttributeSettings = lazy(() => import('./attribute-settings.tsx'));
const ProductTabs = lazy(() => import('./product-tabs.tsx'));
const Statuses = lazy(() => import('./statuses.tsx'));

const TABS: readonly PageTab[] = [
  { name: 'store', content: <StoreSettings />, family: 'store' },
  { name: 'keys', content: <ApiKeys />, family: 'keys' },
  { name: 'webhooks', content: <Webhooks />, family: 'webhooks', scope: 'webhooks:read' },
  { name: 'languages', content: <Languages />, family: 'languages', scope: 'languages:read' },
  { name: 'tax_classes', content: <NameTable key="tax_classes" resource="tax_classes" />, family: 'tax_classes' },
  { name: 'memberships', content: <NameTable key="memberships" resource="memberships" />, family: 'memberships' },
  {
    name: 'product_classes',
    content: <NameTable key="classes" resource="product_classes" />,
    family: 'product_classes',
  },
  { name: 'attributes', content: <AttributeSettings />, family: 'attributes', scope: 'attributes:read' },
  { name: 'product_tabs', content: <ProductTabs />, family: 'custom_product_tabs', scope: 'custom_product_tabs:read' },
  { name: 'tags', content: <NameTable key="tags" resource="tags" />, family: 'tags' },
  { name: 'statuses', content: <Statuses />, family: 'payment_statuses' },
];

export default function Settings() {
  return <TabbedPage page="settings" labelOf={(name) => `settings.tab.${name}`} tabs={TABS} />;
}
