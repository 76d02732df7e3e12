import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { counted } from '../../../contract/counted.ts'
import { t } from '../../../contract/text.ts'
import { type AgentProgram, programCallQuery, programCallsQuery } from '../../api/runs.ts'
import { useSeconds } from '../../state/timers.ts'
import { formatDuration } from '../amounts.ts'
import { Button } from '../button.tsx'
import { CALL_STATES } from '../call-states.ts'
import { Code } from '../code.tsx'
import { Failure } from '../failure.tsx'
import { showHidden } from '../hidden-characters.ts'
import { SkeletonRows } from '../skeleton.tsx'
import { Status } from '../status.tsx'
import { describeCalls } from '../tool-sentences.tsx'

export interface ProgramSource {
  runId: string
  n: number
  ordinal: number
}

export type ProgramCall = AgentProgram['calls'][number]

interface ProgramCallsProps {
  program: Pick<AgentProgram, 'calls' | 'callCount'>
  source: ProgramSource
}

/** The first ones and those that aren't done, then all. */
export function ProgramCalls({ program: { calls, callCount }, source }: ProgramCallsProps) {
  const [isAll, setAll] = useState(false)
  const first = calls.filter(({ number }, index) => number === index + 1)
  const others = calls.slice(first.length)
  return (
    <>
      <ol className="flex min-w-0 flex-col">
        {first.map((call) => (
          <CallLine key={call.number} call={call} source={source} />
        ))}
        {isAll ? (
          <MoreCalls source={source} after={first.length} />
        ) : (
          others.map((call, index) => (
            <CallLine
              key={call.number}
              call={call}
              source={source}
              skipped={call.number - 1 - (others[index - 1]?.number ?? first.length)}
            />
          ))
        )}
      </ol>
      {callCount > calls.length && !isAll && (
        <Button
          size="small"
          className="self-start"
          onClick={() => setAll(true)}
        >{t`Show all ${callCount} calls`}</Button>
      )}
    </>
  )
}

function MoreCalls({ source, after }: { source: ProgramSource; after: number }) {
  const { runId, n, ordinal } = source
  const query = useInfiniteQuery(programCallsQuery(runId, n, ordinal, after))
  return (
    <>
      {query.data?.pages
        .flatMap(({ items }) => items)
        .map((call) => (
          <CallLine key={call.number} call={call} source={source} />
        ))}
      {query.hasNextPage && (
        <li>
          <Button size="small" onClick={() => void query.fetchNextPage()} busy={query.isFetchingNextPage}>
            {t`Show more`}
          </Button>
        </li>
      )}
      {query.error && (
        <li>
          <Button
            size="small"
            onClick={() => void query.refetch()}
          >{t`The calls could not be loaded. Try again`}</Button>
        </li>
      )}
    </>
  )
}

interface CallLineProps {
  call: ProgramCall
  source: ProgramSource
  /** Calls before it that aren't shown. */
  skipped?: number
}

function CallLine({ call, source, skipped = 0 }: CallLineProps) {
  const [isOpen, setOpen] = useState(false)
  const { number, tool, input, state, error, approvalId, childRunId } = call
  const { done, task, icon: Icon } = describeCalls([{ tool, input }])
  const { label, meaning } = CALL_STATES[state]
  return (
    <li className="min-w-0 text-13 text-neutral-11">
      {skipped > 0 && (
        <p className="py-2 pl-48 text-12">{counted(skipped, 'finished call', 'finished calls')}</p>
      )}
      <div className="flex min-w-0 flex-wrap items-center gap-x-12">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="flex min-h-24 min-w-0 flex-1 items-center gap-8 rounded-control text-left hover:text-neutral-12"
        >
          <span className="w-24 shrink-0 text-right text-12 text-neutral-10 tabular-nums">{number}</span>
          <Icon aria-hidden className="icon text-neutral-9" />
          <span className="inline-block min-w-0 truncate first-letter:uppercase">
            {state === 'done' ? done : task}
          </span>
          <ChevronRight
            aria-hidden
            className={`size-12 shrink-0 text-neutral-9 transition-transform ${isOpen ? 'rotate-90' : ''}`}
          />
        </button>
        {state !== 'done' && <Status meaning={meaning}>{label}</Status>}
        {approvalId && (
          <Link
            to="/approvals/$approvalId"
            params={{ approvalId }}
            className="text-12 underline hover:text-neutral-12"
          >
            {state === 'approval' ? t`Decide` : t`Decision`}
          </Link>
        )}
        {childRunId && (
          <Link
            to="/runs/$runId"
            params={{ runId: childRunId }}
            className="text-12 underline hover:text-neutral-12"
          >
            Open run
          </Link>
        )}
        <Duration call={call} />
      </div>
      {error && <p className="wrap-anywhere pb-4 pl-32 text-12 text-bad-text">{showHidden(error)}</p>}
      {isOpen && <CallDetails source={source} call={call} />}
    </li>
  )
}

function Duration({ call: { startedAt, finishedAt, state } }: { call: ProgramCall }) {
  const isRunning = state === 'running' && startedAt !== null
  const now = useSeconds(isRunning)
  const end = finishedAt ? Date.parse(finishedAt) : isRunning ? now : null
  return (
    <span className="w-48 shrink-0 text-right text-12 tabular-nums">
      {startedAt && end !== null && formatDuration(Math.max(0, end - Date.parse(startedAt)))}
    </span>
  )
}

/** Inputs and outputs can be large. */
function CallDetails({ source: { runId, n, ordinal }, call }: Omit<CallLineProps, 'skipped'>) {
  const { number, tool, state, finishedAt } = call
  const query = useQuery(programCallQuery(runId, n, ordinal, number, `${state} ${finishedAt}`))
  const found = query.data
  return (
    <div className="mt-4 mb-8 ml-32 flex min-w-0 flex-col gap-8">
      <code className="font-mono text-12 text-neutral-12">{tool}</code>
      {query.isPending && <SkeletonRows rows={2} />}
      {query.error && <Failure error={query.error} onRetry={() => query.refetch()} />}
      {found && (
        <>
          <Json label={t`Input`} what="input" value={found.input} />
          {found.output !== null && <Json label={t`Output`} what="output" value={found.output} />}
          {found.outputFileId && (
            <Link to="/files" search={{ file: found.outputFileId }} className="text-12 underline">
              Open full output
            </Link>
          )}
        </>
      )}
    </div>
  )
}

function Json({ label, what, value }: { label: string; what: string; value: unknown }) {
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <span className="text-12">{label}</span>
      <Code what={what} tall>
        {typeof value === 'string' ? value : JSON.stringify(value ?? null, null, 2)}
      </Code>
    </div>
  )
}
