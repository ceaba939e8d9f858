/**
 * Migrations as data: the schema that they produce, and the steps from one schema to another. New stores and upgrades
 * run the same steps.
 */
import type { Migration, StructureStep, Table } from '../ports.ts';
import type { Schema } from './tables.ts';

/** Returns the schema after all of these migrations. */
export function replay(migrations: readonly Migration[]): Schema {
  const tables = new Map<string, Table>();
  const indexes = new Map<string, Schema['indexes'][number]>();
  const textIndexes = new Map<string, Schema['textIndexes'][number]>();
  const change = (name: string, changed: (table: Table) => Table): void => {
    tables.set(name, changed(tables.get(name)!));
  };
  for (const step of migrations.flatMap((migration) => migration.steps)) {
    switch (step.step) {
      case 'create table':
        tables.set(step.table.name, step.table);
        break;
      case 'drop table':
        tables.delete(step.table);
        break;
      case 'add column':
        change(step.table, (table) => ({ ...table, columns: [...table.columns, step.column] }));
        break;
      case 'drop column':
        change(step.table, (table) => ({
          ...table,
          columns: table.columns.filter(({ name }) => name !== step.column),
        }));
        break;
      case 'create index':
        indexes.set(step.index.name, step.index);
        break;
      case 'drop index':
        indexes.delete(step.index);
        break;
      case 'create text index':
        textIndexes.set(step.index.name, step.index);
        break;
      case 'drop text index':
        textIndexes.delete(step.index);
        break;
      case 'fill column':
      case 'tell records':
        break;
    }
  }
  return { tables: [...tables.values()], indexes: [...indexes.values()], textIndexes: [...textIndexes.values()] };
}

/**
 * Returns the steps from one schema to another. A changed index is dropped and created again.
 * @throws {Error} if a column changes, because that migration must be written by hand
 */
export function difference(from: Schema, to: Schema): StructureStep[] {
  const steps: StructureStep[] = [];
  const [isKept, isTextKept] = [includedIn(to.indexes), includedIn(to.textIndexes)];
  const [existed, textExisted] = [includedIn(from.indexes), includedIn(from.textIndexes)];
  for (const index of from.indexes) if (!isKept(index)) steps.push({ step: 'drop index', index: index.name });
  for (const index of from.textIndexes)
    if (!isTextKept(index)) steps.push({ step: 'drop text index', index: index.name });
  for (const table of to.tables) {
    const old = from.tables.find(({ name }) => name === table.name);
    steps.push(...(old ? columnSteps(old, table) : [{ step: 'create table' as const, table }]));
  }
  for (const table of [...from.tables].reverse())
    if (!to.tables.some(({ name }) => name === table.name)) steps.push({ step: 'drop table', table: table.name });
  for (const index of to.indexes) if (!existed(index)) steps.push({ step: 'create index', index });
  for (const index of to.textIndexes) if (!textExisted(index)) steps.push({ step: 'create text index', index });
  return steps;
}

function columnSteps(old: Table, table: Table): StructureStep[] {
  const steps: StructureStep[] = [];
  for (const column of table.columns) {
    const before = old.columns.find(({ name }) => name === column.name);
    if (!before) steps.push({ step: 'add column', table: table.name, column });
    else if (!same(before, column))
      throw new Error(`The definition of column ${table.name}.${column.name} changed. Write its migration by hand.`);
  }
  for (const column of old.columns)
    if (!table.columns.some(({ name }) => name === column.name))
      steps.push({ step: 'drop column', table: table.name, column: column.name });
  return steps;
}

/** Returns a test for deep includedIn. Serializes each element once, because each start tests hundreds. */
function includedIn(all: readonly unknown[]): (one: unknown) => boolean {
  const forms = new Set(all.map((each) => JSON.stringify(each)));
  return (one) => forms.has(JSON.stringify(one));
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
