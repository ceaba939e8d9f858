/** The categories as a tree on one side, and the chosen one on the other. */
import AddIcon from '@mui/icons-material/Add';
import OpenIcon from '@mui/icons-material/ChevronRight';
import CloseIcon from '@mui/icons-material/ExpandMore';
import { Alert, Box, Button, Card, IconButton, Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { CategoryOutput } from 'purveyor/client';
import { type DragEvent, type KeyboardEvent, useState } from 'react';
import { Title, useTranslate } from 'react-admin';
import { useNavigate, useParams } from 'react-router-dom';
import { useMayWrite } from '../parts/layout.tsx';
import { Failed, Reading } from '../parts/states.tsx';
import { useAct } from '../parts/use-act.ts';
import { store } from '../store/client.ts';
import { NewCategoryDialog } from './new-category-dialog.tsx';
import { CategoryPanel } from './panel.tsx';
import { childrenOf, isWithin, movesTo, type Node, type Place, readCategories, rowsOf } from './tree.ts';

export default function Categories() {
  const { id } = useParams();
  const chosen = id === undefined ? undefined : Number(id);
  const [isNew, setNew] = useState(false);
  const translate = useTranslate();
  const navigate = useNavigate();
  const mayWrite = useMayWrite();
  const { data, error, isPending, refetch } = useQuery({ queryKey: ['categories'], queryFn: readCategories });
  const renew = async (): Promise<void> => void (await refetch());
  if (error) return <Failed title="menu.categories" error={error} onAgain={renew} />;
  if (isPending) return <Reading />;
  return (
    <>
      <Title title={translate('menu.categories')} />
      <Box
        sx={{
          display: 'grid',
          gap: 2,
          mt: 1,
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 2fr) minmax(0, 3fr)' },
          alignItems: 'start',
        }}
      >
        <Card variant="outlined" sx={{ p: 1 }}>
          {mayWrite && (
            <Button startIcon={<AddIcon />} onClick={() => setNew(true)}>
              {translate('categories.new')}
            </Button>
          )}
          {data.length === 0 ? (
            <Typography color="textSecondary" sx={{ p: 2 }}>
              {translate('categories.empty')}
            </Typography>
          ) : (
            <Tree all={data} chosen={chosen} onChoose={(one) => navigate(`/categories/${one}`)} onDone={renew} />
          )}
        </Card>
        {chosen === undefined ? (
          <Typography color="textSecondary" sx={{ p: 2 }}>
            {translate('categories.choose')}
          </Typography>
        ) : (
          <CategoryPanel key={chosen} id={chosen} onDone={renew} onGone={() => navigate('/categories')} />
        )}
      </Box>
      {isNew && (
        <NewCategoryDialog
          all={data}
          parent={chosen ?? null}
          onClose={() => setNew(false)}
          onMade={async (made) => {
            setNew(false);
            await renew();
            navigate(`/categories/${made}`);
          }}
        />
      )}
    </>
  );
}

interface TreeProps {
  readonly all: readonly CategoryOutput[];
  readonly chosen: number | undefined;
  onChoose(id: number): void;
  onDone(): Promise<void>;
}

