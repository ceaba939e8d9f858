/** Schemas of the JSON-LD keywords of a record. */
import type { JsonSchema } from '../../engine/index.ts';

export const ADDRESS: JsonSchema = { type: 'string', format: 'uri-reference' };

export const KEYWORDS = {
  '@context': { ...ADDRESS, description: 'JSON-LD context that defines the property names.' },
  '@id': { ...ADDRESS, description: 'IRI of the record: its path.' },
  '@type': { type: 'string', description: 'Class of the record in the API documentation.' },
} as const satisfies Record<string, JsonSchema>;
