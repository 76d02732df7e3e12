import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { TextSearch } from 'lucide-react'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import { PASSAGE_LIMITS } from '../../../../contract/knowledge/passage-options.ts'
import type { passages } from '../../../../contract/knowledge/passages.ts'
import { t } from '../../../../contract/text.ts'
import { api } from '../../../api/client.ts'
import { Empty } from '../../../components/empty.tsx'
import { Failure } from '../../../components/failure.tsx'
import { NoMatches } from '../../../components/no-matches.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Page } from '../../../frame/page.tsx'
import { useSearchInput } from '../../../frame/search-input.ts'
import { SectionTabs } from '../../../frame/section-tabs.tsx'
import { SpaceFilter } from '../memory/memory-fields.tsx'

type Found = OutputOf<typeof passages.search>
type Passage = Found['items'][number]

const LIMIT = 20

const passagesQuery = (q: string, projectId: string | undefined) =>
  queryOptions({
    queryKey: ['passages', q, projectId],
    queryFn: ({ signal }) => api.passages.search({ q, projectId, limit: LIMIT, explain: 'true' }, { signal }),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  })

const route = getRouteApi('/app/knowledge')

/** What agents find for a question, and why in this order. */
export function RetrievalPage() {
  const { q = '', project } = route.useSearch()
  const navigate = useNavigate()
  const { typed, setTyped } = useSearchInput(q)
  const question = q.trim().slice(0, PASSAGE_LIMITS.query)
  const found = useQuery(passagesQuery(question, project))
  return (
    <Page
      title="Test retrieval"
      filter={{ value: typed, onChange: setTyped, label: t`Ask a question` }}
      tabs={<SectionTabs of="agents" />}
      action={
        <SpaceFilter
          projectsOnly
          space={project}
          onChange={(next) =>
            void navigate({ to: '.', search: (previous) => ({ ...previous, project: next }) })
          }
        />
      }
    >
      {question === '' ? (
        <Empty
          icon={TextSearch}
          title="See what agents find"
          command='npx atrium knowledge search "How much notice do tenants give?"'
        >
          Ask a question to see the passages of files, notes and memories that an agent would find for you,
          best first, and why they are in this order.
        </Empty>
      ) : (
        <>
          {found.isPending && <SkeletonRows />}
          {found.error && !found.data && <Failure error={found.error} onRetry={() => found.refetch()} />}
          {found.data && <Results found={found.data} onClear={() => setTyped('')} />}
        </>
      )}
    </Page>
  )
}

function Results({ found, onClear }: { found: Found; onClear: () => void }) {
  if (found.items.length === 0)
    return (
      <NoMatches title="No passage has these words" onClear={onClear}>
        Agents find words and their stems, not meanings. Try the words that the documents use. New files are
        indexed within seconds.
      </NoMatches>
    )
  return (
    <div className="flex max-w-[860px] flex-col gap-24">
      <p className="text-13 text-neutral-11 tabular-nums">
        <Figures found={found} />
      </p>
      <ol className="flex flex-col gap-24">
        {found.items.map((passage, index) => (
          <li key={passage.key}>
            <Result passage={passage} rank={index + 1} />
          </li>
        ))}
      </ol>
    </div>
  )
}

const number = new Intl.NumberFormat()

const Figures = ({ found: { passages, candidates, tookMs } }: { found: Found }) => (
  <>
    Ranked {number.format(candidates)} of {number.format(passages)} passages in {number.format(tookMs)} ms
  </>
)

function Result({ passage, rank }: { passage: Passage; rank: number }) {
  const { source, page, heading, text, score, url, parts, terms } = passage
  const path = new URL(url)
  return (
    <article aria-label={source.name} className="flex flex-col gap-8">
      <header className="flex items-baseline gap-8">
        <span className="text-neutral-11 tabular-nums">{rank}</span>
        <Link to={`${path.pathname}${path.search}`} className="min-w-0 truncate font-medium hover:underline">
          <bdi>{source.name}</bdi>
        </Link>
        <span className="min-w-0 flex-1 truncate text-13 text-neutral-11">
          {page !== null && <>Page {page}</>}
          {page !== null && heading !== null && ' · '}
          {heading !== null && <bdi>{heading}</bdi>}
        </span>
        <span className="text-13 tabular-nums">{score.toFixed(2)}</span>
      </header>
      <p className="line-clamp-6 whitespace-pre-line text-neutral-12 [overflow-wrap:anywhere]">
        <bdi>{text.trim()}</bdi>
      </p>
      {parts && <Parts parts={parts} />}
      {terms && terms.length > 0 && (
        <p className="text-13 text-neutral-11 tabular-nums [overflow-wrap:anywhere]">
          {terms
            .toSorted((a, b) => b.weight - a.weight)
            .map(({ term, weight, passages }) => `${term} ${weight.toFixed(2)} (${number.format(passages)})`)
            .join(' · ')}
        </p>
      )}
    </article>
  )
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

const Parts = ({ parts }: { parts: NonNullable<Passage['parts']> }) => (
  <p className="text-13 text-neutral-11 tabular-nums">
    {(Object.keys(PART_LABELS) as (keyof typeof PART_LABELS)[])
      .filter((name) => Math.abs(parts[name]) >= 0.005)
      .map((name) => `${PART_LABELS[name]} ${parts[name].toFixed(2)}`)
      .join(' + ')
      .replaceAll('+ -', '− ')}
  </p>
)
