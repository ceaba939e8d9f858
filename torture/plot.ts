/** Draws time series as an SVG: stacked panels with their own scales and a common time axis. */

export interface Panel {
  /** Includes the unit. */
  readonly title: string;
  /** One value per point in time; all lines have the same length. */
  readonly lines: readonly { readonly name: string; readonly values: readonly number[] }[];
}

const WIDTH = 860;
const PANEL_HEIGHT = 150;
const LEFT = 64;
const RIGHT = 130;
const TOP = 30;
const GAP = 34;
/** A palette for color-blind readers (Okabe and Ito). */
const COLORS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7'];
const TICKS = 4;

/** @param minutes the time of each value, ascending @returns the content of the SVG file */
export function plot(title: string, minutes: readonly number[], panels: readonly Panel[]): string {
  const height = TOP + panels.length * (PANEL_HEIGHT + GAP) + 16;
  const last = minutes.at(-1) ?? 1;
  const xOf = (minute: number): number => LEFT + (minute / last) * (WIDTH - LEFT - RIGHT);
  const parts = panels.map((panel, index) => drawn(panel, TOP + GAP / 2 + index * (PANEL_HEIGHT + GAP), minutes, xOf));
  const bottom = height - GAP + 12;
  const times = ticks(last).map(
    (minute) => `<text x="${round(xOf(minute))}" y="${bottom}" text-anchor="middle">${minute} min</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="11" fill="#333">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    `<text x="${LEFT}" y="20" font-size="14">${escaped(title)}</text>`,
    ...parts,
    ...times,
    '</svg>\n',
  ].join('\n');
}

function drawn(panel: Panel, top: number, minutes: readonly number[], xOf: (minute: number) => number): string {
  const max = ceiling(Math.max(...panel.lines.flatMap(({ values }) => values), Number.MIN_VALUE));
  const yOf = (value: number): number => top + PANEL_HEIGHT - (value / max) * PANEL_HEIGHT;
  const right = WIDTH - RIGHT;
  const grid = Array.from({ length: TICKS + 1 }, (_, tick) => {
    const value = (max * tick) / TICKS;
    const y = round(yOf(value));
    return (
      `<line x1="${LEFT}" x2="${right}" y1="${y}" y2="${y}" stroke="#ddd"/>` +
      `<text x="${LEFT - 6}" y="${round(y + 4)}" text-anchor="end">${Number(value.toPrecision(3))}</text>`
    );
  });
  const lines = panel.lines.map(({ name, values }, index) => {
    const points = values.map((value, at) => `${round(xOf(minutes[at]!))},${round(yOf(value))}`).join(' ');
    const color = COLORS[index % COLORS.length]!;
    return (
      `<polyline points="${points}" fill="none" stroke="${color}" stroke-width="1"/>` +
      `<text x="${right + 8}" y="${top + 14 + index * 15}" fill="${color}">${escaped(name)}</text>`
    );
  });
  return [`<text x="${LEFT}" y="${top - 6}">${escaped(panel.title)}</text>`, ...grid, ...lines].join('\n');
}

/** Rounds up to 1, 2 or 5 times a power of ten. */
function ceiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * [1, 2, 5, 10].find((factor) => factor * power >= value)!;
}

function ticks(last: number): number[] {
  const step = ceiling(last / 8);
  return Array.from({ length: Math.floor(last / step) + 1 }, (_, index) => Number((index * step).toPrecision(3)));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
