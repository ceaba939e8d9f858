/**
 * Every shell block of the README and of the guides about installation, people, operation and synchronization runs as printed, in
 * order, in a new clone. What a reader replaces is in `replaced`, what a test cannot run in `NOT_RUN`.
 */
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type FreshDatabase, freshDatabase } from '../support/databases.ts';
import { startS3rver } from '../support/s3-server.ts';
import { type Block, blocksOf, canBeNewMachine, ownEnvironment, Terminal } from './terminal.ts';

const README = 'README.md';
const STARTED = 'docs/guides/getting-started.md';
const BACKUP = 'docs/guides/backup.md';
const PEOPLE = 'docs/guides/people.md';
const SYNC = 'docs/guides/sync.md';
const UPGRADE = 'docs/guides/upgrade.md';
const PRODUCTION = 'docs/guides/production.md';

/** Blocks that are not run: the start of the block, and why. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'cp purveyor.socket':
    'needs systemd, which holds the socket; test/faults/process.test.ts passes a socket to the server',
};

/** A program that runs until the reader stops it. */
const FOREGROUND = /^node_modules\/\.bin\/purveyor serve$/m;

let folder: string;
let origin: string;
const databases: FreshDatabase[] = [];
/** Ends when the package is in `folder`. Packing takes long, so the pages share it. */
let packed: Promise<unknown>;

/** The repository of which readers make clones. */
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'purveyor-pages-'));
  execFileSync('chmod', ['755', folder]);
  origin = join(folder, 'origin');
  for (const file of execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
    .trim()
    .split('\n')) {
    mkdirSync(join(origin, dirname(file)), { recursive: true });
    cpSync(file, join(origin, file), { verbatimSymlinks: true });
  }
  git(origin, 'init', '--quiet');
  commit('Older');
  packed = pack();
});
after(async () => {
  rmSync(folder, { recursive: true });
  for (const database of databases) await database.remove();
});

function git(cwd: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', [...identity, ...args], { cwd, encoding: 'utf8' }).trim();
}

function commit(message: string): void {
  git(origin, 'add', '--all', '--force');
  git(origin, 'commit', '--quiet', '--message', message);
}

/** @returns the folder of a new clone */
function clone(): string {
  const path = mkdtempSync(join(folder, 'clone-'));
  execFileSync('chmod', ['755', path]);
  git(folder, 'clone', '--quiet', '--no-hardlinks', origin, path);
  return path;
}

async function pack(): Promise<void> {
  const cwd = clone();
  symlinkSync(join(process.cwd(), 'node_modules'), join(cwd, 'node_modules'));
  await promisify(execFile)('npm', ['pack', '--pack-destination', folder], { cwd, env: ownEnvironment() });
}

async function emptyPostgres(): Promise<string> {
  const database = await freshDatabase('postgres', 'empty');
  databases.push(database);
  return database.url;
}

/** What a reader replaces or types in the blocks of a page. */
type Replacements = readonly (readonly [printed: string | RegExp, own: string])[];

const FROM_FILE = "$(sed -n 's/^read-write //p' data/first-keys.txt)";

/** Runs the blocks of a page. @returns the output of each */
async function runPage(
  terminal: Terminal,
  blocks: readonly Block[],
  replaced: Replacements,
  around: (block: Block, run: () => Promise<string>) => Promise<string> = (_, run) => run(),
): Promise<string[]> {
  const outputs: string[] = [];
  const port = await terminal.port();
  for (const block of blocks) {
    const reason = Object.entries(NOT_RUN).find(([start]) => block.text.startsWith(start));
    if (reason) continue;
    let text = block.text.replaceAll(/(?:127\.0\.0\.1|localhost):8080/g, `127.0.0.1:${port}`);
    for (const [printed, own] of replaced) text = text.replaceAll(printed, () => own);
    assert.doesNotMatch(
      text,
      /<[a-z][\w ]+>|…(?!\.)/,
      `${block.page}:${block.line} has a placeholder that is not replaced`,
    );
    if (text.includes('npm pack')) await packed;
    text = text.replace(FOREGROUND, 'serve-in-background $&');
    outputs.push(
      await around(block, () =>
        terminal.run(text).catch((error: Error) => assert.fail(`${block.page}:${block.line} fails:\n${error.message}`)),
      ),
    );
  }
  return outputs;
}

const shellBlocks = (page: string): Block[] => blocksOf(page).filter(({ language }) => language === 'sh');
/** Blocks of a crontab have no language. */
const isCron = ({ language, text }: Block): boolean => language === '' && /^\d+ \d+ \* \* \*/m.test(text);

/** The blocks of a section, and of the sections below it. */
function section(page: string, title: string): Block[] {
  const lines = readFileSync(page, 'utf8').split('\n');
  const start = lines.indexOf(`## ${title}`);
  assert.ok(start >= 0, `${page} has the section ${title}`);
  const next = lines.findIndex((line, index) => index > start && line.startsWith('## '));
  return shellBlocks(page).filter(({ line }) => line > start && (next < 0 || line <= next));
}

