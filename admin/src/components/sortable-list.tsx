/** A list that is sorted by dragging (mouse, touch or keyboard) or with two buttons. */
import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { rectSortingStrategy, SortableContext, sortableKeyboardCoordinates, useSortable } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import DownIcon from '@mui/icons-material/ArrowDownward';
import UpIcon from '@mui/icons-material/ArrowUpward';
import DragIcon from '@mui/icons-material/DragIndicator';
import { Box, IconButton, type SxProps, type Theme } from '@mui/material';
import type { ReactNode } from 'react';
import { useTranslate } from 'react-admin';

interface SortableListProps<T extends { id: number }> {
  readonly items: readonly T[];
  nameOf(item: T): string;
  onMove(from: number, to: number): void;
  children(item: T, handle: ReactNode): ReactNode;
  readonly sx?: SxProps<Theme>;
  readonly isFixed?: boolean;
}

export function SortableList<T extends { id: number }>({
  items,
  nameOf,
  onMove,
  children,
  sx,
  isFixed,
}: SortableListProps<T>) {
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );

  function onDragEnd({ active, over }: DragEndEvent): void {
    if (!over || active.id === over.id) return;
    const at = (id: unknown) => items.findIndex((item) => item.id === id);
    onMove(at(active.id), at(over.id));
  }

  return (
    <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={onDragEnd}>
      <SortableContext items={items.map(({ id }) => id)} strategy={rectSortingStrategy}>
        <Box component="ul" sx={[{ listStyle: 'none', m: 0, p: 0 }, ...(Array.isArray(sx) ? sx : [sx])]}>
          {items.map((item, at) => (
            <SortableItem key={item.id} id={item.id}>
              {(drag) =>
                children(
                  item,
                  isFixed ? null : (
                    <Handle drag={drag} name={nameOf(item)} at={at} last={items.length - 1} onMove={onMove} />
                  ),
                )
              }
            </SortableItem>
          ))}
        </Box>
      </SortableContext>
    </DndContext>
  );
}

type Drag = ReturnType<typeof useSortable>;

function SortableItem({ id, children }: { id: number; children(drag: Drag): ReactNode }) {
  const drag = useSortable({ id });
  const style = { transform: CSS.Translate.toString(drag.transform), transition: drag.transition };
  return (
    <Box
      component="li"
      ref={drag.setNodeRef}
      style={style}
      sx={drag.isDragging ? { zIndex: 2, opacity: 0.8, position: 'relative' } : {}}
    >
      {children(drag)}
    </Box>
  );
}

interface HandleProps {
  readonly drag: Drag;
  readonly name: string;
  readonly at: number;
  readonly last: number;
  onMove(from: number, to: number): void;
}

function Handle({ drag, name, at, last, onMove }: HandleProps) {
  const translate = useTranslate();
  return (
    <Box sx={{ display: 'flex' }}>
      <IconButton
        size="small"
        {...drag.attributes}
        {...drag.listeners}
        aria-label={translate('button.move', { name })}
        sx={{ cursor: 'grab', touchAction: 'none' }}
      >
        <DragIcon fontSize="small" />
      </IconButton>
      <IconButton
        size="small"
        disabled={at === 0}
        onClick={() => onMove(at, at - 1)}
        aria-label={translate('button.moveUp', { name })}
      >
        <UpIcon fontSize="small" />
      </IconButton>
      <IconButton
        size="small"
        disabled={at === last}
        onClick={() => onMove(at, at + 1)}
        aria-label={translate('button.moveDown', { name })}
      >
        <DownIcon fontSize="small" />
      </IconButton>
    </Box>
  );
}
