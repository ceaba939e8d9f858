/** Paths and namespaces of the JSON-LD vocabulary. */
import { API_PATH } from '../../engine/index.ts';

/** Document of the vocabulary. Classes and properties are fragments of it. */
export const DOCUMENTATION_PATH = `${API_PATH}/docs.jsonld`;
export const CONTEXTS_PATH = `${API_PATH}/contexts`;

export const NAMESPACES = {
  hydra: 'http://www.w3.org/ns/hydra/core#',
  rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
  xmls: 'http://www.w3.org/2001/XMLSchema#',
  owl: 'http://www.w3.org/2002/07/owl#',
  schema: 'https://schema.org/',
} as const;

export function vocabulary(baseUrl: string): string {
  return `${baseUrl}${DOCUMENTATION_PATH}#`;
}

/** Path of the context of a class. */
export function contextPath(name: string): string {
  return `${CONTEXTS_PATH}/${name}`;
}