describe('shell blocks of pages', { concurrency: 3 }, () => {
  test('the README and the getting-started guide run as printed', async () => {
    const images = createServer((_, response) => response.end(readFileSync('docs/images/reference.png')));
    await new Promise<void>((resolve) => images.listen(0, '127.0.0.1', resolve));
    const postgres = await emptyPostgres();
    const replaced: Replacements = [
      ['pv_rw_…', FROM_FILE],
      ['https://images.example', `http://127.0.0.1:${(images.address() as AddressInfo).port}`],
      ['postgres://user:password@localhost/store', postgres],
      // The images of this file are on the internet.
      ['shopify-apparel.csv\n', 'shopify-apparel.csv || [ $? = 2 ]\n'],
    ];
    const terminal = await Terminal.open(clone(), { env: { IMAGE_DOWNLOAD_ALLOW: '127.0.0.1/32', PACKED: folder } });
    try {
      const [, product] = await runPage(terminal, shellBlocks(README), replaced);
      assert.equal(JSON.parse(product!).sku, 'SHIRT-1');
      await terminal.run('stop-server; rm -r data');
      const outputs = await runPage(terminal, shellBlocks(STARTED), replaced, async ({ text }, run) => {
        if (/postgres:|purveyor serve/.test(text)) await terminal.run('stop-server');
        return run();
      });
      const all = outputs.join('\n');
      for (const made of [
        '"price":17.5',
        '"gross":192.78',
        '"order_number":"1"',
        '"code":"P"',
        '"alt":"The shirt"',
        'Dry run',
      ])
        assert.ok(all.includes(made), `${made} in\n${all}`);
    } finally {
      await terminal.close();
      images.close();
    }
  });

  test('the guide about backups runs as printed, cron included', async () => {
    const terminal = await Terminal.open(clone());
    const postgres = await emptyPostgres();
    try {
      await startWithProduct(terminal);
      const cwd = (await terminal.run('pwd')).trim();
      const replaced: Replacements = [['postgres://user:password@host/store', postgres]];
      for (const block of blocksOf(BACKUP)) {
        if (block.language === 'sh')
          await runPage(terminal, [block], replaced, async ({ text }, run) => {
            // “Stop the server first”
            if (text.includes('npm start')) await terminal.run('stop-server');
            return run();
          });
        if (!isCron(block)) continue;
        const output = await terminal.runCron(block.text.replaceAll('/srv/store', cwd), false);
        assert.doesNotMatch(output, /failed|check:/);
      }
      const today = await terminal.run('ls backups');
      for (const name of [/^2026-11-21$/m, /^move$/m]) assert.match(today, name);
      assert.match(today, new RegExp(`^${new Date().toISOString().slice(0, 7)}`, 'm'));
      assert.match(
        await terminal.run('curl "http://127.0.0.1:$PORT/api/products" -H "X-Auth-Token: $KEY"'),
        /"KEPT-1"/,
      );
    } finally {
      await terminal.close();
    }
  });

  test('the guide about people and keys runs as printed', async () => {
    const terminal = await Terminal.open(clone());
    try {
      await startWithProduct(terminal);
      const all = (await runPage(terminal, shellBlocks(PEOPLE), [['pv_rw_…', FROM_FILE]])).join('\n');
      for (const made of [
        'Dora Desk (Order desk',
        '"price":0.5',
        '"name":"night"',
        '"price":3,',
        'no faults',
        '"Robin"',
      ])
        assert.ok(all.includes(made), `${made} in\n${all}`);
    } finally {
      await terminal.close();
    }
  });

  test('the guide about synchronization runs as printed', async () => {
    const terminal = await Terminal.open(clone(), { env: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' } });
    try {
      await startWithProduct(terminal);
      const key = (await terminal.run('echo "$KEY"')).trim();
      const port = await terminal.port();
      const replaced: Replacements = [
        [/<your API key>/g, key],
        // The reader ends the stream.
        [/^curl -N .*$/gm, `curl --max-time 1 -N -H "X-Auth-Token: $KEY" "$API/changes?after=now" || [ $? = 28 ]`],
      ];
      const outputs = await runPage(terminal, shellBlocks(SYNC), replaced, async ({ text }, run) => {
        let isOver = false;
        const changing = (async () => {
          for (let price = 1; text.includes('wait=') && !isOver; price += 1, await sleep(100))
            await fetch(`http://127.0.0.1:${port}/api/products/1`, {
              method: 'PATCH',
              headers: { 'x-auth-token': key, 'content-type': 'application/json' },
              body: JSON.stringify({ price }),
            });
        })();
        return run().finally(() => {
          isOver = true;
          return changing;
        });
      });
      const all = outputs.join('\n');
      for (const made of ['"action":"updated"', '"whsec_', '"created":2', '"complete":true'])
        assert.ok(all.includes(made), `${made} in\n${all}`);
    } finally {
      await terminal.close();
    }
  });

  test('a clone is upgraded and rolled back as printed', async () => {
    const cwd = clone();
    const terminal = await Terminal.open(cwd);
    try {
      await startWithProduct(terminal);
      release();
      await runPage(
        terminal,
        section(UPGRADE, 'Upgrade a clone'),
        [['<the older commit>', older(cwd)]],
        async ({ text }, run) => {
          if (text.includes('npm start')) await terminal.run('stop-server');
          return run();
        },
      );
      assert.match(
        await terminal.run('curl "http://127.0.0.1:$PORT/api/products" -H "X-Auth-Token: $KEY"'),
        /"KEPT-1"/,
      );
      assert.match(await terminal.run('ls data'), /before-0\.2\.0\.db/);
    } finally {
      await terminal.close();
    }
  });

  for (const [index, title] of ['one container is', 'containers with PostgreSQL are'].entries())
    test(`${title} run, upgraded and rolled back as printed, with Docker replaced`, async () => {
      const cwd = clone();
      const env = { CONTAINER_DATABASE: await emptyPostgres(), SECOND_DATABASE: await emptyPostgres() };
      const terminal = await Terminal.open(cwd, { env });
      try {
        await terminal.run('npm ci');
        const [start] = section(PRODUCTION, 'Run in a container').slice(index);
        assert.match((await runPage(terminal, [start!], []))[0]!, /pv_rw_/);
        release();
        const [upgrade, rollback] = section(UPGRADE, 'Upgrade a container').slice(index * 2);
        const outputs = await runPage(terminal, [upgrade!, rollback!], [['<the older commit>', older(cwd)]]);
        const service = index === 0 ? 'store' : 'store-1';
        const list = `docker compose exec ${service} node /app/bin/purveyor.js keys list`;
        assert.match(await terminal.run(list), /shop/, outputs.join('\n'));
      } finally {
        await terminal.close();
      }
    });

  const skip = canBeNewMachine ? false : 'needs root and Linux namespaces';
  test('the systemd setup is installed, operated, upgraded and rolled back as printed', { skip }, async () => {
    const cwd = clone();
    const s3 = await startS3rver();
    const terminal = await Terminal.open(cwd, { isNewMachine: true, env: { PACKED: folder } });
    try {
      const replaced: Replacements = [
        ["'s3://BUCKET/PREFIX?endpoint=https://HOST'", `'s3://pictures/own?endpoint=${s3.endpoint}'`],
        ['https://shop.example', `https://shop.example\nPORT=${await terminal.port()}`],
      ];
      const [, , ...blocks] = shellBlocks(PRODUCTION);
      const outputs = await runPage(terminal, blocks, replaced, async ({ text }, run) => {
        const { accessKeyId, secretAccessKey } = s3.credentials;
        const keys = `AWS_ACCESS_KEY_ID=${accessKeyId}\nAWS_SECRET_ACCESS_KEY=${secretAccessKey}`;
        if (text.includes('images copy')) await terminal.run(`echo '${keys}' >> /etc/purveyor.env`);
        const output = await run();
        if (text.includes('/etc/cron.d/purveyor')) await checkCron(terminal);
        return output;
      });
      assert.match(outputs.join('\n'), /^read-write pv_rw_/m);
      await terminal.run(`${NEWER_PACKAGE}\nsystemctl restart purveyor`);
      await runPage(terminal, section(UPGRADE, 'Upgrade the systemd setup'), []);
      assert.match(await terminal.run('purveyor keys list'), /shop/);
      assert.match(await terminal.run('ls /opt/purveyor-0.2.0 /var/lib/purveyor'), /before-0\.2\.0\.db/);
    } finally {
      await terminal.close();
      await s3.stop();
    }
  });
});

/** A package of the next version. */
const NEWER_PACKAGE = `mkdir newer
tar -xzf purveyor-0.1.0.tgz -C newer
sed -i 's/"version": "0.1.0"/"version": "0.2.0"/' newer/package/package.json
tar -czf purveyor-0.2.0.tgz -C newer package`;

/** The backup that cron makes is complete and belongs to the store's user. */
async function checkCron(terminal: Terminal): Promise<void> {
  await terminal.runCron(await terminal.run('cat /etc/cron.d/purveyor'), true);
  const made = await terminal.run(
    'ls -l /var/backups/purveyor; stat -c "%U %a" /var/backups/purveyor /var/backups/purveyor/20*',
  );
  assert.match(made, /^purveyor 700\npurveyor 700$/m);
}

/** Starts a store in a clone with a product. Sets `KEY` in the terminal. */
async function startWithProduct(terminal: Terminal): Promise<void> {
  await terminal.run(`npm ci
npm start
KEY=${FROM_FILE}
curl "http://127.0.0.1:$PORT/api/products" -H "X-Auth-Token: $KEY" -H 'Content-Type: application/json' \\
  -d '{"sku": "KEPT-1", "name": "Kept", "price": 3}'`);
}

/** Publishes a newer program. */
function release(): void {
  writeFileSync(join(origin, 'NEWS'), crypto.randomUUID());
  commit('Newer');
}

function older(cwd: string): string {
  return git(cwd, 'rev-parse', 'HEAD');
}
