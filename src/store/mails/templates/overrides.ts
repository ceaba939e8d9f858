/** Templates that the store uses instead of the built-in ones (mail.md §4). */
import { sql } from 'kysely';
import type { Row, Service, ShownRecord, Table, Transaction } from '../../../engine/index.ts';
import { param } from '../outbox.ts';
import { BUILT_IN, type TemplateName, VARIABLES } from './built-in.ts';
import type { Template } from './layout.ts';

export const MAIL_TEMPLATES: Table = {
  name: 'mail_template',
  columns: ['name', 'language', 'subject', 'text', 'html'].map((name) => ({ name, type: 'text', nullable: false })),
  primaryKey: ['name', 'language'],
  counted: false,
};

const TABLE = sql.table('mail_template');
const NAME = param('name', 'text');
const LANGUAGE = param('language', 'text');

/** Of a template and a language. */
export interface TemplateKey {
  readonly name: TemplateName;
  readonly language: string;
}

/** A template as the store uses it. */
interface UsedTemplate extends Template {
  readonly isBuiltIn: boolean;
}

export function isTemplateName(name: string): name is TemplateName {
  return Object.hasOwn(BUILT_IN, name);
}

/** The languages of the built-in templates. The first one is used if no other fits. */
export const TEMPLATE_LANGUAGES: readonly string[] = Object.keys(BUILT_IN.staff_reset);

/** Returns the template for a language, or else for its first part, such as `pt` of `pt-BR`, or else the English one. */
export async function readTemplate(
  service: Service,
  { name, language }: TemplateKey,
): Promise<UsedTemplate & { readonly language: string }> {
  const own = await readOverrides(service, name);
  const builtIn: Readonly<Record<string, Template>> = BUILT_IN[name];
  const candidates = [language, language.split('-')[0]!, TEMPLATE_LANGUAGES[0]!];
  const found = candidates.find((each) => own.has(each) || Object.hasOwn(builtIn, each))!;
  const override = own.get(found);
  return { ...(override ?? builtIn[found]!), language: found, isBuiltIn: override === undefined };
}

async function readOverrides(
  { database, statements }: Service,
  name: TemplateName,
): Promise<ReadonlyMap<string, Template>> {
  const read = statements.get(
    'read mail templates',
    ({ placeholder }) => sql`select language, subject, text, html from ${TABLE} where name = ${placeholder(NAME)}`,
  );
  const rows = (await database.query(read, { name })) as (readonly string[])[];
  return new Map(rows.map(([language, subject, text, html]) => [language!, { subject, text, html } as Template]));
}

/** Returns every template in each of these languages, with its variables and whether the store has not replaced it. */
export async function listTemplates(service: Service, languages: readonly string[]): Promise<readonly ShownRecord[]> {
  const names = Object.keys(BUILT_IN) as TemplateName[];
  const lists = await Promise.all(
    names.map(async (name) => {
      const own = await readOverrides(service, name);
      const variables: string[] = [...VARIABLES[name]];
      return languages.map((language) => ({ name, language, variables, built_in: !own.has(language) }));
    }),
  );
  return lists.flat();
}

/** Writes or replaces the template of a language. */
export async function writeTemplate(
  { statements }: Service,
  transaction: Transaction,
  { name, language }: TemplateKey,
  { subject, text, html }: Template,
): Promise<void> {
  const write = statements.get('write mail template', ({ placeholder }) => {
    const values = [NAME, LANGUAGE, param('subject', 'text'), param('text', 'text'), param('html', 'text')];
    return sql`insert into ${TABLE} (${sql.join(values.map((value) => sql.id(value.name)))})
      values (${sql.join(values.map((value) => placeholder(value)))})
      on conflict (name, language) do update set subject = excluded.subject, text = excluded.text, html = excluded.html
      returning 1`;
  });
  await transaction.run(write, { name, language, subject, text, html });
}

/** @returns the removed template; undefined if there was none */
export async function removeTemplate(
  { statements }: Service,
  transaction: Transaction,
  { name, language }: TemplateKey,
): Promise<Template | undefined> {
  const remove = statements.get(
    'remove mail template',
    ({
      placeholder,
    }) => sql`delete from ${TABLE} where name = ${placeholder(NAME)} and language = ${placeholder(LANGUAGE)}
      returning subject, text, html`,
  );
  const [row] = (await transaction.run(remove, { name, language })) as Row[];
  if (row === undefined) return undefined;
  const [subject, text, html] = row as readonly string[];
  return { subject: subject!, text: text!, html: html! };
}
