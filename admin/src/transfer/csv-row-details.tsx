/** What a row of a spreadsheet changes, or why it cannot be imported. */
import { Box } from '@mui/material';
import { type CsvImportReport, shortChange } from 'purveyor/import';
import { useTranslate } from 'react-admin';

type Row = CsvImportReport['rows'][number];
type Translate = ReturnType<typeof useTranslate>;

/** Changes that are shown of one row. */
const CHANGES_MAX = 8;

export function CsvRowDetails({ row: { problems, changes } }: { row: Row }) {
  const translate = useTranslate();
  if (problems.length === 0 && changes.length === 0) return '–';
  return (
    <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
      {problems.map((problem) => (
        <li key={`${problem.path} ${problem.message}`}>{problemText(problem, translate)}</li>
      ))}
      {changes
        .slice(0, CHANGES_MAX)
        .map(shortChange)
        .map(({ column, before, after }) => (
          <li key={column}>
            <Box component="span" sx={{ fontWeight: 600 }}>
              {labelOf(column, translate)}:
            </Box>{' '}
            {before !== '' && (
              <>
                <Box component="del" sx={{ color: 'text.secondary' }}>
                  {before}
                </Box>
                {' → '}
              </>
            )}
            <Box component="ins" sx={{ textDecoration: 'none' }}>
              {after === '' ? translate('csv.empty') : after}
            </Box>
          </li>
        ))}
      {changes.length > CHANGES_MAX && (
        <li>{translate('csv.moreFields', { smart_count: changes.length - CHANGES_MAX })}</li>
      )}
    </Box>
  );
}

/** The name of a field as on the page of a product. */
function labelOf(column: string, translate: Translate): string {
  return column.startsWith('option.') ? column.slice('option.'.length) : translate(`field.${column}`, { _: column });
}

/** A sentence that names the column as the file does, so that the cell is found in it. */
function problemText({ path, code, value, message }: Row['problems'][number], translate: Translate): string {
  const own = translate(`csv.problem.${code}`, { value: value ?? '', _: '' });
  const sentence = own || translate(`violation.${code}`, { _: message });
  return path === '' ? sentence : translate('csv.inColumn', { column: path, sentence });
}
