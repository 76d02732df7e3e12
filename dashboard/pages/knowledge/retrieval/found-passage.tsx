import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { counted } from '../../../../contract/counted.ts'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { passages } from '../../../../contract/knowledge/passages.ts'
import { LOCALE, t } from '../../../../contract/text.ts'
import { compactQuote } from '../../../components/citations/compact-quote.ts'

type Passage = OutputOf<typeof passages.search>['items'][number]
type Terms = NonNullable<Passage['terms']>

interface FoundPassageProps {
  passage: Passage
  rank: number
  bestScore: number
}

export function FoundPassage({ passage, rank, bestScore }: FoundPassageProps) {
  const { source, page, heading, text, score, url, parts, fusion, terms = [] } = passage
  const path = new URL(url)
  return (
    <article aria-label={source.name} className="flex flex-col gap-8">
      <header className="flex items-baseline gap-8">
        <span className="w-16 shrink-0 text-13 text-neutral-11 tabular-nums">{rank}</span>
        <div className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-8">
          <Link
            to={`${path.pathname}${path.search}`}
            state={source.type === 'session' ? { quote: text } : {}}
            className="min-w-0 truncate font-medium hover:underline"
          >
            <bdi>{source.name}</bdi>
          </Link>
          <span className="min-w-0 truncate text-13 text-neutral-11">
            {page !== null && <>Page {page}</>}
            {page !== null && heading !== null && ' · '}
            {heading !== null && <bdi>{heading}</bdi>}
          </span>
        </div>
        <Score score={score} bestScore={bestScore} />
      </header>
      <div className="flex flex-col gap-8 pl-24">
        <p className="line-clamp-6 whitespace-pre-line text-neutral-12 [overflow-wrap:anywhere]">
          <bdi>
            <Marked text={compactQuote(text)} terms={terms} />
          </bdi>
        </p>
        {parts && <Reasons parts={parts} terms={terms} fusion={fusion} />}
      </div>
    </article>
  )
}

const Score = ({ score, bestScore }: { score: number; bestScore: number }) => (
  <span className="flex shrink-0 items-center gap-8 text-13 text-neutral-11 tabular-nums">
    <span aria-hidden className="h-4 w-48 overflow-hidden rounded-round bg-neutral-4 max-sm:hidden">
      <span
        className="block h-full rounded-round bg-neutral-9"
        style={{ width: `${Math.round((score / bestScore) * 100)}%` }}
      />
    </span>
    <span className="sr-only">{t`Score`}</span>
    {decimal.format(score)}
  </span>
)

const decimal = new Intl.NumberFormat(LOCALE, { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** Stems begin the words that they stand for. The most frequent words would mark half of a text. */
const MARKED_WEIGHT_MIN = 0.5

function Marked({ text, terms }: { text: string; terms: Terms }) {
  const telling = terms.filter(({ stopWord }) => !stopWord)
  const heaviest = Math.max(...telling.map(({ weight }) => weight))
  const stems = telling
    .filter(({ weight }) => weight >= heaviest * MARKED_WEIGHT_MIN)
    .map(({ term }) => term.toLocaleLowerCase())
  let at = 0
  return text.split(/([\p{L}\p{N}]+)/u).map((part, index) => {
    const key = at
    at += part.length
    const word = part.toLocaleLowerCase()
    return index % 2 === 1 && stems.some((stem) => word.startsWith(stem)) ? (
      <mark key={key} className="rounded-control bg-warning-wash text-neutral-12">
        {part}
      </mark>
    ) : (
      part
    )
  })
}

const PART_LABELS: Record<keyof NonNullable<Passage['parts']>, string> = {
  words: t`words`,
  heading: t`heading and name`,
  exact: t`as written`,
  related: t`related words`,
  phrase: t`phrase`,
  proximity: t`near each other`,
  neighbors: t`passages beside it`,
}

/** Shares smaller than this would show as zero. */
const PART_MIN = 0.005

interface ReasonsProps {
  parts: NonNullable<Passage['parts']>
  terms: Terms
  fusion: Passage['fusion']
}

function Reasons({ parts, terms, fusion }: ReasonsProps) {
  const names = Object.keys(PART_LABELS) as (keyof typeof PART_LABELS)[]
  return (
    <details className="group/why text-13 text-neutral-11">
      <summary className="flex w-fit items-center gap-4 rounded-control hover:text-neutral-12">
        Why it’s here
        <ChevronRight
          aria-hidden
          className="size-12 shrink-0 text-neutral-9 transition-transform group-open/why:rotate-90"
        />
      </summary>
      <div className="mt-8 grid gap-16 rounded-control bg-inset p-12 sm:grid-cols-2">
        {fusion && <Amounts title={t`Places`} amounts={places(fusion)} />}
        <Amounts
          title={fusion ? t`Score for words` : t`Score`}
          amounts={names
            .filter((name) => Math.abs(parts[name]) >= PART_MIN)
            .map((name) => ({ label: PART_LABELS[name], value: parts[name] }))}
        />
        <Amounts title={t`Matched words`} amounts={matchedWords(terms)} />
      </div>
    </details>
  )
}

/** The score follows from the places in both lists. */
const places = ({ words, meaning }: NonNullable<Passage['fusion']>): Amount[] => [
  ...(words ? [{ label: t`by words`, note: t`place ${words.rank}`, value: words.score }] : []),
  ...(meaning
    ? [{ label: t`by similarity`, note: t`place ${meaning.rank}`, value: meaning.similarity }]
    : []),
]

interface Amount {
  label: string
  note?: string
  value: number
}

/** A passage that was found only by similarity has no words. */
const Amounts = ({ title, amounts }: { title: string; amounts: Amount[] }) => (
  <div className="min-w-0" hidden={amounts.length === 0}>
    <p aria-hidden className="mb-4 font-medium text-12">
      {title}
    </p>
    <ul aria-label={title} className="flex flex-col gap-4">
      {amounts.map(({ label, note, value }) => (
        <li key={label} className="flex items-baseline gap-8">
          <span className="min-w-0 [overflow-wrap:anywhere]">
            <bdi className="text-neutral-12">{label}</bdi>
            {note && <span className="block text-12">{note}</span>}
          </span>
          <span className="ml-auto shrink-0 tabular-nums">{decimal.format(value)}</span>
        </li>
      ))}
    </ul>
  </div>
)

/** A word counts once as written and once by its stem, which can be the same. */
const matchedWords = (terms: Terms): Amount[] =>
  [...Map.groupBy(terms, ({ term }) => term)]
    .map(([label, same]) => ({
      label,
      note: counted(Math.max(...same.map(({ passages }) => passages)), 'passage', 'passages'),
      value: same.reduce((sum, { weight }) => sum + weight, 0),
    }))
    .toSorted((one, other) => other.value - one.value)
