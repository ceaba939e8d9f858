/** Starts PgBouncer, which must be installed (Debian: pgbouncer), in front of a PostgreSQL server. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, unprivilegedAccount, untilReady } from './postgres-server.ts';

export type PoolMode = 'session' | 'transaction';

export class PgBouncer {
  readonly url: string;
  readonly #folder: string;
  readonly #process: ChildProcess;

  private constructor(url: string, folder: string, child: ChildProcess) {
    this.url = url;
    this.#folder = folder;
    this.#process = child;
    process.once('exit', () => child.kill());
  }

  /** Default settings except for the pool mode; all databases of the server are available. */
  static async before(target: string, mode: PoolMode): Promise<PgBouncer> {
    const { hostname, port, username } = new URL(target);
    const folder = await mkdtemp(join(tmpdir(), 'purveyor-pgbouncer-'));
    await chmod(folder, 0o755);
    const url = new URL(target);
    url.port = String(await freePort());
    const settings = [
      ...['[databases]', `* = host=${hostname} port=${port} user=${username}`],
      ...[
        '[pgbouncer]',
        'listen_addr = 127.0.0.1',
        `listen_port = ${url.port}`,
        'unix_socket_dir =',
        'auth_type = any',
      ],
      `pool_mode = ${mode}`,
    ];
    await writeFile(join(folder, 'pgbouncer.ini'), `${settings.join('\n')}\n`);
    const child = spawn('pgbouncer', [join(folder, 'pgbouncer.ini')], {
      ...unprivilegedAccount(),
      cwd: folder,
      stdio: 'ignore',
    });
    const bouncer = new PgBouncer(url.href, folder, child);
    await untilReady(url.href, child);
    return bouncer;
  }

  async remove(): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.kill();
    await ended;
    await rm(this.#folder, { recursive: true });
  }
}
