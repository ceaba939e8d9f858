/** The tree of categories. Categories are moved by dragging them or with Alt and an arrow key. */
import ExpandIcon from '@mui/icons-material/ChevronRight';
import CollapseIcon from '@mui/icons-material/ExpandMore';
import { Alert, Box, IconButton, Stack, Typography } from '@mui/material';
import type { CategoryOutput } from 'purveyor/client';
import { type DragEvent, type KeyboardEvent, useState } from 'react';
import { useTranslate } from 'react-admin';
import { store } from '../api/client.ts';
import { useAction } from '../utils/use-action.ts';
import { useMayWrite } from '../utils/use-may-write.ts';
import {
  type Drop,
  type DropPosition,
  isSelfOrDescendant,
  keyActionOf,
  keyboardDrop,
  movesFor,
  rowsOf,
  type TreeRow,
} from './tree.ts';

interface Props {
  readonly all: readonly CategoryOutput[];
  readonly chosen: number | undefined;
  onChoose(id: number): void;
  onDone(): Promise<void>;
}

export function CategoryTree({ all, chosen, onChoose, onDone }: Props) {
  const [collapsed, setCollapsed] = useState<ReadonlySet<number>>(new Set());
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const action = useAction();
  const rows = rowsOf(all, collapsed);
  const focusable = rows.some(({ category }) => category.id === chosen) ? chosen : rows[0]?.category.id;

  async function move(id: number, drop: Drop): Promise<void> {
    if (isSelfOrDescendant(all, drop.target.id, id)) return;
    await action.run(async () => {
      for (const { id: category_id, parent, position } of movesFor(all, id, drop))
        await store.put('/categories/{category_id}/move', { category_id }, { parent, position });
    });
    await onDone();
  }

  const drag = useCategoryDrag(all, (id, drop) => void move(id, drop));

  function toggle(id: number): void {
    const next = new Set(collapsed);
    if (!next.delete(id)) next.add(id);
    setCollapsed(next);
  }

  function onKeyDown(event: KeyboardEvent, index: number): void {
    const { category } = rows[index]!;
    if (event.altKey && mayWrite) {
      const drop = keyboardDrop(event.key, all, category);
      if (!drop) return;
      event.preventDefault();
      void move(category.id, drop);
      return;
    }
    const keyAction = keyActionOf(event.key, rows, index, collapsed);
    if (!keyAction) return;
    event.preventDefault();
    if (keyAction.type === 'focus') focusRow(keyAction.row);
    else if (keyAction.type === 'toggle') toggle(category.id);
    else onChoose(category.id);
  }

  return (
    <>
      {mayWrite && (
        <Alert severity="info" icon={false} sx={{ my: 1 }}>
          {translate('categories.moveHelp')}
        </Alert>
      )}
      <Box role="tree" aria-label={translate('menu.categories')}>
        {rows.map((row, index) => (
          <TreeItem
            key={row.category.id}
            row={row}
            isCollapsed={collapsed.has(row.category.id)}
            isChosen={row.category.id === chosen}
            isFocusable={row.category.id === focusable}
            dropPosition={drag.dropPositionOn(row.category)}
            dragProps={mayWrite ? drag.propsOf(row.category) : {}}
            onKeyDown={(event) => onKeyDown(event, index)}
            onChoose={() => onChoose(row.category.id)}
            onToggle={() => toggle(row.category.id)}
          />
        ))}
      </Box>
    </>
  );
}

function focusRow(row: TreeRow | undefined): void {
  if (row) document.getElementById(elementId(row.category))?.focus();
}

const elementId = ({ id }: CategoryOutput): string => `category-${id}`;

