import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Copy as CopyIcon, Ellipsis } from 'lucide-react'
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import type { RunEvent } from '../../../../contract/agents/run-events.ts'
import { t } from '../../../../contract/text.ts'
import { api } from '../../../api/client.ts'
import { type AgentRun, isActive, refreshRun, runQuery, stepsQuery } from '../../../api/runs.ts'
import { Button } from '../../../components/button.tsx'
import { copyWithToast } from '../../../components/copy.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Breadcrumb } from '../../../components/layout/breadcrumb.tsx'
import { Menu, MenuAction } from '../../../components/menu.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { toast, toastFailure } from '../../../components/toast.tsx'
import { Page } from '../../../frame/page.tsx'
import { follow } from '../../../live/follow.ts'
import { createRequestKey } from '../../../state/random-id.ts'
import { useSeconds } from '../../../state/timers.ts'
import { RunChanges } from './changes/run-changes.tsx'
import { PromptPanel } from './prompt-panel.tsx'
import { RunStatus } from './run-columns.tsx'
import { RunChildren, RunFacts } from './run-facts.tsx'
import { runTitle } from './run-labels.ts'
import { RunNotice } from './run-notice.tsx'
import { TimelineView } from './timeline/timeline-view.tsx'

const RecordComments = lazy(async () => ({
  default: (await import('../../../components/comments/record-comments.tsx')).RecordComments,
}))

const route = getRouteApi('/app/runs/$runId')

export function RunPage() {
  const { runId } = route.useParams()
  const { prompt, comment } = route.useSearch()
  const navigate = useNavigate()
  const run = useQuery(runQuery(runId))
  const steps = useQuery(stepsQuery(runId))
  const { data } = run
  const isLive = data !== undefined && isActive(data)
  const liveTexts = useRunStream(runId, isLive)
  const now = useSeconds(isLive)
  const attempt = /^(\d+)\.(\d+)$/.exec(prompt ?? '')
  const closePrompt = () =>
    void navigate({ to: '.', search: (previous) => ({ ...previous, prompt: undefined }) })
  return (
    <Page
      title={data ? runTitle(data) : t`Run`}
      breadcrumb={<Breadcrumb to="/runs">Runs</Breadcrumb>}
      action={data && <RunActions run={data} />}
      panel={
        attempt && (
          <PromptPanel
            key={prompt}
            runId={runId}
            n={Number(attempt[1])}
            attempt={Number(attempt[2])}
            onClose={closePrompt}
          />
        )
      }
    >
      {run.isPending && <SkeletonRows rows={5} />}
      {run.error && !data && <Failure error={run.error} onRetry={() => run.refetch()} />}
      {data && (
        <>
          <RunNotice run={data} />
          <RunFacts run={data} firstModel={steps.data?.items[0]?.model} now={now} />
          <RunChildren run={data} isLive={isLive} />
          {data.kind === 'agent' && <Heading>Timeline</Heading>}
          {steps.data && steps.data.items.length > 0 && (
            <TimelineView run={data} steps={steps.data.items} liveTexts={liveTexts} now={now} />
          )}
          {data.kind === 'agent' && steps.data?.items.length === 0 && (
            <p className="px-16 pb-16 text-13 text-neutral-11 md:px-24">
              {isLive ? t`The first step starts soon.` : t`The run ended before its first step.`}
            </p>
          )}
          {steps.error && !steps.data && <Failure error={steps.error} onRetry={() => steps.refetch()} />}
          <RunChanges run={data} />
          <Heading>Comments</Heading>
          <div className="max-w-reading">
            <Suspense>
              <RecordComments
                target={`run:${runId}`}
                noun="run"
                projectId={data.projectId}
                threadId={comment}
              />
            </Suspense>
          </div>
        </>
      )}
    </Page>
  )
}

const Heading = ({ children }: { children: string }) => (
  <h2 className="px-16 pt-24 pb-12 font-strong md:px-24">{children}</h2>
)

