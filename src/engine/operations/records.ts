/** What rules may ask and change inside the transaction of the write that they take part in. */
import * as commands from '../commands.ts';
import type { ModelField, ModelResource } from '../model.ts';
import type { Value } from '../ports.ts';
import { columnType } from '../query.ts';
import type { Records } from '../resource.ts';
import type { Service } from '../service.ts';
import { insert, type Pen, update } from './save.ts';
import type { Run } from './stored.ts';
import { listStored, readStored } from './stored.ts';

/** A read changes nothing that others would have to wait for. */
export const lockNothing: Records['lock'] = async () => {};

/** @param lock of the write's transaction, or `lockNothing` */
export function createRecords(
  service: Service,
  run: Run,
  language: string,
  lock: Records['lock'],
  now = service.clock.now(),
): Records {
  const { model, statements } = service;
  const pen: Pen = { service, run, lock, language, now };
  const resourceOf = (name: string): ModelResource => model.resources.get(name)!;
  const fieldsOf = (resource: ModelResource, where: object): ModelField[] =>
    Object.keys(where).map((name) => resource.fields.get(name)!);
  return {
    async used(name, texts) {
      const rows = await run(statements.get(`used ${name}`, commands.usedTexts(name)), { texts: [...texts] });
      return new Set(rows.map(([text]) => text as string));
    },
    async find(name, fieldName, value) {
      const field = resourceOf(name).fields.get(fieldName)!;
      const statement = statements.get(`find ${name}.${fieldName}`, commands.findByColumn(field, columnType(field)));
      const rows = await run(statement, { value });
      return rows.map(([id]) => id as Value);
    },
    async identify(name, fieldName, values) {
      if (values.length === 0) return new Map();
      const field = resourceOf(name).fields.get(fieldName)!;
      const key = `identify ${name}.${fieldName}`;
      const statement = statements.get(key, commands.identifyByColumn(field, columnType(field)));
      const rows = await run(statement, { values: [...values] });
      return new Map(rows.map(([value, id]) => [value as Value, id as Value]));
    },
    list: (name, where) => listStored(service, resourceOf(name), listed(where), language, run),
    async hold(name, ids) {
      if (ids.length === 0) return [];
      const resource = resourceOf(name);
      await run(statements.get(`lock all ${name}`, commands.lockRecords(resource)), { ids: [...ids] });
      return listStored(service, resource, { [resource.identifierField]: [...ids] }, language, run);
    },
    change: (name, id, values) => update(pen, resourceOf(name), id, values),
    add: (name, values) => insert(pen, resourceOf(name), values),
    async texts(name, id, fieldName) {
      const statement = statements.get(
        `texts of ${name}.${fieldName}`,
        commands.textsOf(resourceOf(name).fields.get(fieldName)!),
      );
      const rows = await run(statement, { ids: [id] });
      return Object.fromEntries(rows.map(([, code, text]) => [code as string, text as string]));
    },
    async hasTexts(code) {
      const translated = [...model.resources.values()].filter(({ translations }) => translations.length > 0);
      if (translated.length === 0) return false;
      const rows = await run(statements.get('texts in language', commands.textsInLanguage(translated)), {
        language: code,
      });
      return rows.length > 0;
    },
    lock,
    read: (name, id) => readStored(service, resourceOf(name), id, language, run),
    async ancestors(name, id) {
      const rows = await run(statements.get(`ancestors ${name}`, commands.ancestors(resourceOf(name).tree!)), { id });
      return rows.map(([one]) => one as Value);
    },
    async remove(name, where) {
      const resource = resourceOf(name);
      const key = `delete ${name} where ${Object.keys(where).join()}`;
      await run(statements.get(key, commands.deleteWhere(resource, fieldsOf(resource, where))), listed(where));
    },
    async count(name, where) {
      const resource = resourceOf(name);
      const key = `count ${name} where ${Object.keys(where).join()}`;
      const [row] = await run(
        statements.get(key, commands.countWhere(resource, fieldsOf(resource, where))),
        listed(where),
      );
      return Number(row![0]);
    },
  };
}

function listed(where: Readonly<Record<string, Value>>): Record<string, Value[]> {
  return Object.fromEntries(
    Object.entries(where).map(([name, value]) => [name, Array.isArray(value) ? value : [value]]),
  );
}
