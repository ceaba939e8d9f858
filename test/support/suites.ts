/**
 * Which test files each command runs, and in how many processes. Files of `api/`, `client/`, `engine/`, `http/` and
 * `pricing/` share processes: each process loads the program, builds the OpenAPI document and compiles its schemas once.
 * Files that share a process keep their hooks inside `describe`. Every file also runs alone. The longest files start first:
 * if one of them started last, the other processes would wait for it.
 */
import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Suite {
  /** How many processes run at once. */
  readonly concurrency: number;
  /** Groups of files that share a process each: paths relative to `test/` without `.test.ts`. They start first, in this order. */
  readonly shared: readonly (readonly string[])[];
  /** Patterns of files that run in a process of their own, except those in a group. */
  readonly alone: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const SHARED_FOLDERS = ['api', 'client', 'engine', 'http', 'pricing'];
const SHARED_PROCESSES = 15;

/** The files that take longest. The division starts with them, so each is in a process without another of them. */
const LONGEST: readonly string[] = [
  ...['attribute-values', 'category-tree', 'changes', 'concurrency', 'conditional', 'export', 'filters', 'idempotency'],
  ...['order-money', 'order-parts', 'order-creation', 'order-stock', 'product-image', 'reference-examples', 'webhooks'],
].map((name) => `api/${name}`);

/** The suites by the name that `test/run.ts` takes. */
export const SUITES: Readonly<Record<'all' | 'programs' | 'faults' | 'clients' | 'quick', Suite>> = {
  all: {
    concurrency: 4,
    shared: divide(filesOf(SHARED_FOLDERS)),
    alone: ['test/{adapters,admin,conformance}/*.test.ts', 'test/*.test.ts'],
  },
  programs: {
    concurrency: 4,
    shared: [['import/recorded-shop'], ['packages/pages'], ['packages/installed']],
    alone: ['test/{cli,import,packages}/*.test.ts'],
  },
  faults: {
    concurrency: 2,
    shared: ['rounds', 'migrations', 'webhook-erasures'].map((name) => [`faults/${name}`]),
    alone: ['test/faults/*.test.ts'],
  },
  clients: {
    concurrency: 2,
    shared: ['admin-page-screens', 'admin-page-tasks', 'portman', 'specmatic'].map((name) => [`../clients/${name}`]),
    alone: ['clients/*.test.ts'],
  },
  quick: {
    concurrency: 3,
    env: { TEST_DATABASES: 'sqlite' },
    alone: [],
    shared: [
      [
        ...['contradictions', 'openapi', 'promises', 'generated', 'interface', 'reach'].map((name) => `engine/${name}`),
        ...['names', 'category', 'attribute', 'language', 'links', 'translations', 'put-and-patch'].map(apiFile),
        ...['architecture', 'client/declarations'],
      ],
      [
        ...['product', 'order-creation', 'order-statuses', 'order-parts', 'filters', 'sorting', 'conditional'].map(
          apiFile,
        ),
        ...['validation', 'strict-json', 'problems', 'pages', 'search'].map(apiFile),
      ],
      ['api/reference-examples'],
    ],
  },
};

/**
 * Writes one file per group of a suite that shares a process. The files are generated, because Node's test runner starts one
 * process per file.
 * @returns the paths of all files to run
 */
export function filesToRun({ shared, alone }: Suite, folder = join('test', '.shared', String(process.pid))): string[] {
  const generated = shared.map((names, index) => {
    const file = join(folder, `${String(index + 1).padStart(2, '0')}.mjs`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, names.map((name) => `await import('../../${name}.test.ts');\n`).join(''));
    return file;
  });
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return [...generated, ...filesAlone({ shared, alone })];
}

/** @returns the paths of the files that run in a process of their own */
export function filesAlone({ shared, alone }: Pick<Suite, 'shared' | 'alone'>): string[] {
  const grouped = new Set(shared.flat().map((name) => join('test', `${name}.test.ts`)));
  return alone
    .flatMap((pattern) => globSync(pattern))
    .filter((file) => !grouped.has(file))
    .sort();
}

function filesOf(folders: readonly string[]): string[] {
  return folders
    .flatMap((folder) => globSync(`${folder}/*.test.ts`, { cwd: 'test' }))
    .map(nameOf)
    .sort();
}

function nameOf(file: string): string {
  return file.slice(0, -'.test.ts'.length);
}

function apiFile(name: string): string {
  return `api/${name}`;
}

/** Neighbors in the sorted list take about as long, so they go to different groups. */
function divide(files: readonly string[]): string[][] {
  const sorted = [
    ...LONGEST.filter((file) => files.includes(file)),
    ...files.filter((file) => !LONGEST.includes(file)),
  ];
  return Array.from({ length: SHARED_PROCESSES }, (_, group) =>
    sorted.filter((_, index) => index % SHARED_PROCESSES === group),
  );
}
