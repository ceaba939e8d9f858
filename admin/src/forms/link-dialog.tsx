/** Sets or removes the link of the selected text. */
import { Button, Dialog, DialogActions, DialogContent, DialogTitle, TextField } from '@mui/material';
import type { Editor } from '@tiptap/react';
import { type FormEvent, useState } from 'react';
import { useTranslate } from 'react-admin';

export function LinkDialog({ editor, onClose }: { editor: Editor; onClose(): void }) {
  const before = (editor.getAttributes('link').href as string | undefined) ?? '';
  const [href, setHref] = useState(before);
  const translate = useTranslate();

  function save(event: FormEvent): void {
    event.preventDefault();
    event.stopPropagation();
    const chain = editor.chain().focus().extendMarkRange('link');
    if (href.trim() === '') chain.unsetLink().run();
    else chain.setLink({ href: href.trim() }).run();
    onClose();
  }

  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="xs" aria-labelledby="link">
      <form onSubmit={save} noValidate>
        <DialogTitle id="link">{translate('editor.link')}</DialogTitle>
        <DialogContent>
          <TextField
            label={translate('editor.address')}
            value={href}
            onChange={({ target }) => setHref(target.value)}
            helperText={translate('editor.addressHelp')}
            placeholder="https://"
            autoFocus
          />
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{translate('button.cancel')}</Button>
          <Button type="submit" variant="contained">
            {translate('editor.setLink')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
