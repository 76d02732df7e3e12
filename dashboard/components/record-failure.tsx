import { Link, type LinkProps } from '@tanstack/react-router'
import { Compass } from 'lucide-react'
import { ApiFailure } from '../../client/client.ts'
import { t } from '../../contract/text.ts'
import { buttonClass } from './button.tsx'
import { Empty } from './empty.tsx'
import { Failure } from './failure.tsx'

interface RecordFailureProps {
  error: unknown
  onRetry: () => void
  /** `Agent not found` */
  title: string
  /** The way back, and its label: `All agents`. */
  to: LinkProps['to']
  action: string
  /** Fills the page, so its title is the `h1`. */
  page?: boolean
}

/** Where one record should be: a missing one leads back to its list. */
export function RecordFailure({ error, onRetry, title, to, action, page = false }: RecordFailureProps) {
  if (!(error instanceof ApiFailure) || error.code !== 'NOT_FOUND')
    return <Failure page={page} error={error} onRetry={onRetry} />
  return (
    <div role="alert" className="flex min-w-0 flex-1 flex-col">
      <Empty
        page={page}
        icon={Compass}
        title={title}
        action={
          <Link to={to} className={buttonClass()}>
            {action}
          </Link>
        }
      >
        {t`It was deleted, or you don’t have access.`}
      </Empty>
    </div>
  )
}
