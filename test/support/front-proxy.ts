/** The reverse proxies of `docs/guides/proxy`, with the files there except for ports, folders and the certificate. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { Agent, type RequestOptions, request } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../support/postgres-server.ts';

export interface ProxyKind {
  readonly program: string;
  readonly file: string;
  /** Replaces ports and folders in the configuration file by those of the test. */
  adapt(text: string, parameters: ProxyParameters): string;
  args(file: string, folder: string): string[];
  /** Its retry on another server loses the request body (“invalid Read on closed Body”), so the client must retry. */
  readonly losesBodies?: true;
}

interface ProxyParameters {
  readonly folder: string;
  readonly plainPort: number;
  readonly tlsPort: number;
  readonly servers: readonly string[];
}

export const PROXIES: readonly ProxyKind[] = [
  {
    program: 'nginx',
    file: 'nginx.conf',
    adapt: (text, { folder, plainPort, tlsPort, servers }) =>
      text
        .replace(/^user .*$/m, 'error_log stderr warn;')
        .replace('/run/nginx.pid', `${folder}/nginx.pid`)
        .replace('http {', `http {\n  access_log off;\n${temporaryFolders(folder)}`)
        .replace('listen 80 ', `listen 127.0.0.1:${plainPort} `)
        .replace('listen 443 ', `listen 127.0.0.1:${tlsPort} `)
        .replace('# server 127.0.0.1:8081', `server ${servers[1]}`)
        .replace('127.0.0.1:8080', servers[0]!)
        .replace(/\/etc\/ssl\/shop\.example/g, folder),
    args: (file, folder) => ['-p', folder, '-c', file, '-g', 'daemon off;'],
  },
  {
    program: 'caddy',
    file: 'Caddyfile',
    adapt: (text, { folder, tlsPort, servers }) =>
      text
        .replace(/^(#.*\n)/, '$1{\n\tadmin off\n\tauto_https disable_redirects\n}\n')
        .replace(
          'shop.example {',
          `:${tlsPort} {\n\tbind 127.0.0.1\n\ttls ${folder}/fullchain.pem ${folder}/privkey.pem`,
        )
        .replace('reverse_proxy 127.0.0.1:8080', `reverse_proxy ${servers.join(' ')}`),
    losesBodies: true,
    args: (file) => ['run', '--config', file, '--adapter', 'caddyfile'],
  },
  {
    program: 'haproxy',
    file: 'haproxy.cfg',
    adapt: (text, { folder, plainPort, tlsPort, servers }) =>
      text
        .replace('bind :80\n', `bind 127.0.0.1:${plainPort}\n`)
        .replace('bind :443', `bind 127.0.0.1:${tlsPort}`)
        .replace(
          '# server two 127.0.0.1:8081',
          servers
            .slice(1)
            .map((server, index) => `server other-${index} ${server}`)
            .join('\n  '),
        )
        .replace('127.0.0.1:8080', servers[0]!)
        .replace('/etc/ssl/shop.example', folder),
    args: (file) => ['-db', '-f', file],
  },
];

/** The HAProxy of `compose.postgres.yaml`. Its gateway, where a proxy with TLS connects from, is 127.0.0.1 here. */
export const COMPOSE_PROXY: ProxyKind = {
  program: 'haproxy',
  file: 'haproxy-compose.cfg',
  adapt: (text, { tlsPort, servers }) =>
    text
      .replace(/^resolvers docker\n(?: .*\n)*/m, '')
      .replace('bind :8080', `bind 127.0.0.1:${tlsPort}`)
      .replace('src 172.30.0.1', 'src 127.0.0.1')
      .replace(
        / server (\w+) store-(\d):8080 .*/g,
        (_, name, number) => ` server ${name} ${servers[Number(number) - 1]}`,
      ),
  args: (file) => ['-db', '-f', file],
};

function temporaryFolders(folder: string): string {
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return kinds.map((kind) => `  ${kind}_temp_path ${folder}/${kind};`).join('\n');
}

export const isInstalled = (program: string): boolean => spawnSync(program, ['-v']).error === undefined;

interface SentOptions extends Pick<RequestOptions, 'headers' | 'localAddress'> {
  readonly body?: string | Buffer;
}

interface ProxyResponse {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
}

export class FrontProxy {
  readonly #port: number;
  readonly #folder: string;
  readonly #process: ChildProcess;
  readonly #agent = new Agent({ keepAlive: true, rejectUnauthorized: false });

  private constructor(port: number, folder: string, child: ChildProcess) {
    this.#port = port;
    this.#folder = folder;
    this.#process = child;
    process.once('exit', () => child.kill());
  }

  /** @param servers host and port of each */
  static async before(kind: ProxyKind, servers: readonly string[]): Promise<FrontProxy> {
    const folder = await mkdtemp(join(tmpdir(), `purveyor-${kind.program}-`));
    const [plainPort, tlsPort] = [await freePort(), await freePort()];
    const certificate = ['-keyout', 'privkey.pem', '-out', 'fullchain.pem', '-subj', '/CN=shop.example', '-days', '2'];
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...certificate], {
      cwd: folder,
      stdio: 'ignore',
    });
    const [chain, key] = [await readFile(join(folder, 'fullchain.pem')), await readFile(join(folder, 'privkey.pem'))];
    await writeFile(join(folder, 'all.pem'), Buffer.concat([chain, key]));
    const text = await readFile(join('docs/guides/proxy', kind.file), 'utf8');
    const file = join(folder, kind.file);
    await writeFile(file, kind.adapt(text, { folder, plainPort, tlsPort, servers }));
    let output = '';
    const child = spawn(kind.program, kind.args(file, folder), {
      env: { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    });
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk;
      });
    const proxy = new FrontProxy(tlsPort, folder, child);
    while (!(await isOpen(tlsPort))) {
      if (child.exitCode !== null) throw new Error(`${kind.program} exited: ${output}`);
      await sleep(50);
    }
    return proxy;
  }

  /** Host and port. */
  get address(): string {
    return `127.0.0.1:${this.#port}`;
  }

  /**
   * Sends a request over TLS on a keep-alive connection. Resolves when the headers have arrived.
   * @throws {Error} with `isReused` if the proxy closed an idle connection, so that the request did not arrive
   */
  async open(method: string, path: string, { body, ...options }: SentOptions) {
    const agent = this.#agent;
    const sent = request({ host: '127.0.0.1', port: this.#port, agent, method, path, ...options });
    sent.end(body);
    const [response] = await once(sent, 'response').catch((error: NodeJS.ErrnoException) => {
      throw Object.assign(error, { isReused: sent.reusedSocket && error.code === 'ECONNRESET' });
    });
    return response as import('node:http').IncomingMessage;
  }

  async send(method: string, path: string, options: SentOptions = {}): Promise<ProxyResponse> {
    const response = await this.open(method, path, options);
    let text = '';
    for await (const chunk of response) text += chunk;
    return { status: response.statusCode!, headers: response.headers, text };
  }

  async stop(): Promise<void> {
    this.#agent.destroy();
    const ended = once(this.#process, 'exit');
    this.#process.kill();
    await ended;
    await rm(this.#folder, { recursive: true });
  }
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
