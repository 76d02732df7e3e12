import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { counted } from '../../contract/counted.ts'
import { t } from '../../contract/text.ts'
import { type AgentProgram, programCallsQuery } from '../api/runs.ts'
import { Button } from './button.tsx'
import { CALL_STATES } from './call-states.ts'
import { Code } from './code.tsx'
import { showHidden } from './hidden-characters.ts'
import { Status } from './status.tsx'
import { describeCalls } from './tool-sentences.tsx'

export interface ProgramSource {
  runId: string
  n: number
  ordinal: number
}

interface ProgramViewProps {
  program: AgentProgram
  input: unknown
  /** Where all calls can be read. Without it, the first ones show. */
  source?: ProgramSource
}

/** What a program was, called, wrote and drew. */
export function ProgramView({ program, input, source }: ProgramViewProps) {
  const {
    code,
    script,
    input: given,
  } = Object(input) as { code?: unknown; script?: unknown; input?: unknown }
  const { calls, callCount, console: lines } = program
  const charts = calls.filter(isChart)
  return (
    <div className="flex min-w-0 flex-col gap-16">
      <Part title={t`Code`}>
        <Code what="code" tall grammar="javascript">
          {typeof code === 'string' ? code : typeof script === 'string' ? script : ''}
        </Code>
      </Part>
      {given !== undefined && given !== null && (
        <Part title={t`Input`}>
          <Code what="input" tall>
            {JSON.stringify(given, null, 2)}
          </Code>
        </Part>
      )}
      {callCount > 0 && (
        <Part title={counted(callCount, 'call', 'calls')}>
          <ProgramCalls calls={calls} callCount={callCount} source={source} />
        </Part>
      )}
      {charts.length > 0 && (
        <Part title={t`Charts`}>
          <ul className="flex flex-wrap gap-8">
            {charts.map(({ number, fileId, input: call }) => (
              <li key={number}>
                <a href={`/files?view=${fileId}`}>
                  <img
                    src={`/api/v1/files/${fileId}/thumbnail?size=640`}
                    alt={fileName(call)}
                    loading="lazy"
                    className="max-h-nested-max max-w-full rounded-control border border-neutral-6 bg-inset object-contain"
                  />
                </a>
              </li>
            ))}
          </ul>
        </Part>
      )}
      {lines.length > 0 && (
        <Part title={t`Console`}>
          <Code what="console" tall>
            {lines.map(({ level, text }) => (level === 'log' ? text : `[${level}] ${text}`)).join('\n')}
          </Code>
        </Part>
      )}
    </div>
  )
}

type ProgramCall = AgentProgram['calls'][number]

const isChart = ({ fileId, input }: ProgramCall) => fileId !== null && /\.svg$/i.test(fileName(input))

function fileName(input: unknown): string {
  const { name } = Object(input) as { name?: unknown }
  return typeof name === 'string' ? name : ''
}

function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <h3 className="font-medium text-12 text-neutral-11">{title}</h3>
      {children}
    </div>
  )
}

interface ProgramCallsProps {
  calls: readonly ProgramCall[]
  callCount: number
  source: ProgramSource | undefined
}

function ProgramCalls({ calls, callCount, source }: ProgramCallsProps) {
  const [isAll, setAll] = useState(false)
  const hasMore = callCount > calls.length
  return (
    <>
      <ol className="flex min-w-0 flex-col gap-2">
        {calls.map((call) => (
          <CallLine key={call.number} call={call} />
        ))}
        {isAll && source && <MoreCalls source={source} after={calls.at(-1)?.number ?? 0} />}
      </ol>
      {hasMore && !isAll && source && (
        <Button onClick={() => setAll(true)}>{t`Show all ${callCount} calls`}</Button>
      )}
    </>
  )
}

function MoreCalls({ source: { runId, n, ordinal }, after }: { source: ProgramSource; after: number }) {
  const query = useInfiniteQuery(programCallsQuery(runId, n, ordinal, after))
  return (
    <>
      {query.data?.pages
        .flatMap(({ items }) => items)
        .map((call) => (
          <CallLine key={call.number} call={call} />
        ))}
      {query.hasNextPage && (
        <li>
          <Button onClick={() => void query.fetchNextPage()} disabled={query.isFetchingNextPage}>
            {t`Show more`}
          </Button>
        </li>
      )}
      {query.error && (
        <li>
          <Button onClick={() => void query.refetch()}>{t`The calls could not be loaded. Try again`}</Button>
        </li>
      )}
    </>
  )
}

function CallLine({
  call: { number, tool, input, state, error, approvalId, childRunId },
}: {
  call: ProgramCall
}) {
  const { done, task, icon: Icon } = describeCalls([{ tool, input }])
  const { label, meaning } = CALL_STATES[state]
  return (
    <li className="flex min-w-0 flex-wrap items-center gap-x-8 text-13 text-neutral-11">
      <span className="w-32 shrink-0 text-right text-12 text-neutral-9 tabular-nums">{number}</span>
      <Icon aria-hidden className="icon shrink-0 text-neutral-9" />
      <span className="inline-block min-w-0 truncate first-letter:uppercase">
        {state === 'done' ? done : task}
      </span>
      {state !== 'done' && <Status meaning={meaning}>{label}</Status>}
      {error && (
        <span className="min-w-0 truncate text-12" title={showHidden(error)}>
          {showHidden(error)}
        </span>
      )}
      {approvalId && state === 'approval' && (
        <Link to="/approvals" className="text-12 underline">
          Decide
        </Link>
      )}
      {childRunId && (
        <Link to="/runs/$runId" params={{ runId: childRunId }} className="text-12 underline">
          Open run
        </Link>
      )}
    </li>
  )
}
