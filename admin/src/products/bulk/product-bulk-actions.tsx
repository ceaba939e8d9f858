/** Actions for the selected products. */
import DeleteIcon from '@mui/icons-material/DeleteOutlined';
import EditIcon from '@mui/icons-material/EditOutlined';
import CategoryIcon from '@mui/icons-material/FolderOutlined';
import PriceIcon from '@mui/icons-material/PaidOutlined';
import { Button } from '@mui/material';
import { type ReactNode, useState } from 'react';
import { useListContext, useTranslate } from 'react-admin';
import { useMay, useMayWrite } from '../../utils/use-may.tsx';
import { CategoryDialog } from './category-dialog.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { PriceDialog } from './price-dialog.tsx';

const ACTIONS = {
  changePrice: { icon: <PriceIcon />, dialog: PriceDialog },
  edit: { icon: <EditIcon />, dialog: EditDialog },
  category: { icon: <CategoryIcon />, dialog: CategoryDialog },
  delete: { icon: <DeleteIcon />, dialog: DeleteDialog },
} as const satisfies Record<
  string,
  { icon: ReactNode; dialog: (props: { ids: readonly number[]; onClose(): void }) => ReactNode }
>;
type Action = keyof typeof ACTIONS;

export function ProductBulkActions() {
  const { selectedIds } = useListContext();
  const [action, setAction] = useState<Action>();
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const mayChangeCategories = useMay('categories:write');
  if (!mayWrite) return null;
  const shown = (Object.keys(ACTIONS) as Action[]).filter((name) => name !== 'category' || mayChangeCategories);
  const ShownDialog = action && ACTIONS[action].dialog;
  return (
    <>
      {shown.map((name) => (
        <Button
          key={name}
          size="small"
          color={name === 'delete' ? 'error' : 'primary'}
          startIcon={ACTIONS[name].icon}
          onClick={() => setAction(name)}
        >
          {translate(name === 'delete' ? 'button.delete' : `bulk.${name}`)}
        </Button>
      ))}
      {ShownDialog && <ShownDialog ids={selectedIds as number[]} onClose={() => setAction(undefined)} />}
    </>
  );
}
