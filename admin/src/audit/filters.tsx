/** The filters of the page of activity. */
import ClearIcon from '@mui/icons-material/FilterAltOffOutlined';
import { Box, Button, MenuItem, TextField } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { AuditEntry } from 'purveyor/client';
import { useListContext, useLocaleState, useTranslate } from 'react-admin';
import type { Values } from '../api/record-diff.ts';
import { readAll } from '../api/runtime-requests.ts';
import { USERS_KEY } from '../staff/users-common.ts';
import { useMay } from '../utils/use-may.tsx';
import { type Actor, OTHER_ACTORS, useActorName } from './actors.ts';
import { useKind } from './sentence.tsx';

const ACTIONS = [
  ...['created', 'updated', 'deleted', 'restored', 'sign_in', 'sign_in_failed', 'sign_out'],
  ...['export', 'privacy_export', 'privacy_erase'],
];

/** Records with entries of their own. */
const RESOURCES = [
  ...['Attribute', 'AttributeGroup', 'AttributeOption', 'AttributeProperty', 'AttributeValueCheckbox'],
  ...['AttributeValueHidden', 'AttributeValueSelect', 'AttributeValueText', 'Category', 'Coupon', 'CustomProductTab'],
  ...['FrontPageProduct', 'Language', 'Membership', 'Order', 'OrderDetail', 'OrderInvoice', 'OrderReturn'],
  ...['OrderShipment', 'PaymentStatus', 'Product', 'ProductAttachment', 'ProductClass', 'Profile', 'ProfileAddress'],
  ...['Review', 'SaleDiscount', 'ShippingMethod', 'ShippingRate', 'ShippingStatus', 'Sticker', 'StoreInfo', 'Tag'],
  ...['TaxClass', 'TaxRate', 'TaxSettings', 'Transaction', 'Variant', 'VolumeDiscount', 'Webhook', 'WholesalePrice'],
  ...['Zone'],
];

const actorKey = ({ type, id }: Pick<Actor, 'type' | 'id'>): string => (id === null ? type : `${type}:${id}`);

export function ActivityFilters() {
  const { filterValues, setFilters } = useListContext<AuditEntry>();
  const translate = useTranslate();
  const kindOf = useKind();
  const [locale] = useLocaleState();
  const period = (filterValues.date ?? {}) as { after?: string; strictly_before?: string };
  const set = (changed: Values): void => setFilters({ ...filterValues, ...changed });
  const setPeriod = (changed: typeof period): void => set({ date: { ...period, ...changed } });
  const mayManage = { User: useMay('users:manage'), Role: useMay('roles:manage'), Key: useMay('keys:manage') };
  const managed = Object.entries(mayManage).flatMap(([resource, may]) => (may ? [resource] : []));
  const kinds = [...RESOURCES, ...managed]
    .map((id) => [id, kindOf(id)] as const)
    .sort(([, one], [, other]) => one.localeCompare(other, locale));
  return (
    <Box role="group" aria-label={translate('audit.filters')} sx={GRID}>
      <ActorFilter onChoose={set} />
      <Choice
        label="audit.action"
        all="audit.everyAction"
        value={filterValues.action}
        choices={ACTIONS.map((id) => [id, translate(`audit.action.${id}`)])}
        onChoose={(action) => set({ action })}
      />
      <Choice
        label="audit.kind"
        all="audit.everyKind"
        value={filterValues.resource}
        choices={kinds}
        onChoose={(resource) => set({ resource })}
      />
      <Day label="audit.from" value={period.after ?? ''} onChange={(after) => setPeriod({ after })} />
      <Day
        label="audit.until"
        value={dayAfter(period.strictly_before ?? '', -1)}
        onChange={(day) => setPeriod({ strictly_before: dayAfter(day, 1) })}
      />
      {Object.keys(filterValues).length > 0 && (
        <Button size="small" startIcon={<ClearIcon />} onClick={() => setFilters({})}>
          {translate('list.clearFilters')}
        </Button>
      )}
    </Box>
  );
}

const GRID = {
  ...{ display: 'grid', gap: 1.5, p: 1.5, alignItems: 'center' },
  gridTemplateColumns: { xs: '1fr 1fr', sm: 'repeat(auto-fill, minmax(170px, 1fr))' },
} as const;

/** @param day `2026-01-31`, or empty */
function dayAfter(day: string, days: number): string {
  if (day === '') return '';
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 'YYYY-MM-DD'.length);
}

interface ChoiceProps {
  /** Message keys. */
  readonly label: string;
  readonly all: string;
  readonly value: string | undefined;
  readonly choices: readonly (readonly [id: string, name: string])[];
  onChoose(id: string): void;
}

function Choice({ label, all, value = '', choices, onChoose }: ChoiceProps) {
  const translate = useTranslate();
  // A saved address may name a choice that this session does not see.
  const shown = value === '' || choices.some(([id]) => id === value) ? choices : [...choices, [value, value] as const];
  return (
    <TextField
      select
      margin="none"
      label={translate(label)}
      value={value}
      onChange={({ target }) => onChoose(target.value)}
      slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}
    >
      <MenuItem value="">{translate(all)}</MenuItem>
      {shown.map(([id, name]) => (
        <MenuItem key={id} value={id}>
          {name}
        </MenuItem>
      ))}
    </TextField>
  );
}

function Day({ label, value, onChange }: { label: string; value: string; onChange(day: string): void }) {
  const translate = useTranslate();
  return (
    <TextField
      type="date"
      margin="none"
      label={translate(label)}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      slotProps={{ inputLabel: { shrink: true } }}
    />
  );
}

/** Offers the people and keys that the session may list, and those of the entries that are shown. */
function ActorFilter({ onChoose }: { onChoose(filter: Values): void }) {
  const { data = [], filterValues } = useListContext<AuditEntry>();
  const actorName = useActorName();
  const users = useQuery({ queryKey: USERS_KEY, queryFn: () => readAll('/users'), enabled: useMay('users:manage') });
  const keys = useQuery({ queryKey: ['keys'], queryFn: () => readAll('/keys'), enabled: useMay('keys:manage') });
  const actors: readonly Actor[] = [
    ...(users.data ?? []).map(({ id, name }) => ({ type: 'user', id, name })),
    ...(keys.data ?? []).map(({ id, name }) => ({ type: 'key', id, name })),
    ...data.map(({ actor }) => actor).filter(({ type, id }) => id !== null && (type === 'user' || type === 'key')),
    ...OTHER_ACTORS.map((type) => ({ type, id: null, name: null })),
  ];
  const choices = new Map(actors.map((actor) => [actorKey(actor), actorName(actor)]));
  const { actor__type: type = '', actor__id: id = null } = filterValues;
  return (
    <Choice
      label="audit.who"
      all="audit.everyone"
      value={actorKey({ type, id })}
      choices={[...choices]}
      onChoose={(chosen) => {
        const [, ofType = '', ofId = ''] = /^([^:]*):?(.*)$/.exec(chosen) ?? [];
        onChoose({ actor__type: ofType, actor__id: ofId });
      }}
    />
  );
}
