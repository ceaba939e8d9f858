/** The tree of categories. Categories are moved by dragging them or with Alt and an arrow key. */
import {
  type DragTarget,
  dragAndDropFeature,
  hotkeysCoreFeature,
  type ItemInstance,
  isOrderedDragTarget,
  selectionFeature,
  syncDataLoaderFeature,
} from '@headless-tree/core';
import { useTree } from '@headless-tree/react';
import ExpandIcon from '@mui/icons-material/ChevronRight';
import CollapseIcon from '@mui/icons-material/ExpandMore';
import { Alert, Box, IconButton, Stack, Typography } from '@mui/material';
import type { CategoryOutput } from 'purveyor/client';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslate } from 'react-admin';
import { store } from '../api/client.ts';
import { useAction } from '../utils/use-action.ts';
import { useMayWrite } from '../utils/use-may.tsx';
import { childrenOf, type Drop, dropBetween, isSelfOrDescendant, keyboardDrop, movesFor, ROOT } from './tree.ts';

interface Props {
  readonly all: readonly CategoryOutput[];
  readonly chosen: number | undefined;
  onChoose(id: number): void;
  onDone(): Promise<void>;
}

/** The invisible root has no category. */
interface Node {
  readonly category?: CategoryOutput;
}
type Item = ItemInstance<Node>;

export function CategoryTree({ all, chosen, onChoose, onDone }: Props) {
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const action = useAction();

  async function move(id: number, drop: Drop | undefined): Promise<void> {
    if (!drop || isSelfOrDescendant(all, drop.target.id, id)) return;
    await action.run(async () => {
      for (const { id: category_id, parent, position } of movesFor(all, id, drop))
        await store.put('/categories/{category_id}/move', { category_id }, { parent, position });
    });
    await onDone();
  }

  const tree = useCategoryTree({ all, mayWrite, onChoose, onMove: (id, drop) => void move(id, drop) });

  function onKeyDown(event: KeyboardEvent, category: CategoryOutput): void {
    if (!event.altKey || !mayWrite) return;
    const drop = keyboardDrop(event.key, all, category);
    if (!drop) return;
    event.preventDefault();
    void move(category.id, drop);
  }

  return (
    <>
      {mayWrite && (
        <Alert severity="info" icon={false} sx={{ my: 1 }}>
          {translate('categories.moveHelp')}
        </Alert>
      )}
      <Box {...tree.getContainerProps(translate('menu.categories'))} sx={{ outline: 'none' }}>
        {tree.getItems().map((item) => (
          <TreeItem
            key={item.getId()}
            item={item}
            isChosen={item.getId() === `${chosen}`}
            onKeyDown={(event) => onKeyDown(event, item.getItemData().category!)}
            onChoose={() => onChoose(Number(item.getId()))}
          />
        ))}
      </Box>
    </>
  );
}

interface TreeOptions {
  readonly all: readonly CategoryOutput[];
  readonly mayWrite: boolean;
  onChoose(id: number): void;
  onMove(id: number, drop: Drop | undefined): void;
}

function useCategoryTree({ all, mayWrite, onChoose, onMove }: TreeOptions) {
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set());
  const byId = useMemo(() => new Map(all.map((category) => [`${category.id}`, category])), [all]);
  // The library keeps its first data loader.
  const latest = useRef({ all, byId });
  latest.current = { all, byId };
  // A new object in each render would start another one.
  const state = useMemo(
    () => ({ expandedItems: [...byId.keys()].filter((id) => !collapsed.has(id)) }),
    [byId, collapsed],
  );
  const tree = useTree<Node>({
    rootItemId: ROOT,
    getItemName: (item) => item.getItemData().category?.name ?? '',
    isItemFolder: () => true,
    dataLoader: {
      getItem(id) {
        const category = latest.current.byId.get(id);
        return category ? { category } : {};
      },
      getChildren: (id) =>
        childrenOf(latest.current.all, id === ROOT ? null : Number(id)).map((category) => `${category.id}`),
    },
    state,
    setExpandedItems: (updater) => {
      const expanded = new Set(typeof updater === 'function' ? updater(state.expandedItems) : updater);
      setCollapsed(new Set([...byId.keys()].filter((id) => !expanded.has(id))));
    },
    onPrimaryAction: (item) => onChoose(Number(item.getId())),
    canReorder: true,
    canDrag: () => mayWrite,
    canDrop: ([dragged], target) => canDrop(all, dragged!, target),
    onDrop([dragged], target) {
      const id = Number(dragged!.getId());
      const parent = target.item.getItemData().category;
      if (isOrderedDragTarget(target)) onMove(id, dropBetween(all, id, parent, target.insertionIndex));
      else if (parent) onMove(id, { target: parent, position: 'inside' });
    },
    features: [syncDataLoaderFeature, selectionFeature, hotkeysCoreFeature, dragAndDropFeature],
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tree reads them through its data loader
  useEffect(() => tree.rebuildTree(), [tree, all, collapsed]);
  return tree;
}

/** A category cannot be moved into its own subtree. */
function canDrop(all: readonly CategoryOutput[], dragged: Item, { item }: DragTarget<Node>): boolean {
  const parent = item.getItemData().category;
  return !parent || !isSelfOrDescendant(all, parent.id, Number(dragged.getId()));
}

interface TreeItemProps {
  readonly item: Item;
  readonly isChosen: boolean;
  onKeyDown(event: KeyboardEvent): void;
  onChoose(): void;
}

function TreeItem({ item, isChosen, onKeyDown, onChoose }: TreeItemProps) {
  const translate = useTranslate();
  const { category } = item.getItemData();
  if (!category) return null;
  const hasChildren = item.getChildren().length > 0;
  const { 'aria-expanded': _expanded, ...props } = item.getProps();
  return (
    <Stack
      {...props}
      {...(hasChildren ? { 'aria-expanded': item.isExpanded() } : {})}
      aria-selected={isChosen}
      direction="row"
      onKeyDown={onKeyDown}
      onClick={() => {
        item.setFocused();
        onChoose();
      }}
      sx={{
        alignItems: 'center',
        minHeight: 40,
        pl: item.getItemMeta().level * 3 + 0.5,
        pr: 1,
        borderRadius: 1,
        cursor: 'pointer',
        bgcolor: isChosen ? 'action.selected' : 'transparent',
        boxShadow: shadowOf(item),
        '&:hover': { bgcolor: 'action.hover' },
        '&:focus-visible': { outline: 2, outlineColor: 'primary.main' },
      }}
    >
      {hasChildren ? <ToggleButton item={item} /> : <Box sx={{ width: 34, flexShrink: 0 }} />}
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

/** A line at the edge where the dragged category would be inserted, or a frame around its new parent. */
function shadowOf(item: Item): string {
  if (item.isDragTargetAbove()) return 'inset 0 3px 0 0 currentColor';
  if (item.isDragTargetBelow()) return 'inset 0 -3px 0 0 currentColor';
  return item.isUnorderedDragTarget() ? 'inset 0 0 0 2px currentColor' : 'none';
}

/** For the mouse only: the keyboard expands and collapses with the arrow keys. */
function ToggleButton({ item }: { item: Item }) {
  return (
    <IconButton
      size="small"
      tabIndex={-1}
      aria-hidden
      onClick={(event) => {
        event.stopPropagation();
        if (item.isExpanded()) item.collapse();
        else item.expand();
      }}
    >
      {item.isExpanded() ? <CollapseIcon fontSize="small" /> : <ExpandIcon fontSize="small" />}
    </IconButton>
  );
}
