/** Neither sharing a process nor the division of the commands leaves a test file out, or runs one twice. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { filesOfShare } from './support/together.ts';

test('npm test, test:programs and test:faults read every test file once', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const commands = [scripts.test, scripts['test:programs'], scripts['test:faults']].join(' ');
  const patterns = [...commands.matchAll(/"(test\/[^"]+)"/g)].map(([, pattern]) => pattern!);
  const read = patterns
    .flatMap((pattern) => globSync(pattern))
    .flatMap((file) => {
      const [, share] = /^test\/shares\/(\d+)\.ts$/.exec(file) ?? [];
      if (share === undefined) return [file];
      assert.match(readFileSync(file, 'utf8'), new RegExp(`^await declareShare\\(${Number(share)}\\);$`, 'm'));
      return filesOfShare(Number(share)).map((name) => `test/${name}.test.ts`);
    });
  assert.deepEqual(read.sort(), globSync('test/**/*.test.ts').sort());
});
