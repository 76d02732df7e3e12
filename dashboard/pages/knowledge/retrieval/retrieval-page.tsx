import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Search, TextSearch } from 'lucide-react'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import { PASSAGE_LIMITS } from '../../../../contract/knowledge/passage-options.ts'
import type { passages } from '../../../../contract/knowledge/passages.ts'
import { LOCALE, t } from '../../../../contract/text.ts'
import { api } from '../../../api/client.ts'
import { embedderQuery } from '../../../api/embeddings.ts'
import { Empty } from '../../../components/empty.tsx'
import { Failure } from '../../../components/failure.tsx'
import { CONTROL } from '../../../components/forms/field.tsx'
import { NoMatches } from '../../../components/no-matches.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Page } from '../../../frame/page.tsx'
import { useSearchInput } from '../../../frame/search-input.ts'
import { KnowledgeTabs } from '../knowledge-tabs.tsx'
import { SpaceFilter } from '../memory/memory-fields.tsx'
import { FoundPassage } from './found-passage.tsx'

type Found = OutputOf<typeof passages.search>

const LIMIT = 20

const passagesQuery = (q: string, projectId: string | undefined) =>
  queryOptions({
    queryKey: ['passages', q, projectId],
    queryFn: ({ signal }) => api.passages.search({ q, projectId, limit: LIMIT, explain: 'true' }, { signal }),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  })

const route = getRouteApi('/app/knowledge/test')

/** What agents find for a question, and why in this order. */
export function RetrievalPage() {
  const { q = '', project } = route.useSearch()
  const navigate = useNavigate()
  const { typed, setTyped } = useSearchInput(q)
  const question = q.trim().slice(0, PASSAGE_LIMITS.query)
  const found = useQuery(passagesQuery(question, project))
  const filter = (
    <SpaceFilter
      projectsOnly
      space={project}
      onChange={(next) => void navigate({ to: '.', search: (previous) => ({ ...previous, project: next }) })}
    />
  )
  return (
    <Page title="Knowledge" tabs={<KnowledgeTabs projectId={project} end={filter} />}>
      <div className="flex max-w-column flex-col gap-16 px-16 py-12 md:px-24">
        <Question typed={typed} onChange={setTyped} />
        {question !== '' && (
          <>
            {found.isPending && <SkeletonRows />}
            {found.error && !found.data && <Failure error={found.error} onRetry={() => found.refetch()} />}
            {found.data && <Results found={found.data} onClear={() => setTyped('')} />}
          </>
        )}
      </div>
      {question === '' && (
        <Empty
          icon={TextSearch}
          title="See what agents find"
          command='npx atrium knowledge search "How much notice do tenants give?"'
        >
          Ask a question to see the passages of files, notes, memories and pinned conversations that an agent
          would find for you, best first, and why they are in this order.
        </Empty>
      )}
    </Page>
  )
}

const Question = ({ typed, onChange }: { typed: string; onChange: (typed: string) => void }) => (
  <div className="relative">
    <Search aria-hidden className="icon pointer-events-none absolute top-16 left-16 text-neutral-11" />
    <input
      type="search"
      data-filter
      aria-label={t`Ask a question`}
      placeholder={t`Ask as you would ask an agent`}
      value={typed}
      onChange={(event) => onChange(event.target.value)}
      className={`h-48 pl-48 ${CONTROL}`}
    />
  </div>
)

function Results({ found, onClear }: { found: Found; onClear: () => void }) {
  const hasEmbedder = useQuery(embedderQuery).data?.serving != null
  const best = found.items[0]
  if (!best)
    return hasEmbedder ? (
      <NoMatches title="No passage found" onClear={onClear}>
        No passage has these words or says something similar. Try the words that the documents use. New files
        are indexed within seconds.
      </NoMatches>
    ) : (
      <NoMatches title="No passage has these words" onClear={onClear}>
        Without an embedding model, agents find words and their stems, not meanings. Try the words that the
        documents use. New files are indexed within seconds.
      </NoMatches>
    )
  return (
    <>
      <p className="text-12 text-neutral-11 tabular-nums">
        <Figures found={found} />
      </p>
      <ol>
        {found.items.map((passage, index) => (
          <li key={passage.key} className="border-neutral-6 border-t py-16">
            <FoundPassage passage={passage} rank={index + 1} bestScore={best.score} />
          </li>
        ))}
      </ol>
    </>
  )
}

/** Passages that are found by similarity alone aren't among the candidates. */
const Figures = ({ found: { items, passages, candidates, tookMs } }: { found: Found }) => (
  <>
    Ranked {Math.max(candidates, items.length).toLocaleString(LOCALE)} of {passages.toLocaleString(LOCALE)}{' '}
    passages in {Math.ceil(tookMs).toLocaleString(LOCALE)} ms
  </>
)
