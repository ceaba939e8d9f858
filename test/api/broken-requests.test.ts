/**
 * Requests that violate HTTP itself: rejected with a problem, and smuggled requests do not run (reliability, group
 * A).
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { assertUnchanged } from '../support/expect.ts';
import { head, sendRaw } from '../support/raw-request.ts';
import { onOneDatabase, READ_WRITE_KEY } from '../support/store.ts';

const KEY = `X-Auth-Token: ${READ_WRITE_KEY}`;

onOneDatabase('malformed HTTP requests', {}, (store) => {
  before(() => store.made('/api/tags', { name: 'First' }));

  const smuggled = head('DELETE /api/tags/1', KEY);
  const post = (...headers: string[]) => head('POST /api/tags', KEY, 'Content-Type: application/json', ...headers);
  const broken: Record<string, string> = {
    'no request line': 'nonsense\r\n\r\n',
    'an unknown method': head('BREW /api/tags', KEY),
    'HTTP/0.9': 'GET /api/tags\r\n\r\n',
    'no Host': head('GET /api/tags', KEY).replace('Host: store\r\n', ''),
    'two hosts': head('GET /api/tags', KEY, 'Host: other'),
    'a length and chunks': `${post('Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\n${smuggled}`,
    'two lengths': `${post('Content-Length: 2', 'Content-Length: 9')}{}${smuggled}`,
    'a negative length': `${post('Content-Length: -1')}${smuggled}`,
    'a length with a sign': `${post('Content-Length: +2')}{}${smuggled}`,
    'an unknown transfer coding': `${post('Transfer-Encoding: xchunked')}0\r\n\r\n${smuggled}`,
    'a coding after chunked': `${post('Transfer-Encoding: chunked, identity')}0\r\n\r\n${smuggled}`,
    'a coding behind a tab': `${post('Transfer-Encoding:\tchunked', 'Content-Length: 5')}0\r\n\r\n${smuggled}`,
    'two transfer codings': `${post('Transfer-Encoding: chunked', 'Transfer-Encoding: identity')}0\r\n\r\n${smuggled}`,
    'two equal lengths': `${post('Content-Length: 2', 'Content-Length: 2')}{}${smuggled}`,
    'a hexadecimal length': `${post('Content-Length: 0x2')}{}${smuggled}`,
    'a length with a list': `${post('Content-Length: 2, 2')}{}${smuggled}`,
    'a chunk size with a sign': `${post('Transfer-Encoding: chunked')}+2\r\n{}\r\n0\r\n\r\n${smuggled}`,
    'a chunk longer than its declared size': `${post('Transfer-Encoding: chunked')}2\r\n{}}\r\n0\r\n\r\n${smuggled}`,
    'HTTP/3.0': head('GET /api/tags', KEY).replace('HTTP/1.1', 'HTTP/3.0'),
    'HTTP/2.0': head('GET /api/tags', KEY).replace('HTTP/1.1', 'HTTP/2.0'),
    'a bare line feed in a header': head('GET /api/tags', KEY, 'X-Name: a\nX-Auth-Token: b'),
    'a header without a name': head('GET /api/tags', KEY, ': x'),
    'a chunk size that overflows': `${post('Transfer-Encoding: chunked')}FFFFFFFFFFFFFFFFF\r\n{}\r\n${smuggled}`,
    'a space before the colon': head('GET /api/tags', KEY, 'X-Name : x'),
    'a folded header': head('GET /api/tags', KEY, 'X-Name: x\r\n folded'),
    'a NUL in a header': head('GET /api/tags', KEY, 'X-Name: a\u0000b'),
  };
  for (const [title, text] of Object.entries(broken))
    test(`rejects ${title} with a 400 problem and runs no smuggled request`, () =>
      assertUnchanged(store, async () => {
        const response = await sendRaw(store.address, text);
        assert.match(response, /^HTTP\/1\.1 400 /);
        assert.match(response, /content-type: application\/problem\+json/i);
        assert.equal(response.match(/HTTP\/1\.1 /g)?.length, 1, 'exactly one response');
      }));
});
