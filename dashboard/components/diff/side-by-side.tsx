import { Line } from './diff.tsx'
import { lineDiff } from './line-diff.ts'

interface SideBySideProps {
  before: string
  after: string
  /** The names of the two sides. */
  labels: [before: string, after: string]
}

/** Two texts beside each other, with the lines that differ; on a narrow page below each other. */
export function SideBySide({ before, after, labels }: SideBySideProps) {
  const lines = lineDiff(before, after)
  const sides = [
    { label: labels[0], lines: lines.filter(({ kind }) => kind !== 'added') },
    { label: labels[1], lines: lines.filter(({ kind }) => kind !== 'removed') },
  ]
  return (
    <div className="grid gap-8 @wide:grid-cols-2">
      {sides.map((side) => (
        <figure key={side.label} className="min-w-0">
          <figcaption className="pb-4 text-12 text-neutral-11">{side.label}</figcaption>
          <div className="wrap-anywhere overflow-hidden rounded-control border border-neutral-6 font-mono text-12">
            {side.lines.map((line, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a diff have no other identity.
              <Line key={index} line={line} />
            ))}
          </div>
        </figure>
      ))}
    </div>
  )
}
