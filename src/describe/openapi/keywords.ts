/** The schemas of JSON-LD's own keys, beside a record's fields. */
import type { JsonSchema } from '../../engine/index.ts';

export const ADDRESS: JsonSchema = { type: 'string', format: 'uri-reference' };

export const KEYWORDS = {
  '@context': { ...ADDRESS, description: 'The meanings of the names.' },
  '@id': { ...ADDRESS, description: 'The record’s IRI: its path.' },
  '@type': { type: 'string', description: 'The record’s class in the documentation.' },
} as const satisfies Record<string, JsonSchema>;
