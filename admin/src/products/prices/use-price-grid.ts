/** The state of the grid of wholesale prices: texts that are saved or were rejected, and rows and columns without a price yet. */
import { StoreProblem, type WholesalePriceOutput } from 'purveyor/client';
import { useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import { useErrorMessage } from '../../utils/error-messages.ts';
import {
  CellConflict,
  type CellName,
  cellKey,
  deleteRows,
  isCellChange,
  moveRows,
  type Owner,
  QUANTITY_MIN,
  saveCell,
} from './wholesale.ts';

/** What was typed into a cell: it is being saved, or was rejected. */
export interface Draft {
  readonly text: string;
  readonly problem?: string;
}

export interface CellChange {
  readonly cell: CellName;
  readonly text: string;
}

/** A column: the buyers who get its prices. */
export interface Column {
  readonly membership: number | null;
  readonly name: string;
}

interface Options {
  readonly owner: Owner;
  /** The rows of this owner. */
  readonly rows: readonly WholesalePriceOutput[];
  readonly hasMemberships: boolean;
  /** Reads the rows again. */
  onDone(): Promise<void>;
}

const byNumber = (one: number, other: number): number => one - other;

/** The name of the quantity of a row among the drafts. */
export const quantityKey = (quantity: number | 'new'): string => `quantity:${quantity}`;

export function usePriceGrid({ owner, rows, hasMemberships, onDone }: Options) {
  const { drafts, setDraft, attempt } = useDrafts();
  const [added, setAdded] = useState<readonly number[]>([]);
  const translate = useTranslate();
  const notify = useNotify();
  const quantityMin = hasMemberships ? 1 : QUANTITY_MIN;
  const quantities = [...new Set([1, ...rows.map((row) => row.quantity_range_begin), ...added])].sort(byNumber);

  const rowOf = ({ quantity, membership }: CellName): WholesalePriceOutput | undefined =>
    rows.find((row) => row.quantity_range_begin === quantity && row.membership === membership);
  const rowsFrom = (quantity: number): WholesalePriceOutput[] =>
    rows.filter((row) => row.quantity_range_begin === quantity);

  /** Saves cells one after the other. Those that the store rejects keep their text. */
  async function save(changes: readonly CellChange[]): Promise<void> {
    const changed = changes.filter(({ cell, text }) => isCellChange(rowOf(cell), text));
    const unchanged = changes.filter((change) => !changed.includes(change));
    for (const { cell } of unchanged) setDraft(cellKey(cell), undefined);
    const saved: string[] = [];
    for (const { cell, text } of changed)
      if (await attempt(cellKey(cell), text, () => saveCell(owner, cell, rowOf(cell), text))) saved.push(cellKey(cell));
    if (changed.length > 0) await onDone();
    for (const key of saved) setDraft(key, undefined);
    if (saved.length > 0) notify('state.saved', { type: 'success', autoHideDuration: 2000 });
  }

  /** @returns what is wrong with a new quantity */
  function problemOf(quantity: number | undefined): string | undefined {
    if (quantity === undefined || !Number.isInteger(quantity) || quantity < quantityMin)
      return translate('prices.wholeNumber', { min: quantityMin });
    return quantities.includes(quantity) ? translate('prices.quantityExists', { quantity }) : undefined;
  }

  /** @returns whether the row was added */
  function add(text: string, quantity: number | undefined): boolean {
    const problem = problemOf(quantity);
    setDraft(quantityKey('new'), problem === undefined ? undefined : { text, problem });
    if (problem !== undefined) return false;
    setAdded((before) => [...before, quantity!]);
    return true;
  }

  async function move(from: number, text: string, quantity: number | undefined): Promise<void> {
    const key = quantityKey(from);
    if (quantity === from) return setDraft(key, undefined);
    const problem = problemOf(quantity);
    if (problem !== undefined) return setDraft(key, { text, problem });
    const moved = rowsFrom(from);
    if (!(await attempt(key, text, () => moveRows(owner, moved, quantity!)))) return onDone();
    setAdded((before) => [...before.filter((one) => one !== from), ...(moved.length === 0 ? [quantity!] : [])]);
    await onDone();
    setDraft(key, undefined);
  }

  async function remove(quantity: number): Promise<void> {
    setAdded((before) => before.filter((one) => one !== quantity));
    for (const key of Object.keys(drafts)) if (key.startsWith(`${quantity}:`)) setDraft(key, undefined);
    if (rowsFrom(quantity).length === 0) return;
    const key = quantityKey(quantity);
    const isDone = await attempt(key, `${quantity}`, () => deleteRows(owner, rowsFrom(quantity)));
    await onDone();
    if (isDone) setDraft(key, undefined);
  }

  return {
    ...{ drafts, quantities, rowOf, rowsFrom, save, add, move, remove },
    isAdded: (quantity: number): boolean => added.includes(quantity),
    forget: (key: string) => setDraft(key, undefined),
    /** Adds rows of quantities that are pasted with their prices. */
    addPasted: (pasted: readonly number[]) => setAdded((before) => [...new Set([...before, ...pasted])]),
  };
}

/** Texts that are being saved or were rejected, by the key of their cell. */
function useDrafts() {
  const [drafts, setDrafts] = useState<Readonly<Record<string, Draft>>>({});
  const describe = useProblemTexts();

  function setDraft(key: string, draft: Draft | undefined): void {
    setDrafts(({ [key]: _before, ...others }) => (draft ? { ...others, [key]: draft } : others));
  }

  /** Runs a write. Its problem is shown at the cell. @returns whether it succeeded */
  async function attempt(key: string, text: string, write: () => Promise<void>): Promise<boolean> {
    setDraft(key, { text });
    try {
      await write();
      return true;
    } catch (error) {
      setDraft(key, { text, problem: describe(error) });
      return false;
    }
  }

  return { drafts, setDraft, attempt };
}

export type PriceGridState = ReturnType<typeof usePriceGrid>;

function useProblemTexts(): (error: unknown) => string {
  const translate = useTranslate();
  const errorMessage = useErrorMessage();
  return (error) => {
    const isTaken = error instanceof StoreProblem && error.violations.some(({ code }) => code === 'not_unique');
    if (error instanceof CellConflict || isTaken) return translate('prices.conflict');
    return errorMessage(error);
  };
}
