/** The ways to further attributes: those of this product alone in a dialog, those of others on their own screen. */
import { Button, Dialog, DialogActions, DialogContent, DialogContentText, DialogTitle, Stack } from '@mui/material';
import type { ProductOutput } from 'purveyor/client';
import { useState } from 'react';
import { Link, useTranslate } from 'react-admin';
import { Declarations } from '../attributes/declarations.tsx';
import { ofProduct } from '../attributes/scope.ts';
import { useMayWrite } from '../parts/layout.tsx';

interface Props {
  readonly product: ProductOutput;
  onDone(): Promise<void>;
}

export function OwnAttributes({ product, onDone }: Props) {
  const [isOpen, setOpen] = useState(false);
  const translate = useTranslate();
  const of = product.product_class ? `?class=${product.product_class.id}` : '';
  if (!useMayWrite()) return null;
  return (
    <Stack direction="row" spacing={2} useFlexGap sx={{ flexWrap: 'wrap', alignItems: 'center' }}>
      <Button variant="outlined" onClick={() => setOpen(true)}>
        {translate('attributes.ofProduct')}
      </Button>
      <Link to={`/settings/attributes${of}`}>{translate('attributes.shared')}</Link>
      {isOpen && (
        <Dialog open onClose={() => setOpen(false)} fullWidth maxWidth="md" aria-labelledby="own-attributes">
          <DialogTitle id="own-attributes">{translate('attributes.ofProduct')}</DialogTitle>
          <DialogContent>
            <DialogContentText sx={{ mb: 2 }}>{translate('attributes.ofProductHelp')}</DialogContentText>
            <Declarations scope={ofProduct(product.id)} onDone={onDone} />
          </DialogContent>
          <DialogActions>
            <Button onClick={() => setOpen(false)}>{translate('button.close')}</Button>
          </DialogActions>
        </Dialog>
      )}
    </Stack>
  );
}