function RunActions({ run }: { run: AgentRun }) {
  const { id, canEdit, status } = run
  const isOver = !isActive(run)
  return (
    <span className="flex items-center gap-8">
      <RunStatus run={run} />
      {canEdit && !isOver && <CancelButton run={run} />}
      {canEdit && (status === 'failed' || status === 'canceled') && <RetryButton run={run} />}
      <Menu
        trigger={
          <Button look="quiet" size="icon" aria-label="Actions for this run">
            <Ellipsis aria-hidden className="icon" />
          </Button>
        }
      >
        <MenuAction icon={CopyIcon} label="Copy run ID" onSelect={() => void copyWithToast(id, t`run ID`)} />
      </Menu>
    </span>
  )
}

function CancelButton({ run: { id, cancelRequestedAt } }: { run: AgentRun }) {
  const cancel = useMutation({
    mutationFn: () => api.agentRuns.cancel({ id }),
    onSuccess: () => refreshRun(id),
    onError: toastFailure,
  })
  return (
    <Button busy={cancel.isPending || cancelRequestedAt !== null} onClick={() => cancel.mutate()}>
      Cancel
    </Button>
  )
}

function RetryButton({ run: { id, kind } }: { run: AgentRun }) {
  const navigate = useNavigate()
  const [requestKey] = useState(createRequestKey)
  const retry = useMutation({
    mutationFn: () => api.agentRuns.retry({ id }, { idempotencyKey: requestKey.of({ id }) }),
    onSuccess: async (next) => {
      requestKey.reset()
      toast(kind === 'workflow' ? t`Resumed the workflow` : t`Started a new run in the same conversation`)
      await refreshRun(id)
      await navigate({ to: '/runs/$runId', params: { runId: next.id } })
    },
    onError: toastFailure,
  })
  return (
    <Button look="primary" busy={retry.isPending} onClick={() => retry.mutate()}>
      {kind === 'workflow' ? t`Resume` : t`Retry`}
    </Button>
  )
}

const FLUSH_MS = 120
const REFRESH_MS = 800

/** Refetches the run after its events. Returns the texts being written, by `step.attempt`. */
function useRunStream(id: string, isOn: boolean): Record<string, string> {
  const [texts, setTexts] = useState<Record<string, string>>({})
  const show = useEffectEvent((written: ReadonlyMap<string, string>) => setTexts(Object.fromEntries(written)))
  useEffect(() => {
    if (!isOn) return
    const written = new Map<string, string>()
    const flush = throttled(FLUSH_MS, () => show(written))
    const refresh = throttled(REFRESH_MS, () => void refreshRun(id))
    const following = follow<{ name: string; id?: string; data: never }>({
      open: (signal, lastEventId) =>
        fetch(`/api/v1/runs/${id}/stream`, {
          headers: { accept: 'text/event-stream', ...(lastEventId && { 'last-event-id': lastEventId }) },
          signal,
        }),
      onEvent: ({ name, data }) => {
        const event = { type: name, data } as RunEvent
        if (event.type === 'text') {
          const key = `${event.data.n}.${event.data.attempt}`
          written.set(key, (written.get(key) ?? '') + event.data.text)
          flush.run()
        } else refresh.run()
        if (event.type === 'run.finished') following.stop()
      },
      onConnection: () => {},
    })
    window.addEventListener('online', following.retryNow)
    window.addEventListener('offline', following.disconnect)
    return () => {
      following.stop()
      flush.stop()
      window.removeEventListener('online', following.retryNow)
      window.removeEventListener('offline', following.disconnect)
    }
  }, [id, isOn])
  return texts
}

/** Calls `act` once, `ms` after the first `run`; further calls until then have no effect. */
function throttled(ms: number, act: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    run: () => {
      timer ??= setTimeout(() => {
        timer = undefined
        act()
      }, ms)
    },
    stop: () => clearTimeout(timer),
  }
}
