/** The main menu at the side. On phones it is a dialog over the page, which starts closed, also after the window was narrowed. */
import { type Theme, useMediaQuery } from '@mui/material';
import { useEffect, useRef, useState } from 'react';
import { Sidebar, type SidebarProps, useSidebarState } from 'react-admin';

export function PageSidebar(props: SidebarProps) {
  const isPhone = useMediaQuery<Theme>((theme) => theme.breakpoints.down('sm'), { noSsr: true });
  const [isOpen, setOpen] = useSidebarState();
  /** For which kind of window the state is; both share react-admin's state. */
  const [isForPhone, setForPhone] = useState(false);
  const isOpenOnDesktop = useRef(true);
  if (!isPhone && !isForPhone) isOpenOnDesktop.current = isOpen;

  useEffect(() => {
    if (isPhone === isForPhone) return;
    setOpen(isPhone ? false : isOpenOnDesktop.current);
    setForPhone(isPhone);
  }, [isPhone, isForPhone, setOpen]);

  // A dialog that opens and closes at once would leave its backdrop over the page.
  if (isPhone !== isForPhone) return null;
  return <Sidebar key={isPhone ? 'phone' : 'desktop'} {...props} />;
}
