/**
 * The built files of the admin page by their path below `/admin/`. They are listed when the server starts, so that no path can
 * leave their folder, and read at the first request.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { type PublicFile, publicFile } from '../reference/public-files.ts';
import { addEncoded, type Coding } from '../responses/encodings.ts';

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

/** Compressed files next to the original ones. */
const COMPRESSED: readonly (readonly [extension: string, coding: Coding])[] = [
  ['.br', 'br'],
  ['.gz', 'gzip'],
];

interface BuiltFile extends PublicFile {
  /** Encodings that the build has created. */
  readonly codings: readonly Coding[];
}

export class BuiltFiles {
  readonly #folder: string;
  readonly #names: ReadonlySet<string>;
  readonly #read = new Map<string, BuiltFile>();

  /** @param folder may be missing if the page is not built */
  constructor(folder: string) {
    this.#folder = folder;
    this.#names = new Set(namesIn(folder));
  }

  get isBuilt(): boolean {
    return this.#names.has('index.html');
  }

  /** @param name e.g. `assets/index-x.js` @returns undefined if the file is missing or not for browsers */
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
    for (const [extension, coding] of made) addEncoded(file.bytes, coding, readFileSync(path + extension));
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
