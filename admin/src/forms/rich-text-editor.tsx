/**
 * A visual editor for HTML. A text with elements that it does not know, such as a table, opens as source, so that nothing is lost; the
 * stored text changes only when the user edits it.
 */
import BoldIcon from '@mui/icons-material/FormatBold';
import ClearIcon from '@mui/icons-material/FormatClear';
import ItalicIcon from '@mui/icons-material/FormatItalic';
import BulletsIcon from '@mui/icons-material/FormatListBulleted';
import NumbersIcon from '@mui/icons-material/FormatListNumbered';
import QuoteIcon from '@mui/icons-material/FormatQuote';
import LinkIcon from '@mui/icons-material/InsertLink';
import RedoIcon from '@mui/icons-material/Redo';
import HeadingIcon from '@mui/icons-material/Title';
import UndoIcon from '@mui/icons-material/Undo';
import { Alert, Box, Button, FormHelperText, TextField, ToggleButton, Typography } from '@mui/material';
import Image from '@tiptap/extension-image';
import { type Editor, EditorContent, useEditor, useEditorState } from '@tiptap/react';
import StarterKit from '@tiptap/starter-kit';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useInput, useTranslate } from 'react-admin';
import { useMayWrite } from '../utils/use-may.tsx';
import { cleanPastedHtml, isSameHtml, withoutStyles } from './html-text.ts';
import { LinkDialog } from './link-dialog.tsx';

export interface RichTextProps {
  readonly source: string;
  readonly label: string;
  readonly lang?: string;
  /** Message key. */
  readonly help?: string;
  /** What customers see if the text is empty. */
  readonly placeholder?: string;
}

const EXTENSIONS = [
  StarterKit.configure({
    link: { openOnClick: false, autolink: false, HTMLAttributes: { rel: null, target: null } },
    trailingNode: false,
  }),
  Image.configure({ inline: true }),
];

/** Allowed by the page's content security policy. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.content;

export default function RichTextEditor({ source, label, lang, help, placeholder }: RichTextProps) {
  const { field, fieldState } = useInput({ source });
  const [isSource, setSource] = useState<boolean>();
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const id = useId();
  const value: string = field.value ?? '';
  const editor = useHtmlEditor({ value, label, lang, isEditable: mayWrite, onChange: field.onChange });
  const isKept = isSameHtml(value, editor.getHTML()) || value === '';
  const [openedKept] = useState(isKept);
  const showsSource = isSource ?? !openedKept;
  const error = fieldState.error?.message;

  return (
    <Box sx={{ mt: 1, mb: 0.5, minWidth: 0 }} onBlur={field.onBlur}>
      <Box sx={{ display: 'flex', alignItems: 'center', justifyContent: 'space-between' }}>
        <Typography variant="body2" color="textSecondary" id={id}>
          {label}
        </Typography>
        <Button size="small" onClick={() => setSource(!showsSource)}>
          {translate(showsSource ? 'editor.visual' : 'editor.source')}
        </Button>
      </Box>
      {showsSource ? (
        <>
          {!openedKept && (
            <Alert severity="info" sx={{ mb: 1 }}>
              {translate('editor.sourceOnly')}
            </Alert>
          )}
          <TextField
            {...field}
            value={value}
            multiline
            minRows={4}
            maxRows={18}
            error={error !== undefined}
            slotProps={{ htmlInput: { lang, 'aria-label': label, 'data-source': source, readOnly: !mayWrite } }}
            sx={{ mt: 0, '& textarea': { fontFamily: 'monospace', fontSize: '0.85rem' } }}
          />
        </>
      ) : (
        <Box sx={{ ...FRAME, ...(error ? { borderColor: 'error.main' } : {}) }}>
          {mayWrite && <Toolbar editor={editor} />}
          {editor.isEmpty && placeholder && (
            <Typography color="textSecondary" aria-hidden sx={{ position: 'absolute', px: 1.5, py: 1, opacity: 0.7 }}>
              {placeholder.replace(/<[^>]*>/g, ' ').slice(0, 200)}
            </Typography>
          )}
          <EditorContent editor={editor} />
        </Box>
      )}
      {(error ?? help) && (
        <FormHelperText error={error !== undefined}>{error ?? (help && translate(help))}</FormHelperText>
      )}
    </Box>
  );
}

interface EditorOptions {
  readonly value: string;
  readonly label: string;
  readonly lang: string | undefined;
  readonly isEditable: boolean;
  onChange(html: string): void;
}

function useHtmlEditor({ value, label, lang, isEditable, onChange }: EditorOptions): Editor {
  /** The last text that came from the editor. */
  const own = useRef(value);
  const attributes = { role: 'textbox', 'aria-multiline': 'true', 'aria-label': label, ...(lang ? { lang } : {}) };
  const editor = useEditor({
    extensions: EXTENSIONS,
    content: withoutStyles(value),
    editable: isEditable,
    ...(nonce ? { injectNonce: nonce } : {}),
    editorProps: { attributes, transformPastedHTML: cleanPastedHtml },
    onUpdate({ editor: changed }) {
      own.current = changed.isEmpty ? '' : changed.getHTML();
      onChange(own.current);
    },
  })!;
  useEffect(() => {
    if (value === own.current) return;
    own.current = value;
    editor.commands.setContent(withoutStyles(value), { emitUpdate: false });
  }, [editor, value]);
  useEffect(() => {
    if (editor.isEditable !== isEditable) editor.setEditable(isEditable, false);
  }, [editor, isEditable]);
  return editor;
}

