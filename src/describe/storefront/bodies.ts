/** The members of customers’ request bodies (storefront.md §3). */
import type { JsonSchema } from '../../engine/index.ts';

export const LOGIN: JsonSchema = { type: 'string', maxLength: 128, description: 'E-mail address.' };
export const PASSWORD: JsonSchema = { type: 'string', minLength: 8, maxLength: 128, description: 'New password.' };
export const CURRENT: JsonSchema = { type: 'string', maxLength: 128, description: 'Current password.' };
export const TOKEN: JsonSchema = { type: 'string', maxLength: 100, description: 'The token in the link of the mail.' };
export const LANGUAGE: JsonSchema = { type: 'string', description: 'Language of mails to the customer.' };
export const TRANSPORT: JsonSchema = {
  type: 'string',
  enum: ['bearer', 'cookie'],
  description: '`bearer` (default) returns the token of the session, `cookie` sets a cookie that scripts cannot read.',
};

export const CART: JsonSchema = {
  type: 'string',
  nullable: true,
  maxLength: 100,
  description: 'Token of a cart. It becomes the customer’s, or is merged into the open cart of the customer.',
};

export const EXAMPLE_LOGIN = 'ada@example.com';
export const EXAMPLE_PASSWORD = 'correct horse battery';

/** Problems of every body. */
export const BODY_PROBLEMS = ['validation-failed', 'unsupported-media-type', 'content-too-large'] as const;

const OPTIONAL = ['language', 'transport', 'cart'];

/** Returns a body whose members are required, except for `language`, `transport` and `cart`. */
export function body(properties: Readonly<Record<string, JsonSchema>>, example: Readonly<Record<string, string>>) {
  const required = Object.keys(properties).filter((name) => !OPTIONAL.includes(name));
  return { schema: { type: 'object', properties, ...(required.length > 0 && { required }) }, example };
}
