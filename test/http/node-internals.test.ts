/** The undocumented members of Node that the server reads exist in this version of Node. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import {
  acceptedBytes,
  isLastResponseOfConnection,
  requestBeingParsed,
  responseInProgress,
} from '../../src/http/server/node-internals.ts';

/** More than the system buffers for a connection. */
const BODY_BYTES = 50_000_000;

test('finds the request and the response in progress on a connection, and its last response', async (context) => {
  const server = createServer().listen(0, '127.0.0.1');
  server.maxRequestsPerSocket = 2;
  context.after(() => server.close());
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  context.after(() => client.destroy());
  const isLast: boolean[] = [];
  for (let number = 1; number <= 2; number += 1) {
    client.write('POST / HTTP/1.1\r\nHost: store\r\nContent-Length: 2\r\n\r\n{');
    const [request, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
    const { socket } = request;
    assert.equal(responseInProgress(socket), response);
    assert.equal(requestBeingParsed(socket), request);
    isLast.push(isLastResponseOfConnection(response));
    client.write('}');
    request.resume();
    await once(request, 'end');
    response.end();
    await once(client, 'data');
    assert.equal(responseInProgress(socket), undefined);
  }
  assert.deepEqual(isLast, [false, true]);
});

test('counts the bytes that the system has accepted for a connection', async (context) => {
  const server = createServer((_request, response) => response.end(Buffer.alloc(BODY_BYTES))).listen(0, '127.0.0.1');
  context.after(() => server.close());
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  context.after(() => client.destroy());
  client.write('GET / HTTP/1.1\r\nHost: store\r\n\r\n');
  const [, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  const socket = response.socket!;
  const first = acceptedBytes(socket);
  assert.ok(first > 0 && first < BODY_BYTES, `${first} bytes are accepted`);
  client.resume();
  await once(response, 'finish');
  assert.ok(acceptedBytes(socket) > BODY_BYTES, `${acceptedBytes(socket)} bytes are accepted`);
  socket.destroy();
  assert.equal(acceptedBytes(socket), 0);
});
