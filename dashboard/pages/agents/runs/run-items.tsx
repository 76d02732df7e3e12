import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { LOCALE, t } from '../../../../contract/text.ts'
import { type ItemList, itemsQuery, type ListItem, listsQuery, refreshLists } from '../../../api/for-each.ts'
import { type AgentRun, isActive } from '../../../api/runs.ts'
import { formatCost, formatRunCost, isCostKnown, runCostTitle } from '../../../components/amounts.ts'
import { Failure } from '../../../components/failure.tsx'
import { Segments } from '../../../components/layout/segments.tsx'
import { Name } from '../../../components/name.tsx'
import { briefResult } from '../../../components/results/labels.ts'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { type Meaning, Status } from '../../../components/status.tsx'
import { LoadMore } from '../../../components/table/scroll-end.tsx'
import { RetryButton } from './run-actions.tsx'

/** The lists that a workflow's blocks repeat over. */
export function RunItems({ run }: { run: AgentRun }) {
  const isLive = isActive(run)
  const { data } = useQuery({ ...listsQuery(run.id, isLive), enabled: run.kind === 'workflow' })
  useRefreshedLists(run)
  return data?.items.map((list) => (
    <List key={list.id} run={run} list={list} isOnly={data.items.length === 1} />
  ))
}

/** While a run is active, its lists are read again from time to time, but not after it has ended or waits for a decision. */
function useRefreshedLists({ id, status, wait }: AgentRun) {
  const state = `${status} ${wait?.for ?? ''}`
  const former = useRef(state)
  useEffect(() => {
    if (former.current !== state) void refreshLists(id)
    former.current = state
  }, [id, state])
}

type Shown = 'all' | ListItem['state']

const STATE_LABELS: Record<ListItem['state'], { label: string; meaning: Meaning }> = {
  queued: { label: t`Queued`, meaning: 'neutral' },
  running: { label: t`Running`, meaning: 'accent' },
  done: { label: t`Done`, meaning: 'good' },
  failed: { label: t`Failed`, meaning: 'bad' },
}
const ENDED_LABELS: typeof STATE_LABELS = {
  ...STATE_LABELS,
  queued: { label: t`Not run`, meaning: 'neutral' },
  running: { label: t`Canceled`, meaning: 'neutral' },
}

function List({ run, list, isOnly }: { run: AgentRun; list: ItemList; isOnly: boolean }) {
  const isLive = isActive(run)
  const [shown, setShown] = useState<Shown>('all')
  const filter = { listId: list.id, ...(shown !== 'all' && { state: shown }) }
  const items = useInfiniteQuery(itemsQuery(run.id, filter, isLive))
  const rows = items.data?.pages.flatMap((page) => page.items) ?? []
  const heading = list.title && !isOnly ? t`Items of ${list.title}` : t`Items`
  const labels = isLive ? STATE_LABELS : ENDED_LABELS
  const { total, done, failed, running } = list
  const counts: Record<Shown, number> = {
    ...{ all: total, done, failed, running },
    queued: Math.max(0, total - done - failed - running),
  }
  const states = (['all', 'done', 'failed', 'running', 'queued'] as const).filter(
    (state) => state === 'all' || state === shown || counts[state] > 0,
  )
  return (
    <section aria-label={heading}>
      <h2 className="px-16 pt-24 pb-12 font-strong md:px-24">{heading}</h2>
      <Progress run={run} list={list} />
      <div className="px-16 py-16 md:px-24">
        <Segments<Shown>
          label={t`Shown items`}
          value={shown}
          options={states.map((value) => ({
            value,
            label: `${value === 'all' ? t`All` : labels[value].label} ${counts[value].toLocaleString(LOCALE)}`,
          }))}
          onChoose={setShown}
        />
      </div>
      {items.isPending && <SkeletonRows rows={3} />}
      {items.error && !items.data && <Failure error={items.error} onRetry={() => items.refetch()} />}
      {items.data && rows.length === 0 && (
        <p className="px-16 pb-16 text-13 text-neutral-11 md:px-24">No items in this state.</p>
      )}
      {rows.length > 0 && (
        <ul className="border-neutral-6 border-t">
          {rows.map((item) => (
            <Item key={item.n} item={item} status={labels[item.state]} />
          ))}
        </ul>
      )}
      <LoadMore list={items} shown={rows.length} loaded={rows.length} total={counts[shown]} />
    </section>
  )
}

function Progress({ run, list }: { run: AgentRun; list: ItemList }) {
  const { total, done, failed, cost, estimate, isPreview } = list
  const ended = done + failed
  const shown = { done: done.toLocaleString(LOCALE), total: total.toLocaleString(LOCALE) }
  const text =
    failed > 0
      ? t`${shown.done} of ${shown.total} done, ${failed.toLocaleString(LOCALE)} failed`
      : t`${shown.done} of ${shown.total} done`
  const isOver = run.status === 'failed' || run.status === 'canceled'
  // A stopped preview is resumed with the page's button, and asks again.
  const canRetry = run.canEdit && isOver && (failed > 0 || (done < total && !isPreview))
  const share = (count: number) => ({ width: `${(100 * count) / Math.max(total, 1)}%` })
  return (
    <div className="flex flex-wrap items-center gap-x-16 gap-y-8 px-16 text-13 md:px-24">
      <span
        role="progressbar"
        aria-label={t`Progress`}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={ended}
        className="flex h-4 w-full max-w-form overflow-hidden rounded-round bg-neutral-5"
      >
        <span className="bg-good-mark" style={share(done)} />
        <span className="bg-bad-mark" style={share(failed)} />
      </span>
      <span role="status" className="tabular-nums">
        {text}
      </span>
      {isCostKnown(cost) && (
        <span className="text-neutral-11 tabular-nums" title={runCostTitle(cost)}>
          {formatCost(cost)}
        </span>
      )}
      {estimate && isCostKnown(estimate) && ended < total && isActive(run) && run.wait?.for !== 'preview' && (
        <span className="text-neutral-11">{t`About ${formatCost(estimate)} for the rest`}</span>
      )}
      {canRetry && <RetryButton run={run} label={failed > 0 ? t`Retry failed items` : t`Run the rest`} />}
    </div>
  )
}

function Item({ item, status }: { item: ListItem; status: { label: string; meaning: Meaning } }) {
  const { n, label, output, error, runId, cost } = item
  const result = error ?? briefResult(output)
  return (
    <li className="flex items-center gap-16 border-neutral-6 border-b px-16 py-8 text-13 md:px-24">
      <span className="w-32 shrink-0 text-right text-neutral-11 tabular-nums">
        {n.toLocaleString(LOCALE)}
      </span>
      <span className="min-w-0 flex-1">
        {runId ? (
          <Link to="/runs/$runId" params={{ runId }} className="block truncate font-medium hover:underline">
            <Name>{label}</Name>
          </Link>
        ) : (
          <span className="block truncate font-medium">
            <Name>{label}</Name>
          </span>
        )}
        {result && (
          <span
            className={`wrap-anywhere text-12 ${error ? 'line-clamp-3 text-bad-text' : 'line-clamp-2 text-neutral-11'}`}
          >
            {result}
          </span>
        )}
      </span>
      <span className="shrink-0 sm:w-status">
        <Status meaning={status.meaning}>{status.label}</Status>
      </span>
      <span
        title={runCostTitle(cost)}
        className="w-when shrink-0 text-right text-neutral-11 tabular-nums max-sm:hidden"
      >
        {formatRunCost(cost)}
      </span>
    </li>
  )
}
