import { Link } from '@tanstack/react-router'
import type { Approval } from '../../../api/approvals.ts'
import { Code } from '../../../components/code.tsx'

/** The call of a decided approval. */
export function ApprovalDetails({ approval: { note, input, tool, runId } }: { approval: Approval }) {
  return (
    <div className="flex flex-col gap-8 text-13">
      {note && <p>Note: {note}</p>}
      <p className="flex flex-wrap gap-x-8 text-12 text-neutral-11">
        <code className="font-mono">{tool}</code>
        <Link to="/runs/$runId" params={{ runId }} className="underline hover:text-neutral-12">
          Open run
        </Link>
      </p>
      <Code tall what="input">
        {JSON.stringify(input, null, 2)}
      </Code>
    </div>
  )
}
