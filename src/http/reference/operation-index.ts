/** The list of all operations, which `GET /api` shows without JavaScript and until the interactive reference has loaded. */
import { escapeHtml } from '../../engine/index.ts';

/** An OpenAPI document, as far as the list shows it. */
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly 'x-tagGroups': readonly { readonly name: string; readonly tags: readonly string[] }[];
}

interface DescribedOperation {
  readonly summary: string;
  readonly tags: readonly string[];
}

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly tag: string;
}

/** @returns HTML: a heading for each group, and below it a table for each resource */
export function operationIndex(document: Document): string {
  const byTag = Map.groupBy(operationsIn(document), ({ tag }) => tag);
  return document['x-tagGroups']
    .map(({ name, tags }) => {
      const tables = tags.map((tag) => resourceTable(tag, byTag.get(tag) ?? []));
      return [`<h2>${escapeHtml(name)}</h2>`, ...tables].join('\n');
    })
    .join('\n');
}

function operationsIn({ paths }: Document): Operation[] {
  return Object.entries(paths).flatMap(([path, { parameters: _, ...methods }]) =>
    Object.entries(methods).map(([method, { summary, tags }]) => ({
      ...{ path, summary, method: method.toUpperCase(), tag: tags[0]! },
    })),
  );
}

function resourceTable(tag: string, operations: readonly Operation[]): string {
  const rows = operations.map(
    ({ method, path, summary }) =>
      `<tr><td><code>${method}</code></td><td><code>${escapeHtml(path)}</code></td><td>${escapeHtml(summary)}</td></tr>`,
  );
  return `<h3>${escapeHtml(tag)}</h3>\n<table><tbody>\n${rows.join('\n')}\n</tbody></table>`;
}