function useCategoryDrag(all: readonly CategoryOutput[], onDrop: (id: number, drop: Drop) => void) {
  const [dragged, setDragged] = useState<number>();
  const [over, setOver] = useState<{ id: number; position: DropPosition }>();
  return {
    dropPositionOn: ({ id }: CategoryOutput): DropPosition | undefined => (over?.id === id ? over.position : undefined),
    propsOf: (category: CategoryOutput) => ({
      draggable: true,
      onDragStart: () => setDragged(category.id),
      onDragEnd() {
        setDragged(undefined);
        setOver(undefined);
      },
      onDragOver(event: DragEvent) {
        if (dragged === undefined || isSelfOrDescendant(all, category.id, dragged)) return;
        event.preventDefault();
        setOver({ id: category.id, position: dropPositionAt(event) });
      },
      onDrop(event: DragEvent) {
        event.preventDefault();
        if (dragged !== undefined) onDrop(dragged, { target: category, position: dropPositionAt(event) });
        setOver(undefined);
      },
    }),
  };
}

/** The upper and the lower quarter of a row drop before and after it, the middle inside. */
function dropPositionAt(event: DragEvent): DropPosition {
  const { top, height } = event.currentTarget.getBoundingClientRect();
  const share = (event.clientY - top) / height;
  return share < 0.25 ? 'before' : share > 0.75 ? 'after' : 'inside';
}

interface TreeItemProps {
  readonly row: TreeRow;
  readonly isCollapsed: boolean;
  readonly isChosen: boolean;
  /** Only one item of a tree is in the tab order. */
  readonly isFocusable: boolean;
  readonly dropPosition: DropPosition | undefined;
  readonly dragProps: object;
  onKeyDown(event: KeyboardEvent): void;
  onChoose(): void;
  onToggle(): void;
}

function TreeItem({ row, isCollapsed, isChosen, isFocusable, dropPosition, ...handlers }: TreeItemProps) {
  const { category, depth, hasChildren } = row;
  const translate = useTranslate();
  return (
    <Stack
      id={elementId(category)}
      role="treeitem"
      aria-level={depth + 1}
      aria-selected={isChosen}
      {...(hasChildren ? { 'aria-expanded': !isCollapsed } : {})}
      tabIndex={isFocusable ? 0 : -1}
      direction="row"
      {...handlers.dragProps}
      onKeyDown={handlers.onKeyDown}
      onClick={handlers.onChoose}
      sx={{
        alignItems: 'center',
        minHeight: 40,
        pl: depth * 3 + 0.5,
        pr: 1,
        borderRadius: 1,
        cursor: 'pointer',
        bgcolor: isChosen ? 'action.selected' : 'transparent',
        boxShadow: dropPosition ? DROP_SHADOWS[dropPosition] : 'none',
        '&:hover': { bgcolor: 'action.hover' },
        '&:focus-visible': { outline: 2, outlineColor: 'primary.main' },
      }}
    >
      {hasChildren ? (
        <ToggleButton isCollapsed={isCollapsed} onToggle={handlers.onToggle} />
      ) : (
        <Box sx={{ width: 34 }} />
      )}
      <Typography component="span" sx={{ overflowWrap: 'anywhere' }}>
        {category.name}
      </Typography>
      {!category.enabled && (
        <Typography component="span" variant="body2" color="textSecondary" sx={{ ml: 1 }}>
          {translate('state.disabled')}
        </Typography>
      )}
    </Stack>
  );
}

/** For the mouse only: the keyboard expands and collapses with the arrow keys. */
function ToggleButton({ isCollapsed, onToggle }: { isCollapsed: boolean; onToggle(): void }) {
  return (
    <IconButton
      size="small"
      tabIndex={-1}
      aria-hidden
      onClick={(event) => {
        event.stopPropagation();
        onToggle();
      }}
    >
      {isCollapsed ? <ExpandIcon fontSize="small" /> : <CollapseIcon fontSize="small" />}
    </IconButton>
  );
}

/** A line at the edge where the dragged category would be inserted, or a frame around its new parent. */
const DROP_SHADOWS: Readonly<Record<DropPosition, string>> = {
  before: 'inset 0 3px 0 0 currentColor',
  after: 'inset 0 -3px 0 0 currentColor',
  inside: 'inset 0 0 0 2px currentColor',
};
