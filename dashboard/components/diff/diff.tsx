import { LOCALE, t } from '../../../contract/text.ts'
import { type DiffLine, lineDiff } from './line-diff.ts'

const LINES_MAX = 400

export function Diff({ before, after }: { before: string; after: string }) {
  const lines = lineDiff(before, after)
  const shown = lines.slice(0, LINES_MAX)
  return (
    <div className="wrap-anywhere overflow-hidden rounded-control border border-neutral-6 font-mono text-12">
      {shown.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a diff have no other identity.
        <Line key={index} line={line} />
      ))}
      {lines.length > shown.length && (
        <div className={GAP}>{(lines.length - shown.length).toLocaleString(LOCALE)} more lines</div>
      )}
    </div>
  )
}

const GAP = 'bg-inset px-8 font-sans text-neutral-11'

const LOOKS = {
  same: { Tag: 'span', sign: ' ', tone: 'text-neutral-11' },
  removed: { Tag: 'del', sign: '−', tone: 'bg-bad-wash text-bad-text' },
  added: { Tag: 'ins', sign: '+', tone: 'bg-good-wash text-good-text' },
} as const

function Line({ line }: { line: DiffLine }) {
  if (line.kind === 'gap') {
    return <div className={GAP}>{line.count === 1 ? t`1 line` : t`${line.count} lines`} unchanged</div>
  }
  const { Tag, sign, tone } = LOOKS[line.kind]
  return <Tag className={`block whitespace-pre-wrap px-8 no-underline ${tone}`}>{`${sign} ${line.text}`}</Tag>
}

interface SideBySideProps {
  before: string
  after: string
  labels: [before: string, after: string]
}

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
