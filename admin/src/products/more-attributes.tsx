/** Opens the editors of attributes: of this product in a dialog, of several products on the settings page. */
import { Button, Dialog, DialogActions, DialogContent, DialogContentText, DialogTitle, Stack } from '@mui/material';
import type { ProductOutput } from 'purveyor/client';
import { useState } from 'react';
import { Link, useTranslate } from 'react-admin';
import { AttributeList } from '../attributes/attribute-list.tsx';
import { productScope } from '../attributes/scope.ts';
import { useMayWrite } from '../utils/use-may.tsx';

interface Props {
  readonly product: ProductOutput;
  onDone(): Promise<void>;
}

export function MoreAttributes({ product, onDone }: Props) {
  const [isOpen, setOpen] = useState(false);
  const translate = useTranslate();
  const query = product.product_class ? `?class=${product.product_class.id}` : '';
  if (!useMayWrite()) return null;
  return (
    <Stack direction="row" spacing={2} useFlexGap sx={{ flexWrap: 'wrap', alignItems: 'center' }}>
      <Button variant="outlined" onClick={() => setOpen(true)}>
        {translate('attributes.ofProduct')}
      </Button>
      <Link to={`/settings/attributes${query}`}>{translate('attributes.shared')}</Link>
      {isOpen && (
        <Dialog open onClose={() => setOpen(false)} fullWidth maxWidth="md" aria-labelledby="own-attributes">
          <DialogTitle id="own-attributes">{translate('attributes.ofProduct')}</DialogTitle>
          <DialogContent>
            <DialogContentText sx={{ mb: 2 }}>{translate('attributes.ofProductHelp')}</DialogContentText>
            <AttributeList scope={productScope(product.id)} onDone={onDone} />
          </DialogContent>
          <DialogActions>
            <Button onClick={() => setOpen(false)}>{translate('button.close')}</Button>
          </DialogActions>
        </Dialog>
      )}
    </Stack>
  );
}
