import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { counted } from '../../../../contract/counted.ts'
import { SOURCE_KINDS } from '../../../../contract/knowledge/source-options.ts'
import { t } from '../../../../contract/text.ts'
import {
  isBusy,
  type Source,
  type SourceLogEntry,
  sourceLogQuery,
  sourceQuery,
} from '../../../api/sources.ts'
import { formatSize } from '../../../components/amounts.ts'
import { formatDay } from '../../../components/dates.ts'
import { Failure } from '../../../components/failure.tsx'
import { Panel, PanelSection } from '../../../components/layout/panel.tsx'
import { Name } from '../../../components/name.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { ScrollEnd } from '../../../components/table/scroll-end.tsx'
import { Time } from '../../../components/time.tsx'
import { SourceActions } from './source-actions.tsx'
import {
  ACTION_LABELS,
  countsOf,
  intervalLabel,
  problemOf,
  SourceStatus,
  targetOf,
} from './source-labels.tsx'
import { sourceSentence } from './source-sentences.ts'

export function SourcePanel({ id, onClose }: { id: string; onClose: () => void }) {
  const { data: source, error, refetch } = useQuery(sourceQuery(id))
  return (
    <Panel title={source?.name ?? t`Source`} onClose={onClose}>
      {!source && !error && <SkeletonRows rows={4} />}
      {error && !source && <Failure error={error} onRetry={() => refetch()} />}
      {source && <Details source={source} />}
    </Panel>
  )
}

function Details({ source }: { source: Source }) {
  const problem = problemOf(source)
  return (
    <>
      <PanelSection>
        <div className="flex flex-wrap items-center gap-12">
          <SourceStatus source={source} />
          <SourceActions source={source} />
        </div>
        {problem && <p className="mt-8">{problem}</p>}
        {source.paused?.detail && <p className="text-neutral-11">{sourceSentence(source.paused.detail)}</p>}
        <p className="mt-8 text-neutral-11">
          {SOURCE_KINDS[source.kind].label} · <Name>{targetOf(source)}</Name> ·{' '}
          {intervalLabel(source.intervalMinutes)}
        </p>
        <p className="text-neutral-11">
          {counted(source.itemCount, 'item', 'items')} in{' '}
          <Link to="/files/$id" params={{ id: source.folderId }} className="underline">
            its folder
          </Link>
          . Writes files as <Name>{source.actsAs.name}</Name>.
        </p>
      </PanelSection>
      {source.sync && (
        <PanelSection title={isBusy(source) ? t`This sync` : t`Last sync`}>
          <p>
            <Time at={source.sync.startedAt} /> · {countsOf(source.sync)} · {formatSize(source.sync.bytes)}
          </p>
          {source.nextSyncAt && !isBusy(source) && (
            <p className="text-neutral-11">
              Next sync: <Time at={source.nextSyncAt} isExpected />
            </p>
          )}
        </PanelSection>
      )}
      <PanelSection title="What changed">
        <Log source={source} />
      </PanelSection>
    </>
  )
}

function Log({ source }: { source: Source }) {
  const list = useInfiniteQuery(sourceLogQuery(source.id, isBusy(source)))
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  if (list.isPending) return <SkeletonRows />
  if (list.error && !list.data) return <Failure error={list.error} onRetry={() => list.refetch()} />
  if (items.length === 0) return <p className="text-neutral-11">Nothing yet.</p>
  const days = Map.groupBy(items, ({ createdAt }) => createdAt.slice(0, 10))
  return (
    <>
      {[...days].map(([day, entries]) => (
        <section key={day} className="mb-16">
          <h4 className="mb-4 font-medium text-12 text-neutral-11">{formatDay(day)}</h4>
          <ul className="flex flex-col gap-4">
            {entries.map((entry) => (
              <Entry key={entry.id} entry={entry} />
            ))}
          </ul>
        </section>
      ))}
      <ScrollEnd list={list} loaded={items.length} />
    </>
  )
}

const Entry = ({ entry: { action, path, fileId, reason } }: { entry: SourceLogEntry }) => (
  <li className="min-w-0 break-words">
    <span className="text-neutral-11">{ACTION_LABELS[action]}:</span>{' '}
    {fileId && action !== 'removed' ? (
      <Link to="/files" search={{ file: fileId }} className="hover:underline">
        <Name>{path}</Name>
      </Link>
    ) : (
      <Name>{path}</Name>
    )}
    {reason && <span className="block text-12 text-neutral-11">{sourceSentence(reason)}</span>}
  </li>
)
