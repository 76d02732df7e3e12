import { Name } from '../../../components/name.tsx'
import { Time } from '../../../components/time.tsx'
import type { InspectedItem } from './queue-queries.ts'
import { QUEUE_STATUS } from './queue-status.ts'

/** The status changes of a submission. */
export function History({ changes }: Pick<InspectedItem, 'changes'>) {
  return (
    <ol className="flex flex-col gap-12 text-13">
      {changes.map((change) => (
        <li key={change.id} className="flex flex-col gap-4">
          <p className="flex items-baseline gap-8">
            <span className="min-w-0 flex-1 break-words">
              <span className="font-medium">
                <Name>{change.operator.name}</Name>
              </span>{' '}
              <span className="text-neutral-11">
                changed the status from {QUEUE_STATUS[change.fromStatus].label} to
              </span>{' '}
              {QUEUE_STATUS[change.toStatus].label}
              {change.taskId && change.toStatus === 'linked' && (
                <code className="ml-8 font-mono text-12 text-neutral-11">{change.taskId}</code>
              )}
            </span>
            <span className="text-12 text-neutral-11">
              <Time at={change.createdAt} />
            </span>
          </p>
          {change.note && (
            <p className="border-neutral-6 border-l-2 break-words pl-8 text-neutral-11">{change.note}</p>
          )}
        </li>
      ))}
    </ol>
  )
}
