/** Builds the page and compares the result with the committed `dist/`. Exits with 1 and lists the files that differ. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ADMIN = fileURLToPath(new URL('.', import.meta.url));
const fresh = mkdtempSync(join(tmpdir(), 'purveyor-admin-build-'));

try {
  const vite = join(ADMIN, 'node_modules/vite/bin/vite.js');
  execFileSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: ADMIN,
    env: { ...process.env, OUT: fresh },
    stdio: 'inherit',
  });
  const [built, committed] = [filesIn(fresh), filesIn(join(ADMIN, 'dist'))];
  const names = [...new Set([...built.keys(), ...committed.keys()])].sort();
  const differing = names.filter((name) => !built.has(name) || !committed.get(name)?.equals(built.get(name)!));
  if (differing.length > 0) {
    console.error(
      `admin/dist does not match its sources. Run “npm run admin:build”. Files that differ:\n${differing.join('\n')}`,
    );
    process.exitCode = 1;
  } else console.log(`admin/dist matches its sources: ${names.length} files.`);
} finally {
  rmSync(fresh, { recursive: true });
}

function filesIn(folder: string): Map<string, Buffer> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    names.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path.slice(folder.length).replace(/^\//, ''), readFileSync(path)];
    }),
  );
}
