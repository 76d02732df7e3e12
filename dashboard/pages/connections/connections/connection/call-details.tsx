import { Link } from '@tanstack/react-router'
import type { ConnectionCall } from '../../../../api/connections/connections.ts'
import { Code } from '../../../../components/code.tsx'

/** The request and the response of a call, as stored: without secrets. */
export function CallDetails({ call }: { call: ConnectionCall }) {
  const { runId, request, answer, attempts, httpStatus } = call
  const facts = [
    httpStatus === null ? 'No response' : `Status ${httpStatus}`,
    attempts === 1 ? '1 attempt' : `${attempts} attempts`,
  ]
  return (
    <div className="flex flex-col gap-12">
      <p className="text-12 text-neutral-11">
        {facts.join(' · ')} ·{' '}
        <Link to="/runs/$runId" params={{ runId }} className="text-accent-text hover:underline">
          Show the run
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
