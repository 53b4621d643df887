const SIZE = { width: 720, height: 160 } as const;
const GAP = 2;

/** One column: what it is made of, from its foot up. */
export interface Column {
  readonly key: string;
  /** Shown under the pointer. */
  readonly title: string;
  /** `className` gives the colour. */
  readonly parts: readonly { readonly className: string; readonly value: number }[];
}

/**
 * Columns over time, stacked. Screen readers get `label` alone: a table beside it holds the same, and offers by the
 * keyboard what `onChoose` does by a click.
 */
export function ColumnChart({
  label,
  columns,
  chosen,
  onChoose,
}: {
  readonly label: string;
  readonly columns: readonly Column[];
  /** Key of the column that is marked. */
  readonly chosen?: string;
  readonly onChoose?: (key: string) => void;
}) {
  const most = Math.max(1, ...columns.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0)));
  const width = SIZE.width / columns.length;
  return (
    <svg
      className={onChoose ? 'column-chart choosable' : 'column-chart'}
      viewBox={`0 0 ${SIZE.width} ${SIZE.height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {columns.map(({ key, title, parts }, index) => {
        let top = SIZE.height;
        return (
          <g key={key} onClick={onChoose && (() => onChoose(key))}>
            <title>{title}</title>
            <rect
              x={index * width}
              y={0}
              width={width}
              height={SIZE.height}
              className={key === chosen ? 'column chosen' : 'column'}
            />
            {parts.map(({ className, value }) => {
              const height = (value / most) * SIZE.height;
              top -= height;
              return (
                <rect
                  key={className}
                  x={index * width + GAP / 2}
                  y={top}
                  width={width - GAP}
                  height={height}
                  className={className}
                />
              );
            })}
          </g>
        );
      })}
    </svg>
  );
}
