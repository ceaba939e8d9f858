/** The tabs of the product page. */
import { Badge, Tab, Tabs, Typography } from '@mui/material';
import { useTranslate } from 'react-admin';
import { useFormState } from 'react-hook-form';
import { useMay } from '../utils/use-may.tsx';
import { WRAPPED_TABS } from '../utils/wrapped-tabs.ts';
import { TEXT_FIELDS } from './product-form.ts';

const TABS = [
  'basics',
  'texts',
  'images',
  'attachments',
  'categories',
  'related',
  'attributes',
  'variants',
  'prices',
  'stock',
  'history',
] as const;
export type TabName = (typeof TABS)[number];

/** Tabs with fields of the form. The others save every change immediately. */
export const FORM_TABS: readonly TabName[] = ['basics', 'texts', 'stock'];

export const toTabName = (name: string | null): TabName => TABS.find((tab) => tab === name) ?? 'basics';

const STOCK_FIELDS = ['amount', 'inventory_traceable', 'available_for_backorder', 'backorder_limit'];

/** Returns the tab that shows a field. The name is on two tabs; this is the first. */
export function tabOf(field: string): TabName {
  if (field === 'name') return 'basics';
  if (STOCK_FIELDS.includes(field)) return 'stock';
  return field.startsWith('text:') || (TEXT_FIELDS as readonly string[]).includes(field) ? 'texts' : 'basics';
}

/** Marks tabs that have fields with errors. */
export function ProductTabs({ tab, onTab }: { tab: TabName; onTab(name: TabName): void }) {
  const translate = useTranslate();
  const maySeePrices = useMay('wholesale_prices:read');
  const { errors } = useFormState();
  const tabsWithErrors = new Set(Object.keys(errors).map(tabOf));
  return (
    <Tabs
      value={tab}
      onChange={(_event, name) => onTab(name)}
      aria-label={translate('products.tabs')}
      sx={WRAPPED_TABS}
    >
      {TABS.filter((name) => name !== 'prices' || name === tab || maySeePrices).map((name) => (
        <Tab
          key={name}
          value={name}
          id={`tab-${name}`}
          aria-controls={name === tab ? `panel-${name}` : undefined}
          label={
            <Badge color="error" variant="dot" invisible={!tabsWithErrors.has(name)}>
              <Typography component="span" variant="button">
                {translate(`products.tab.${name}`)}
              </Typography>
            </Badge>
          }
        />
      ))}
    </Tabs>
  );
}
