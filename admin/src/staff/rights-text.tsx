/** What a role allows and hides, in words. */
import { Typography } from '@mui/material';
import type { Role } from 'purveyor/client';
import { useLocaleState, useTranslate } from 'react-admin';
import { useScopes } from '../api/scopes.ts';
import { useScopeNames } from '../settings/scope-names.ts';
import { DetailsList } from './details-list.tsx';

/** Operations in the order in which they are named. The others follow. */
const ORDER = ['*', 'write', 'export', 'read'];

export function RightsText({ role: { scopes, masks } }: { role: Pick<Role, 'scopes' | 'masks'> }) {
  const translate = useTranslate();
  const [locale] = useLocaleState();
  const names = useScopeNames();
  const byOperation = familiesByOperation(scopes);
  const familyList = (families: readonly string[]): string => {
    const named = families.filter((family) => family !== '*').map(names.family);
    const sorted = named.sort((one, other) => one.localeCompare(other, locale));
    return [...(families.includes('*') ? [names.family('*')] : []), ...sorted].join(', ');
  };
  const list = [...byOperation].map(([operation, families]) => [names.operation(operation), familyList(families)]);
  return (
    <DetailsList
      details={[
        ...list.map(([label, value]) => [label!, value] as const),
        ...(masks.length > 0 ? [[translate('settings.masks'), <MasksText key="masks" masks={masks} />] as const] : []),
      ]}
    />
  );
}

/** A right includes reading, so only those families that are read and no more are listed under it. */
function familiesByOperation(scopes: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const scope of scopes) {
    const [family, operation] = scope.split(':');
    found.set(operation!, [...(found.get(operation!) ?? []), family!]);
  }
  const others = new Set([...found].flatMap(([operation, families]) => (operation === 'read' ? [] : families)));
  const onlyRead = (found.get('read') ?? []).filter((family) => !others.has(family));
  if (onlyRead.length > 0) found.set('read', onlyRead);
  else found.delete('read');
  const rank = (operation: string): number => (ORDER.includes(operation) ? ORDER.indexOf(operation) : ORDER.length);
  return new Map([...found].sort(([one], [other]) => rank(one) - rank(other)));
}

/** Many fields are only counted, until someone opens the list. */
const NAMED_MAX = 3;

function MasksText({ masks }: { masks: readonly string[] }) {
  const translate = useTranslate();
  const names = useScopeNames();
  const personal = useScopes().data?.masks.filter((mask) => mask.personal && masks.includes(mask.field)).length ?? 0;
  const all = masks.map((mask) => `${names.resource(mask)}: ${names.field(mask)}`).join(', ');
  if (masks.length <= NAMED_MAX) return all;
  return (
    <Typography component="details" variant="inherit">
      <summary>
        {translate('settings.masksCount', { smart_count: masks.length })}
        {personal > 0 && ` (${translate('staff.personalCount', { smart_count: personal })})`}
      </summary>
      <Typography variant="body2" component="span">
        {all}
      </Typography>
    </Typography>
  );
}
