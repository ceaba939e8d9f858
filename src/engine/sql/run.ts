/** Runs a statement, on committed data or inside a transaction. */
import type { Row, Statement, Value } from '../ports.ts';

export type Run = (statement: Statement, values: Readonly<Record<string, Value>>) => Promise<Row[]>;
