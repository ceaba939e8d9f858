/** Reference server: plain `node:http` that sends Purveyor's response bodies from memory, without authentication. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { RESPONSES_FILE } from './constants.ts';
import { CREATE_PATH } from './scenarios.ts';

const [port] = process.argv.slice(2);
const responses = JSON.parse(readFileSync(RESPONSES_FILE, 'utf8')) as { read: Record<string, string>; created: string };
const bodies = new Map(Object.entries(responses.read).map(([path, body]) => [path, Buffer.from(body)]));
const created = Buffer.from(responses.created);
const headersOf = (body: Buffer) => ({
  'content-type': 'application/json; charset=utf-8',
  'content-length': body.length,
});

const server = createServer((request, response) => {
  if (request.method === 'POST' && request.url === CREATE_PATH) {
    request.resume().on('end', () => response.writeHead(201, headersOf(created)).end(created));
    return;
  }
  const body = bodies.get(request.url!);
  if (body) response.writeHead(200, headersOf(body)).end(body);
  else response.writeHead(404).end();
});
server.listen(Number(port), '127.0.0.1');
