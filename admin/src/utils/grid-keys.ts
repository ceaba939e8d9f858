/**
 * Moves between the inputs of a table as in a spreadsheet: Enter and the arrow keys go to the same column of the next or previous row,
 * left and right to the next column at the end of a text. The table has `data-grid`, each input the name of its column in `data-cell`.
 */
import type { KeyboardEvent } from 'react';

const inputsIn = (grid: Element, column?: string): HTMLInputElement[] => [
  ...grid.querySelectorAll<HTMLInputElement>(
    column === undefined ? 'input[data-cell]' : `input[data-cell="${CSS.escape(column)}"]`,
  ),
];

/** @returns whether the key moved the focus */
export function moveInGrid(event: KeyboardEvent<HTMLElement>): boolean {
  const input = event.target as HTMLInputElement;
  const column = input.dataset?.cell;
  const grid = input.closest('[data-grid]');
  if (column === undefined || !grid || event.altKey || event.ctrlKey || event.metaKey) return false;
  const next = targetOf(event, input, grid, column);
  if (!next) return false;
  event.preventDefault();
  next.focus();
  next.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  return true;
}

function targetOf(
  { key, shiftKey }: KeyboardEvent,
  input: HTMLInputElement,
  grid: Element,
  column: string,
): HTMLInputElement | undefined {
  const vertical =
    key === 'ArrowDown' || (key === 'Enter' && !shiftKey) ? 1 : key === 'ArrowUp' || key === 'Enter' ? -1 : 0;
  if (vertical !== 0) {
    const inputs = inputsIn(grid, column);
    return inputs[inputs.indexOf(input) + vertical];
  }
  const { selectionStart, selectionEnd, value } = input;
  const isAll = selectionStart === 0 && selectionEnd === value.length;
  const inputs = inputsIn(grid);
  if (key === 'ArrowRight' && (isAll || selectionStart === value.length)) return inputs[inputs.indexOf(input) + 1];
  if (key === 'ArrowLeft' && (isAll || selectionEnd === 0)) return inputs[inputs.indexOf(input) - 1];
  return undefined;
}
