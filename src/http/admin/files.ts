/**
 * The built files of the admin page, by the address below `/admin/` that each has. They are named when the server is made, so
 * that no address leads out of their folder, and read when they are first asked for.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { type PublicFile, publicFile } from '../reference/public-files.ts';
import { type Coding, keepEncoded } from '../responses/encodings.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/** Files that the build has compressed, beside the file itself. */
const COMPRESSED: readonly (readonly [extension: string, coding: Coding])[] = [
  ['.br', 'br'],
  ['.gz', 'gzip'],
];

interface BuiltFile extends PublicFile {
  /** The codings that the build has made; the server need not. */
  readonly codings: readonly Coding[];
}

export class BuiltFiles {
  readonly #folder: string;
  readonly #names: ReadonlySet<string>;
  readonly #read = new Map<string, BuiltFile>();

  /** @param folder may be missing: then nothing is built */
  constructor(folder: string) {
    this.#folder = folder;
    this.#names = new Set(namesIn(folder));
  }

  get isBuilt(): boolean {
    return this.#names.has('index.html');
  }

  /** @param name as `assets/index-x.js`; undefined where there is no such file, or it is none for browsers */
  find(name: string): BuiltFile | undefined {
    const type = TYPES[extname(name)];
    if (type === undefined || !this.#names.has(name)) return undefined;
    const known = this.#read.get(name) ?? this.#load(name, type);
    this.#read.set(name, known);
    return known;
  }

  #load(name: string, type: string): BuiltFile {
    const path = join(this.#folder, name);
    const file = publicFile(readFileSync(path), type);
    const made = COMPRESSED.filter(([extension]) => this.#names.has(name + extension));
    for (const [extension, coding] of made) keepEncoded(file.bytes, coding, readFileSync(path + extension));
    return { ...file, codings: made.map(([, coding]) => coding) };
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll(sep, '/'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
