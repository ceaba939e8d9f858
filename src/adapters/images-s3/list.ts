/** Lists the objects directly under a prefix, page by page. */

import type { Requests } from './requests.ts';
import { elementsOf, textOf } from './xml.ts';

interface Listed {
  /** Without the prefix of the store. */
  readonly key: string;
  /** According to the S3 store's clock. */
  readonly ageSeconds: number;
}

/** @param start of the keys, after the store's prefix */
export async function* listObjects(requests: Requests, start: string): AsyncGenerator<Listed> {
  const { prefix } = requests.address;
  const query: Record<string, string> = { 'list-type': '2', prefix: prefix + start, delimiter: '/' };
  for (;;) {
    const page = await requests.send({ method: 'GET', query }, async ({ headers, body }) => ({
      text: await body.text(),
      now: Date.parse(String(headers.date)) || Date.now(),
    }));
    for (const object of elementsOf(page.text, 'Contents')) {
      const key = textOf(object, 'Key') ?? '';
      const changed = Date.parse(textOf(object, 'LastModified') ?? '');
      yield { key: key.slice(prefix.length), ageSeconds: Math.max(0, (page.now - changed) / 1000) };
    }
    if (textOf(page.text, 'IsTruncated') !== 'true') return;
    const token = textOf(page.text, 'NextContinuationToken');
    if (token === undefined) return;
    query['continuation-token'] = token;
  }
}
