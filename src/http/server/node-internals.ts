/**
 * The undocumented members of Node's HTTP server that this program reads. All access to them is in this file, so that a
 * new version of Node needs a check of this file only. `test/http/node-internals.test.ts` fails if a member disappears.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type ServerSocket = Socket & {
  readonly _httpMessage?: ServerResponse | null;
  readonly parser?: { readonly incoming?: IncomingMessage | null } | null;
  readonly _handle?: { readonly bytesWritten: number; readonly writeQueueSize: number } | null;
};

/** Returns the response that the server is writing to this connection, if any. */
export function responseInProgress(socket: Socket): ServerResponse | undefined {
  return (socket as ServerSocket)._httpMessage ?? undefined;
}

/** Returns the request that the parser has begun to read from this connection, if any. */
export function requestBeingParsed(socket: Socket): IncomingMessage | undefined {
  return (socket as ServerSocket).parser?.incoming ?? undefined;
}

/** Returns how many bytes the system has accepted from the server for this connection. */
export function acceptedBytes(socket: Socket): number {
  const { bytesWritten, writeQueueSize } = (socket as ServerSocket)._handle ?? { bytesWritten: 0, writeQueueSize: 0 };
  return bytesWritten - writeQueueSize;
}

/** Whether `maxRequestsPerSocket` makes this the last response of its connection. */
export function isLastResponseOfConnection(response: ServerResponse): boolean {
  return (
    (response as ServerResponse & { maxRequestsOnConnectionReached?: boolean }).maxRequestsOnConnectionReached === true
  );
}