function Tree({ all, chosen, onChoose, onDone }: TreeProps) {
  const [closed, setClosed] = useState<ReadonlySet<number>>(new Set());
  const [dragged, setDragged] = useState<number>();
  const [over, setOver] = useState<{ id: number; place: Place }>();
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const act = useAct();
  const rows = rowsOf(all, closed);
  const focused = rows.some(({ category }) => category.id === chosen) ? chosen : rows[0]?.category.id;

  async function move(id: number, target: CategoryOutput, place: Place): Promise<void> {
    if (isWithin(all, target.id, id)) return;
    await act.run(async () => {
      for (const { id: category_id, parent, position } of movesTo(all, id, target, place))
        await store.put('/categories/{category_id}/move', { category_id }, { parent, position });
    });
    await onDone();
  }

  function toggle(id: number): void {
    const next = new Set(closed);
    if (!next.delete(id)) next.add(id);
    setClosed(next);
  }

  /** With Alt an arrow moves the category itself: up, down, out of its parent, into the one above. */
  function onKeyDown(event: KeyboardEvent, at: number): void {
    const { category, hasChildren } = rows[at]!;
    const isOpen = hasChildren && !closed.has(category.id);
    if (event.altKey && mayWrite) {
      const siblings = childrenOf(all, category.parent);
      const place = siblings.findIndex(({ id }) => id === category.id);
      const above = all.find(({ id }) => id === category.parent);
      const step: readonly [CategoryOutput, Place] | undefined =
        event.key === 'ArrowUp' && siblings[place - 1]
          ? ([siblings[place - 1]!, 'before'] as const)
          : event.key === 'ArrowDown' && siblings[place + 1]
            ? ([siblings[place + 1]!, 'after'] as const)
            : event.key === 'ArrowLeft' && above
              ? ([above, 'after'] as const)
              : event.key === 'ArrowRight' && siblings[place - 1]
                ? ([siblings[place - 1]!, 'inside'] as const)
                : undefined;
      if (!step) return;
      event.preventDefault();
      void move(category.id, step[0], step[1]);
      return;
    }
    const go = (row: Node | undefined): void => {
      if (!row) return;
      document.getElementById(`category-${row.category.id}`)?.focus();
    };
    if (event.key === 'ArrowDown') go(rows[at + 1]);
    else if (event.key === 'ArrowUp') go(rows[at - 1]);
    else if (event.key === 'Home') go(rows[0]);
    else if (event.key === 'End') go(rows.at(-1));
    else if (event.key === 'ArrowRight' && hasChildren) isOpen ? go(rows[at + 1]) : toggle(category.id);
    else if (event.key === 'ArrowLeft')
      isOpen ? toggle(category.id) : go(rows.find((row) => row.category.id === category.parent));
    else if (event.key === 'Enter' || event.key === ' ') onChoose(category.id);
    else return;
    event.preventDefault();
  }

  function placeOf(event: DragEvent): Place {
    const { top, height } = event.currentTarget.getBoundingClientRect();
    const share = (event.clientY - top) / height;
    return share < 0.25 ? 'before' : share > 0.75 ? 'after' : 'inside';
  }

  return (
    <>
      {mayWrite && (
        <Alert severity="info" icon={false} sx={{ my: 1 }}>
          {translate('categories.moveHelp')}
        </Alert>
      )}
      <Box role="tree" aria-label={translate('menu.categories')}>
        {rows.map(({ category, depth, hasChildren }, at) => (
          <Stack
            key={category.id}
            id={`category-${category.id}`}
            role="treeitem"
            aria-level={depth + 1}
            aria-selected={category.id === chosen}
            {...(hasChildren ? { 'aria-expanded': !closed.has(category.id) } : {})}
            tabIndex={category.id === focused ? 0 : -1}
            direction="row"
            draggable={mayWrite}
            onDragStart={() => setDragged(category.id)}
            onDragEnd={() => {
              setDragged(undefined);
              setOver(undefined);
            }}
            onDragOver={(event) => {
              if (dragged === undefined || isWithin(all, category.id, dragged)) return;
              event.preventDefault();
              setOver({ id: category.id, place: placeOf(event) });
            }}
            onDrop={(event) => {
              event.preventDefault();
              if (dragged !== undefined) void move(dragged, category, placeOf(event));
              setOver(undefined);
            }}
            onKeyDown={(event) => onKeyDown(event, at)}
            onClick={() => onChoose(category.id)}
            sx={{
              alignItems: 'center',
              minHeight: 40,
              pl: depth * 3 + 0.5,
              pr: 1,
              borderRadius: 1,
              cursor: 'pointer',
              bgcolor: category.id === chosen ? 'action.selected' : 'transparent',
              boxShadow: over?.id === category.id ? SHADOWS[over.place] : 'none',
              '&:hover': { bgcolor: 'action.hover' },
              '&:focus-visible': { outline: 2, outlineColor: 'primary.main' },
            }}
          >
            {hasChildren ? (
              <IconButton
                size="small"
                tabIndex={-1}
                aria-hidden
                onClick={(event) => {
                  event.stopPropagation();
                  toggle(category.id);
                }}
              >
                {closed.has(category.id) ? <OpenIcon fontSize="small" /> : <CloseIcon fontSize="small" />}
              </IconButton>
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
        ))}
      </Box>
    </>
  );
}

/** A line where the dragged one would come to stand, or a frame around its new parent. */
const SHADOWS: Readonly<Record<Place, string>> = {
  before: 'inset 0 3px 0 0 currentColor',
  after: 'inset 0 -3px 0 0 currentColor',
  inside: 'inset 0 0 0 2px currentColor',
};
