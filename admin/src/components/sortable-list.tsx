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
import LeftIcon from '@mui/icons-material/ArrowBack';
import DownIcon from '@mui/icons-material/ArrowDownward';
import RightIcon from '@mui/icons-material/ArrowForward';
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
  /** Whether the items are beside each other. */
  readonly isRow?: boolean;
}

export function SortableList<T extends { id: number }>({
  items,
  nameOf,
  onMove,
  children,
  sx,
  isFixed,
  isRow = false,
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
                    <Handle
                      {...{ drag, at, onMove }}
                      name={nameOf(item)}
                      last={items.length - 1}
                      {...(isRow ? ROW : COLUMN)}
                    />
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

/** The icons and message keys of the two buttons. */
const COLUMN = { Back: UpIcon, Next: DownIcon, back: 'button.moveUp', next: 'button.moveDown' } as const;
const ROW = { Back: LeftIcon, Next: RightIcon, back: 'button.moveForward', next: 'button.moveBack' } as const;

interface HandleProps extends Record<'Back' | 'Next', typeof UpIcon>, Record<'back' | 'next', string> {
  readonly drag: Drag;
  readonly name: string;
  readonly at: number;
  readonly last: number;
  onMove(from: number, to: number): void;
}

function Handle({ drag, name, at, last, onMove, Back, Next, back, next }: HandleProps) {
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
        aria-label={translate(back, { name })}
      >
        <Back fontSize="small" />
      </IconButton>
      <IconButton
        size="small"
        disabled={at === last}
        onClick={() => onMove(at, at + 1)}
        aria-label={translate(next, { name })}
      >
        <Next fontSize="small" />
      </IconButton>
    </Box>
  );
}
