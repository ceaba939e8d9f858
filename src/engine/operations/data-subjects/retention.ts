/** Parts with a retention period (`retention`), which erasure must skip until it ends. */
import { sql } from 'kysely';
import type { ModelResource } from '../../model/model.ts';
import { keyColumn } from '../../model/tables.ts';
import { BindParam, type Value } from '../../ports.ts';
import { TEXT_FORMS } from '../../text-forms.ts';
import { committed } from '../../unit/reads.ts';
import type { RequestOptions, Service } from '../../unit/service.ts';
import type { Unit } from '../../unit/unit.ts';

/** Returns the records still within their retention period, and when the last period ends. */
export async function stillRetained(
  unit: Unit,
  resource: ModelResource,
  ids: readonly Value[],
): Promise<{ readonly young: ReadonlySet<Value>; readonly untilLast: number }> {
  const { name, identifierField, declaration } = resource;
  const { retention } = declaration;
  if (!retention) return { young: new Set(), untilLast: 0 };
  const years = retentionYears(unit.service, resource);
  const young = new Set<Value>();
  let untilLast = 0;
  for (const stored of await unit.list(name, { [identifierField]: [...ids] })) {
    const until = yearsLater(stored[retention.from] as number, years);
    if (until <= unit.now) continue;
    young.add(stored[identifierField]!);
    untilLast = Math.max(untilLast, until);
  }
  return { young, untilLast };
}

function retentionYears({ environment }: Service, { declaration }: ModelResource): number {
  return Number(environment.settings[declaration.retention!.setting] ?? 0);
}

/** Adds calendar years (UTC). February 29 may become March 1. */
function yearsLater(seconds: number, years: number): number {
  const timestamp = new Date(seconds * 1000);
  timestamp.setUTCFullYear(timestamp.getUTCFullYear() + years);
  return timestamp.getTime() / 1000;
}

/** A part of an erased data subject's record whose retention period has ended. */
export interface DuePart {
  readonly resource: ModelResource;
  readonly owner: Value;
  readonly id: Value;
}

/**
 * Returns parts of erased data subjects whose retention period ended after `earlier`. Erased records are recognized by
 * the name that an erasure leaves.
 * @param earlier seconds since 1970; undefined returns all parts whose period has ended
 */
export async function dueParts(
  service: Service,
  requestOptions: RequestOptions,
  earlier: number | undefined,
): Promise<DuePart[]> {
  const reads = committed(service, requestOptions);
  const due: DuePart[] = [];
  for (const resource of service.model.resources.values()) {
    const { retention } = resource.declaration;
    if (!retention) continue;
    const owner = resource.owner!.target!;
    const named = owner.fields.get(owner.declaration.ofDataSubject!.named!)!;
    const from = resource.fields.get(retention.from)!;
    const left = named.field.personal!('') as string;
    const years = retentionYears(service, resource);
    const rows = await reads.query(
      `due parts ${resource.name}`,
      ({
        placeholder,
      }) => sql`select ${sql.id('owner', owner.identifierField)}, ${sql.id('part', resource.identifierField)}
        from ${sql.table(owner.table)} as ${sql.id('owner')} join ${sql.table(resource.table)} as ${sql.id('part')}
        on ${sql.id('part', resource.owner!.column)} = ${sql.id('owner', owner.identifierField)}
        where ${sql.id('owner', keyColumn(named))} = ${placeholder(new BindParam('key', 'text'))}
        and ${sql.id('owner', named.column)} = ${placeholder(new BindParam('left', 'text'))}
        and ${sql.id('part', from.column)} > ${placeholder(new BindParam('after', 'timestamp'))}
        and ${sql.id('part', from.column)} <= ${placeholder(new BindParam('until', 'timestamp'))} order by 1, 2`,
      {
        ...{ key: TEXT_FORMS.key(left), left },
        ...{
          after: earlier === undefined ? -1 : yearsLater(earlier, -years),
          until: yearsLater(service.clock.now(), -years),
        },
      },
    );
    due.push(...rows.map(([root, id]) => ({ resource, owner: root as Value, id: id as Value })));
  }
  return due;
}
