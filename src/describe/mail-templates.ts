/** The operations on templates of mails (mail.md §4). */
import { MAIL_TEMPLATES_PATH } from '../access/scopes.ts';
import type { JsonSchema } from '../engine/index.ts';
import type { DocumentContext, Reference } from './openapi/components.ts';
import type { Parameter } from './openapi/parameter.ts';
import { CHANGE_HEADERS, type Content, POST_HEADERS, readOperation, writeOperation } from './openapi/users/common.ts';

/** The tag of mails. */
const tag = 'Mail';

const PATH: readonly Parameter[] = [
  pathParameter('name', 'Name of the template.', 'staff_reset'),
  pathParameter('language', 'A language of the store, or `en`, `de`, `fr` or `es`.', 'en'),
];

const INPUT = {
  subject: 'New password for {{store}}',
  text: 'Hello {{name}}!\n\nChoose a new password here:\n\n{{link}}\n',
  html: '<p>Hello {{name}}!</p>\n<p><a href="{{link}}">Choose a new password</a></p>\n',
};

const RENDERED = {
  subject: 'New password for shop.example',
  text: 'Hello Ada Lovelace!\n\nChoose a new password here:\n\nhttps://shop.example/admin#token=example\n',
  html: '<p>Hello Ada Lovelace!</p>\n<p><a href="https:&#x2F;&#x2F;shop.example&#x2F;admin#token&#x3D;example">Choose a new password</a></p>\n',
};

export function mailTemplatePaths(context: DocumentContext): Record<string, Record<string, object>> {
  const input = inputSchema(context);
  const body: Content = { schema: input, example: INPUT };
  const result: Content = {
    schema: templateSchema(context),
    example: { name: 'staff_reset', language: 'en', ...INPUT, built_in: false },
  };
  const change = { tag, parameters: [...PATH, ...CHANGE_HEADERS] };
  return {
    [MAIL_TEMPLATES_PATH]: {
      get: readOperation(
        context,
        {
          ...{ tag, operationId: 'readMailTemplates', summary: 'List mail templates' },
          description:
            'Each template in each language of the store and of the built-in templates, without subject, text and HTML. The list is not paginated.',
        },
        {
          schema: { type: 'array', items: entrySchema(context) },
          example: [{ name: 'staff_reset', language: 'en', variables: ['store', 'name', 'link'], built_in: true }],
        },
      ),
    },
    [`${MAIL_TEMPLATES_PATH}/{name}/{language}`]: {
      get: readOperation(
        context,
        {
          ...{ tag, operationId: 'readMailTemplate', summary: 'Read a template of mails', parameters: PATH },
          description: 'The template of the store, or else the built-in one.',
        },
        result,
      ),
      put: writeOperation(
        context,
        {
          ...{ ...change, operationId: 'replaceMailTemplate', summary: 'Replace a template of mails' },
          description: 'Mustache with variables and comments only. Values in `html` are escaped.',
        },
        { body, result, problems: ['validation-failed'] },
      ),
      delete: writeOperation(
        context,
        {
          ...{ ...change, operationId: 'deleteMailTemplate', summary: 'Delete a template of mails' },
          description: 'The built-in template applies again. 404 if it already does.',
        },
        {},
      ),
    },
    [`${MAIL_TEMPLATES_PATH}/{name}/{language}/preview`]: {
      post: writeOperation(
        context,
        {
          ...{
            tag,
            operationId: 'previewMailTemplate',
            summary: 'Preview a mail',
            parameters: [...PATH, ...POST_HEADERS],
          },
          description: 'Renders the template with example values. No mail is sent.',
        },
        {
          ...{ body: { schema: { type: 'object' }, example: {} }, isOptional: true },
          ...{ result: { schema: input, example: RENDERED }, problems: ['validation-failed'] },
        },
      ),
    },
  };
}

function pathParameter(name: string, description: string, example: string): Parameter {
  return { name, in: 'path', required: true, description, example, schema: { type: 'string' } };
}

const NAME: JsonSchema = { type: 'string', description: 'Name of the template.' };
const BUILT_IN: JsonSchema = {
  type: 'boolean',
  description: 'Whether the built-in template applies. False if the store has replaced it in this language.',
};

const PARTS: Readonly<Record<keyof typeof INPUT, JsonSchema>> = {
  subject: { type: 'string', minLength: 1, maxLength: 255, description: 'Subject.' },
  text: { type: 'string', minLength: 1, maxLength: 50_000, description: 'Plain text. It must contain the link.' },
  html: { type: 'string', minLength: 1, maxLength: 200_000, description: 'HTML. It must contain the link.' },
};

function inputSchema({ components }: DocumentContext): Reference {
  return components.refer('schemas', 'MailContent', () => ({
    ...{ type: 'object', description: 'The parts of a mail.', properties: PARTS, required: Object.keys(PARTS) },
  }));
}

function entrySchema({ components }: DocumentContext): Reference {
  const text = { type: 'string' } as const;
  const properties = {
    name: NAME,
    language: { ...text, description: 'Language.' },
    variables: {
      type: 'array',
      items: text,
      description: 'Variables of the template. Its texts can contain `name` as `{{name}}`.',
    },
    built_in: BUILT_IN,
  };
  return components.refer('schemas', 'MailTemplateEntry', () => ({
    ...{ type: 'object', description: 'A template in a language.', properties, required: Object.keys(properties) },
  }));
}

function templateSchema({ components }: DocumentContext): Reference {
  const properties = {
    name: NAME,
    language: { type: 'string', description: 'Language of the path.' },
    ...PARTS,
    built_in: BUILT_IN,
  };
  return components.refer('schemas', 'MailTemplate', () => ({
    ...{ type: 'object', description: 'A template of mails.', properties, required: Object.keys(properties) },
  }));
}
