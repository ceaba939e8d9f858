/** The tree of categories, and the selected category next to it. */
import AddIcon from '@mui/icons-material/Add';
import { Box, Button, Card, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Title, useTranslate } from 'react-admin';
import { useNavigate, useParams } from 'react-router-dom';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { useMayWrite } from '../utils/use-may.tsx';
import { CategoryPanel } from './category-panel.tsx';
import { CategoryTree } from './category-tree.tsx';
import { NewCategoryDialog } from './new-category-dialog.tsx';
import { readCategories } from './tree.ts';

export default function Categories() {
  const { id } = useParams();
  const chosen = id === undefined ? undefined : Number(id);
  const [isCreating, setCreating] = useState(false);
  const translate = useTranslate();
  const navigate = useNavigate();
  const mayWrite = useMayWrite();
  const { data, error, isPending, refetch } = useQuery({ queryKey: ['categories'], queryFn: readCategories });
  const reload = async (): Promise<void> => void (await refetch());
  if (error) return <LoadError title="menu.categories" error={error} onRetry={reload} />;
  if (isPending) return <LoadingSkeleton />;
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
            <Button startIcon={<AddIcon />} onClick={() => setCreating(true)}>
              {translate('categories.new')}
            </Button>
          )}
          {data.length === 0 ? (
            <Typography color="textSecondary" sx={{ p: 2 }}>
              {translate('categories.empty')}
            </Typography>
          ) : (
            <CategoryTree
              all={data}
              chosen={chosen}
              onChoose={(one) => navigate(`/categories/${one}`)}
              onDone={reload}
            />
          )}
        </Card>
        {chosen === undefined ? (
          <Typography color="textSecondary" sx={{ p: 2 }}>
            {translate('categories.choose')}
          </Typography>
        ) : (
          <CategoryPanel key={chosen} id={chosen} onDone={reload} onDeleted={() => navigate('/categories')} />
        )}
      </Box>
      {isCreating && (
        <NewCategoryDialog
          all={data}
          parent={chosen ?? null}
          onClose={() => setCreating(false)}
          onCreated={async (created) => {
            setCreating(false);
            await reload();
            navigate(`/categories/${created}`);
          }}
        />
      )}
    </>
  );
}
