/** `npm run migration NAME`: writes the migration that brings the schema to what the declarations ask for. */
import { writeFileSync } from 'node:fs';
import { migrationPath, missingSteps, readMigrations, storeModel } from './open.ts';

const name = process.argv[2];
const migrations = readMigrations();
const steps = missingSteps(storeModel(), migrations);
if (steps.length === 0) {
  console.log('The migrations reach the declarations; there is nothing to write.');
} else if (!name || !/^[a-z0-9-]+$/.test(name)) {
  console.error(`There are ${steps.length} steps to take. Name them: npm run migration -- what-it-is-for`);
  process.exitCode = 1;
} else {
  const numbered = `${String(migrations.length + 1).padStart(4, '0')}-${name}`;
  writeFileSync(migrationPath(numbered), `${JSON.stringify(steps, null, 2)}\n`);
  console.log(`Wrote src/domain/migrations/${numbered}.json with ${steps.length} steps.`);
}
