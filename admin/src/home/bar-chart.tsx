/** A bar chart on a canvas. What it shows is also in a table, because screen readers cannot read a canvas. */
import { useTheme } from '@mui/material';
import { BarController, BarElement, CategoryScale, Chart, LinearScale, Tooltip } from 'chart.js';
import { useEffect, useRef } from 'react';

Chart.register(BarController, BarElement, CategoryScale, LinearScale, Tooltip);

const LABELS_MAX = 8;

interface Props {
  readonly labels: readonly string[];
  readonly values: readonly number[];
  write(value: number): string;
}

export default function BarChart({ labels, values, write }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { palette, typography } = useTheme();
  const latestWrite = useRef(write);
  latestWrite.current = write;
  // biome-ignore lint/correctness/useExhaustiveDependencies: equal labels and values draw the same chart
  useEffect(() => {
    const color = palette.text.secondary;
    const chart = new Chart(canvas.current!, {
      type: 'bar',
      data: {
        labels: [...labels],
        datasets: [{ data: [...values], backgroundColor: palette.primary.main, maxBarThickness: 36 }],
      },
      options: {
        animation: false,
        responsive: true,
        maintainAspectRatio: false,
        font: { family: typography.fontFamily as string },
        scales: {
          x: { grid: { display: false }, ticks: { color, maxTicksLimit: LABELS_MAX, maxRotation: 0 } },
          y: {
            beginAtZero: true,
            grid: { color: palette.divider },
            ticks: { color, maxTicksLimit: 5, callback: (value) => latestWrite.current(Number(value)) },
          },
        },
        plugins: { tooltip: { callbacks: { label: ({ parsed }) => latestWrite.current(parsed.y ?? 0) } } },
      },
    });
    return () => chart.destroy();
  }, [labels.join(), values.join(), palette, typography.fontFamily]);
  return <canvas ref={canvas} />;
}
