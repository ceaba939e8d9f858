/** The link from a screen to its section of the guide. */
import HelpIcon from '@mui/icons-material/HelpOutlineOutlined';
import { Button } from '@mui/material';
import { useTranslate } from 'react-admin';
import { Link, useLocation } from 'react-router-dom';
import { helpSectionOf } from '../help/sections.ts';

export function HelpLink() {
  const { pathname, search } = useLocation();
  const translate = useTranslate();
  return (
    <Button
      component={Link}
      to={`/help/${helpSectionOf(pathname, new URLSearchParams(search))}`}
      size="small"
      color="inherit"
      startIcon={<HelpIcon />}
    >
      {translate('menu.help')}
    </Button>
  );
}
