import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type AgentRun, childrenQuery } from '../../../../api/runs.ts'
import { formatCost } from '../../../../components/amounts.ts'
import { Name } from '../../../../components/name.tsx'
import { Status } from '../../../../components/status.tsx'
import { statusOf } from '../run-labels.ts'

/** The runs that a run started: of other agents, or of the blocks of a workflow. */
export function RunChildren({ run: { id, kind }, isLive }: { run: AgentRun; isLive: boolean }) {
  const { data } = useQuery(childrenQuery(id, isLive))
  if (!data || data.items.length === 0) return null
  const heading = kind === 'workflow' ? 'Blocks' : 'Called agents'
  return (
    <section aria-label={heading}>
      <h2 className="px-16 pt-24 pb-12 font-strong md:px-24">{heading}</h2>
      <ul className="border-neutral-6 border-t">
        {data.items.map((child) => {
          const { label, meaning } = statusOf({
            ...child,
            wait: child.waitsFor && { for: child.waitsFor },
            cancelRequestedAt: null,
          })
          return (
            <li
              key={child.id}
              className="flex items-center gap-16 border-neutral-6 border-b px-16 py-8 text-13 md:px-24"
            >
              <span className="min-w-0 flex-1">
                <Link
                  to="/runs/$runId"
                  params={{ runId: child.id }}
                  className="block truncate font-medium hover:underline"
                >
                  <Name>{child.title || 'Run without a title'}</Name>
                </Link>
                <span className="block truncate text-12 text-neutral-11">
                  <Name>{child.agentName}</Name>
                </span>
              </span>
              <Status meaning={meaning}>{label}</Status>
              <span className="shrink-0 text-right tabular-nums">{formatCost(child.cost)}</span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
