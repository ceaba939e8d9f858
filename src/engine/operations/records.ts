/** What rules may ask and change inside the transaction of the write that they take part in. */
import * as commands from '../commands.ts';
import type { ModelField, ModelResource } from '../model.ts';
import type { Value } from '../ports.ts';
import { columnType } from '../query.ts';
import type { Records } from '../resource.ts';
import type { Service } from '../service.ts';
import { update } from './save.ts';
import type { Run } from './stored.ts';
import { readStored } from './stored.ts';

/** A read changes nothing that others would have to wait for. */
export const lockNothing: Records['lock'] = async () => {};

/** @param lock of the write's transaction, or `lockNothing` */
export function createRecords(service: Service, run: Run, language: string, lock: Records['lock']): Records {
  const { model, statements, clock } = service;
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
    change: (name, id, values) => update({ service, run, language, now: clock.now() }, resourceOf(name), id, values),
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

function listed(where: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(where).map(([name, value]) => [name, Array.isArray(value) ? value : [value]]),
  );
}
