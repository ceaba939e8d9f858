/** The columns of the variants' grid on wide screens. */
export const GRID_ROW = {
  display: 'grid',
  gridTemplateColumns: 'minmax(100px, 2fr) minmax(120px, 2fr) 118px 104px 104px 48px 40px',
  gap: 1,
  alignItems: 'center',
  px: 1,
} as const;
