import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { t } from '../../../../contract/text.ts'
import { isActive, type RunDetails, runQuery, stepsQuery } from '../../../api/runs.ts'
import { Failure } from '../../../components/failure.tsx'
import { Breadcrumb } from '../../../components/layout/breadcrumb.tsx'
import { RecordFailure } from '../../../components/record-failure.tsx'
import { isRecord } from '../../../components/results/labels.ts'
import { ResultView } from '../../../components/results/result-view.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Page } from '../../../frame/page.tsx'
import { useSeconds } from '../../../state/timers.ts'
import { RunChanges } from './changes/run-changes.tsx'
import { PromptPanel } from './prompt-panel.tsx'
import { RunActions } from './run-actions.tsx'
import { RunChildren, RunFacts } from './run-facts.tsx'
import { EndedForms, OpenForms } from './run-forms.tsx'
import { RunItems } from './run-items.tsx'
import { runTitle } from './run-labels.ts'
import { RunNotice } from './run-notice.tsx'
import { TimelineView } from './timeline/timeline-view.tsx'
import { useRunStream } from './use-run-stream.ts'

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
      {run.error && !data && (
        <RecordFailure
          error={run.error}
          onRetry={() => run.refetch()}
          title="Run not found"
          to="/runs"
          action="All runs"
        />
      )}
      {data && (
        <>
          <RunNotice run={data} />
          <OpenForms run={data} />
          <RunFacts run={data} firstModel={steps.data?.items[0]?.model} now={now} />
          <RunChildren run={data} isLive={isLive} />
          <EndedForms run={data} />
          <RunItems run={data} />
          <Result run={data} />
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

const Result = ({ run: { output, outputSchema } }: { run: RunDetails }) =>
  isRecord(output) && (
    <div className="max-w-sheet px-16 pt-24 md:px-24">
      <ResultView output={output} schema={outputSchema} />
    </div>
  )

const Heading = ({ children }: { children: string }) => (
  <h2 className="px-16 pt-24 pb-12 font-strong md:px-24">{children}</h2>
)
