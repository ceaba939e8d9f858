/**
 * Runs in the namespace that `run.ts` created. Detects connections independently of the downloader: by canaries that listen
 * on every address, and by the kernel's count of opened connections. Prints the results; the last line has the figures.
 */
import { createSocket } from 'node:dgram';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import sharp from 'sharp';
import { Agent, request } from 'undici';
import { createImageDecoder } from '../../src/adapters/image-decoder/index.ts';
import { GOOD, NAMES, PAYLOADS, PUBLIC, PUBLIC_V6 } from './payloads.ts';
import type { Figures } from './run.ts';

const PORTS = [21, 22, 25, 80, 443, 3128, 6379, 8080];
const TYPES: Readonly<Record<number, 'A' | 'AAAA'>> = { 1: 'A', 28: 'AAAA' };

const image = await sharp({ create: { width: 30, height: 20, channels: 3, background: 'red' } })
  .png()
  .toBuffer();
const arrivals: string[] = [];
let asked = new Map<string, number>();

serveNames();
for (const port of PORTS) await listen(port);
await check();

async function check(): Promise<void> {
  const imageDecoder = createImageDecoder({
    bytesMax: 1_000_000,
    pixelsMax: 1_000_000,
    downloadSecondsMax: 5,
    allow: [],
  });
  let attempts = 0;
  for (const { address, hops } of PAYLOADS) {
    const [heard, begun] = [arrivals.length, connectionsBegun()];
    asked = new Map();
    // The second download uses the changed records of rebinding names.
    const outcomes = [await imageDecoder.fromAddress(address), await imageDecoder.fromAddress(address)];
    const made = connectionsBegun() - begun;
    const due = address.includes('rebind') ? 1 : hops * 2;
    if (made > due) attempts += made - due;
    if (outcomes.some((outcome) => !('refused' in outcome))) arrivals.push(`${address}: an image was downloaded`);
    if (arrivals.length > heard || made > due || (made < due && hops > 0))
      console.log(`${JSON.stringify(address)}: ${made} connections, ${due} due; ${arrivals.slice(heard).join(', ')}`);
  }
  const found = arrivals.length;

  let passed = 0;
  for (const { address, hops } of GOOD) {
    const begun = connectionsBegun();
    const outcome = await imageDecoder.fromAddress(address);
    if (!('refused' in outcome) && connectionsBegun() - begun === hops) passed += 1;
    else console.log(`${address}: ${JSON.stringify(outcome)}`);
  }
  await imageDecoder.close();

  const figures: Figures = {
    payloads: PAYLOADS.length,
    arrivals: found,
    attempts,
    unguarded: await withoutGuard(),
    passed,
    good: GOOD.length,
  };
  console.log(JSON.stringify(figures));
  process.exit(0);
}

/** Counts the payloads with which an unprotected client reaches a canary, to verify the canaries. */
async function withoutGuard(): Promise<number> {
  let reached = 0;
  for (const { address } of PAYLOADS) {
    const heard = arrivals.length;
    asked = new Map();
    for (let round = 0; round < 2; round += 1) await follow(address).catch(() => {});
    if (arrivals.length > heard) reached += 1;
  }
  return reached;
}

async function follow(first: string): Promise<void> {
  let url = new URL(first);
  for (let hop = 0; hop < 4; hop += 1) {
    const agent = new Agent({ connect: { timeout: 1000 } });
    const { headers, body } = await request(url, { dispatcher: agent, signal: AbortSignal.timeout(2000) });
    await body.dump();
    await agent.destroy();
    if (typeof headers.location !== 'string') return;
    url = new URL(headers.location, url);
  }
}

/** Counts the TCP connections opened in this namespace, successful or not. */
function connectionsBegun(): number {
  const [names, values] = readFileSync('/proc/net/snmp', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('Tcp:'))
    .map((line) => line.split(' '));
  return Number(values![names!.indexOf('ActiveOpens')]);
}

/** Listens on a port. The public host serves ports 80 and 443; all others are canaries. */
function listen(port: number): Promise<void> {
  const server = createServer({ keepAlive: false }, respond);
  server.on('connection', (socket: Socket) => {
    const to = socket.localAddress?.replace(/^::ffff:(?=\d+\.)/, '');
    if ((to === PUBLIC || to === PUBLIC_V6) && (port === 80 || port === 443)) return;
    arrivals.push(`${to} port ${port}`);
  });
  return new Promise((listening) => server.listen(port, '::', listening));
}

function respond(incoming: IncomingMessage, response: ServerResponse): void {
  response.setHeader('connection', 'close');
  const [, what, status = '', to = ''] = incoming.url!.split('/');
  if (what === 'to') response.writeHead(Number(status), { location: decodeURIComponent(to) }).end();
  else if (what === 'status') response.writeHead(Number(status)).end();
  else response.end(image);
}

/** A DNS server for NAMES (RFC 1035, §4). */
function serveNames(): void {
  const socket = createSocket('udp4');
  socket.on('message', (question, { port, address }) => {
    const labels: string[] = [];
    let at = 12;
    for (; question[at]; at += 1 + question[at]!)
      labels.push(question.toString('latin1', at + 1, at + 1 + question[at]!));
    const name = labels.join('.').toLowerCase();
    const type = TYPES[question.readUInt16BE(at + 1)];
    const rounds = (type && NAMES[name]?.[type]) ?? [];
    const count = asked.get(`${name} ${type}`) ?? 0;
    asked.set(`${name} ${type}`, count + 1);
    const records = (rounds[Math.min(count, rounds.length - 1)] ?? []).map(bytesOf).map((data) => {
      const head = Buffer.from([0xc0, 12, 0, data.length === 4 ? 1 : 28, 0, 1, 0, 0, 0, 0, 0, data.length]);
      return Buffer.concat([head, data]);
    });
    const head = Buffer.from(question.subarray(0, 12));
    head.writeUInt16BE(NAMES[name] ? 0x8580 : 0x8583, 2); // A response; 3 is "no such name".
    head.writeUInt16BE(records.length, 6);
    head.fill(0, 8);
    socket.send(Buffer.concat([head, question.subarray(12, at + 5), ...records]), port, address);
  });
  socket.bind(53, '127.0.0.53');
}

function bytesOf(address: string): Buffer {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number));
  const { hostname } = new URL(`http://[${address}]/`);
  const [before = '', after = ''] = hostname.slice(1, -1).split('::');
  const [left, right] = [before, after].map((side) => side.split(':').filter((group) => group !== ''));
  const groups = [...left!, ...Array(8 - left!.length - right!.length).fill('0'), ...right!];
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex');
}
