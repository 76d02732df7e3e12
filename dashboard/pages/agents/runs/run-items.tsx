import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { api } from '../../../api/client.ts'
import { type ItemList, itemsQuery, type ListItem, listsQuery } from '../../../api/for-each.ts'
import { type AgentRun, isActive, refreshRun } from '../../../api/runs.ts'
import { formatCost, formatRunCost, isCostKnown, runCostTitle } from '../../../components/amounts.ts'
import { Button } from '../../../components/button.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Segments } from '../../../components/layout/segments.tsx'
import { Name } from '../../../components/name.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { type Meaning, Status } from '../../../components/status.tsx'
import { ScrollEnd } from '../../../components/table/scroll-end.tsx'
import { toastFailure } from '../../../components/toast.tsx'

/** The lists that a workflow's blocks repeat over. */
export function RunItems({ run }: { run: AgentRun }) {
  const isLive = isActive(run)
  const { data } = useQuery({ ...listsQuery(run.id, isLive), enabled: run.kind === 'workflow' })
  return data?.items.map((list) => <List key={list.id} run={run} list={list} />)
}

type Shown = 'all' | ListItem['state']

const STATE_LABELS: Record<ListItem['state'], { label: string; meaning: Meaning }> = {
  queued: { label: t`Queued`, meaning: 'neutral' },
  running: { label: t`Running`, meaning: 'accent' },
  done: { label: t`Done`, meaning: 'good' },
  failed: { label: t`Failed`, meaning: 'bad' },
}

function List({ run, list }: { run: AgentRun; list: ItemList }) {
  const isLive = isActive(run)
  const [shown, setShown] = useState<Shown>('all')
  const filter = { listId: list.id, ...(shown !== 'all' && { state: shown }) }
  const items = useInfiniteQuery(itemsQuery(run.id, filter, isLive))
  const rows = items.data?.pages.flatMap((page) => page.items) ?? []
  const heading = list.title ? t`Items of ${list.title}` : t`Items`
  return (
    <section aria-label={heading}>
      <h2 className="px-16 pt-24 pb-4 font-strong md:px-24">{heading}</h2>
      <Progress run={run} list={list} />
      <div className="px-16 py-12 md:px-24">
        <Segments<Shown>
          label={t`Shown items`}
          value={shown}
          options={[
            { value: 'all', label: t`All` },
            { value: 'done', label: t`Done` },
            { value: 'failed', label: t`Failed` },
            { value: 'running', label: t`Running` },
            { value: 'queued', label: isLive ? t`Queued` : t`Not run` },
          ]}
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
            <Item key={item.n} item={item} isLive={isLive} />
          ))}
        </ul>
      )}
      {items.hasNextPage && <ScrollEnd list={items} loaded={rows.length} />}
    </section>
  )
}

function Progress({ run, list }: { run: AgentRun; list: ItemList }) {
  const { total, done, failed, cost, estimate, isPreview } = list
  const ended = done + failed
  const text = failed > 0 ? t`${done} of ${total} done, ${failed} failed` : t`${done} of ${total} done`
  const isHeld = run.status === 'waiting' && run.wait?.for === 'preview' && isPreview
  return (
    <div className="flex flex-wrap items-center gap-x-16 gap-y-8 px-16 md:px-24">
      <progress
        aria-label={t`Progress`}
        max={Math.max(total, 1)}
        value={ended}
        className="h-4 w-full max-w-form accent-selection"
      />
      <span role="status" className="text-13 tabular-nums">
        {text}
      </span>
      {isCostKnown(cost) && (
        <span className="text-13 text-neutral-11 tabular-nums" title={runCostTitle(cost)}>
          {formatCost(cost)}
        </span>
      )}
      {estimate && ended < total && isActive(run) && (
        <span className="text-13 text-neutral-11">{t`About ${formatRunCost(estimate)} for the rest`}</span>
      )}
      {isHeld && run.canEdit && <Continue runId={run.id} remaining={total - ended} />}
    </div>
  )
}

function Continue({ runId, remaining }: { runId: string; remaining: number }) {
  const resume = useMutation({
    mutationFn: () => api.forEach.continue({ id: runId }),
    onSuccess: () => refreshRun(runId),
    onError: toastFailure,
  })
  return (
    <Button look="primary" busy={resume.isPending} onClick={() => resume.mutate()}>
      {remaining === 1 ? t`Run the remaining item` : t`Run the remaining ${remaining} items`}
    </Button>
  )
}

function Item({ item, isLive }: { item: ListItem; isLive: boolean }) {
  const { n, label, state, output, error, runId, cost } = item
  const shown =
    state === 'queued' && !isLive ? { label: t`Not run`, meaning: 'neutral' as const } : STATE_LABELS[state]
  const result = typeof output === 'string' ? output : output === null ? '' : JSON.stringify(output)
  return (
    <li className="flex items-center gap-16 border-neutral-6 border-b px-16 py-8 text-13 md:px-24">
      <span className="w-32 shrink-0 text-right text-neutral-11 tabular-nums">{n}</span>
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
        {(error ?? result) && (
          <span
            className={`block truncate text-12 ${error ? 'text-bad-text' : 'text-neutral-11'}`}
            title={error ?? undefined}
          >
            {error ?? result.slice(0, 300)}
          </span>
        )}
      </span>
      <Status meaning={shown.meaning}>{shown.label}</Status>
      <span title={runCostTitle(cost)} className="shrink-0 text-right tabular-nums max-sm:hidden">
        {formatRunCost(cost)}
      </span>
    </li>
  )
}