interface Tool {
  readonly name: string;
  readonly icon: ReactNode;
  isOn(editor: Editor): boolean;
  run(editor: Editor): void;
}

const TOOLS: readonly Tool[] = [
  {
    name: 'bold',
    icon: <BoldIcon fontSize="small" />,
    isOn: (editor) => editor.isActive('bold'),
    run: (editor) => editor.chain().focus().toggleBold().run(),
  },
  {
    name: 'italic',
    icon: <ItalicIcon fontSize="small" />,
    isOn: (editor) => editor.isActive('italic'),
    run: (editor) => editor.chain().focus().toggleItalic().run(),
  },
  {
    name: 'heading',
    icon: <HeadingIcon fontSize="small" />,
    isOn: (editor) => editor.isActive('heading'),
    run: (editor) => editor.chain().focus().toggleHeading({ level: 2 }).run(),
  },
  {
    name: 'bullets',
    icon: <BulletsIcon fontSize="small" />,
    isOn: (editor) => editor.isActive('bulletList'),
    run: (editor) => editor.chain().focus().toggleBulletList().run(),
  },
  {
    name: 'numbers',
    icon: <NumbersIcon fontSize="small" />,
    isOn: (editor) => editor.isActive('orderedList'),
    run: (editor) => editor.chain().focus().toggleOrderedList().run(),
  },
  {
    name: 'quote',
    icon: <QuoteIcon fontSize="small" />,
    isOn: (editor) => editor.isActive('blockquote'),
    run: (editor) => editor.chain().focus().toggleBlockquote().run(),
  },
  {
    name: 'clear',
    icon: <ClearIcon fontSize="small" />,
    isOn: () => false,
    run: (editor) => editor.chain().focus().unsetAllMarks().clearNodes().run(),
  },
  {
    name: 'undo',
    icon: <UndoIcon fontSize="small" />,
    isOn: () => false,
    run: (editor) => editor.chain().focus().undo().run(),
  },
  {
    name: 'redo',
    icon: <RedoIcon fontSize="small" />,
    isOn: () => false,
    run: (editor) => editor.chain().focus().redo().run(),
  },
];

function Toolbar({ editor }: { editor: Editor }) {
  const [isLinking, setLinking] = useState(false);
  const translate = useTranslate();
  const active = useEditorState({
    editor,
    selector: () => [
      ...TOOLS.filter((tool) => tool.isOn(editor)).map(({ name }) => name),
      ...(editor.isActive('link') ? ['link'] : []),
    ],
  });
  const button = (name: string, icon: ReactNode, onClick: () => void) => (
    <ToggleButton
      key={name}
      value={name}
      size="small"
      selected={active.includes(name)}
      onClick={onClick}
      // The selection of the text stays.
      onMouseDown={(event) => event.preventDefault()}
      aria-label={translate(`editor.${name}`)}
      title={translate(`editor.${name}`)}
      sx={{ border: 0, p: 0.5 }}
    >
      {icon}
    </ToggleButton>
  );
  return (
    <Box
      role="toolbar"
      aria-label={translate('editor.toolbar')}
      sx={{ display: 'flex', flexWrap: 'wrap', borderBottom: 1, borderColor: 'divider', p: 0.25 }}
    >
      {TOOLS.map(({ name, icon, run }) => button(name, icon, () => run(editor)))}
      {button('link', <LinkIcon fontSize="small" />, () => setLinking(true))}
      {isLinking && <LinkDialog editor={editor} onClose={() => setLinking(false)} />}
    </Box>
  );
}

const FRAME = {
  border: 1,
  borderColor: 'divider',
  borderRadius: 1,
  position: 'relative',
  '&:focus-within': { borderColor: 'primary.main' },
  '& .ProseMirror': { minHeight: 90, maxHeight: 420, overflowY: 'auto', px: 1.5, py: 1, outline: 'none' },
  '& .ProseMirror > :first-of-type': { mt: 0 },
  '& .ProseMirror > :last-child': { mb: 0 },
  '& .ProseMirror blockquote': { borderLeft: 3, borderColor: 'divider', ml: 0, pl: 2 },
  '& .ProseMirror a': { color: 'primary.main' },
  '& .ProseMirror img': { maxWidth: '100%' },
} as const;
