import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { LOCALE, t } from '../../../../../contract/text.ts'
import { type Connection, type ConnectionCall, connectionCallsQuery } from '../../../../api/connections.ts'
import { Code } from '../../../../components/code.tsx'
import { Status } from '../../../../components/status.tsx'
import { RowToggle } from '../../../../components/table/cells.tsx'
import { type Column, Table } from '../../../../components/table/table.tsx'
import { Time } from '../../../../components/time.tsx'

export function Calls({ connection }: { connection: Connection }) {
  const calls = useQuery(connectionCallsQuery(connection.id)).data?.items
  const [open, setOpen] = useState<string>()
  const toggle = (id: string) => setOpen(open === id ? undefined : id)
  return (
    <section aria-labelledby="calls" className="pb-48">
      <header className="px-16 pt-24 pb-8 md:px-24">
        <h2 id="calls" className="font-strong">
          Calls
        </h2>
        <p className="text-13 text-neutral-11">
          {calls?.length === 0
            ? t`No agent has used this connection yet.`
            : t`The last 100 agent calls, newest first, without secrets.`}
        </p>
      </header>
      {calls && calls.length > 0 && (
        <Table
          label="Calls"
          columns={columns(open, toggle)}
          rows={calls}
          rowKey={({ id }) => id}
          below={(call) => call.id === open && <CallDetails call={call} />}
        />
      )}
    </section>
  )
}

const columns = (open: string | undefined, toggle: (id: string) => void): Column<ConnectionCall>[] => [
  {
    header: t`Tool`,
    wide: true,
    cell: ({ id, tool }) => (
      <RowToggle id={id} opened={open === id} onToggle={() => toggle(id)}>
        <span className="truncate font-mono text-12">{tool}</span>
      </RowToggle>
    ),
  },
  {
    header: t`Result`,
    cell: ({ status, httpStatus, errorCode }) => (
      <Status meaning={status === 'succeeded' ? 'good' : 'bad'}>
        {status === 'succeeded'
          ? t`Succeeded`
          : t`Failed${errorCode || httpStatus ? ` · ${errorCode ?? httpStatus}` : ''}`}
      </Status>
    ),
  },
  {
    header: t`Duration`,
    right: true,
    visibleFrom: 'medium',
    cell: ({ durationMs }) => `${durationMs.toLocaleString(LOCALE)} ms`,
  },
  {
    header: t`Time`,
    right: true,
    cell: ({ startedAt }) => <Time at={startedAt} />,
  },
]

/** As stored: without secrets. */
function CallDetails({ call }: { call: ConnectionCall }) {
  const { runId, request, answer, attempts, httpStatus } = call
  const facts = [
    httpStatus === null ? t`No response` : t`Status ${httpStatus}`,
    attempts === 1 ? t`1 attempt` : t`${attempts} attempts`,
  ]
  return (
    <div className="flex flex-col gap-12">
      <p className="text-12 text-neutral-11">
        {facts.join(' · ')} ·{' '}
        <Link to="/runs/$runId" params={{ runId }} className="text-selection-text hover:underline">
          Show run
        </Link>
      </p>
      <div className="grid gap-12 @wide:grid-cols-2">
        <Part title="Request" what="request" value={request} />
        <Part title="Response" what="response" value={answer} />
      </div>
    </div>
  )
}

function Part({ title, what, value }: { title: string; what: string; value: unknown }) {
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <h3 className="font-medium text-12 text-neutral-11">{title}</h3>
      <Code tall what={what}>
        {typeof value === 'string' ? value : JSON.stringify(value ?? null, null, 2)}
      </Code>
    </div>
  )
}
